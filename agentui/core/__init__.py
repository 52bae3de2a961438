"""What happens next.

Pure values and functions: no Django, no I/O, no clock, no identifiers and no randomness of its own.
Whatever needs a time or an id takes it as an argument, so everything here can be replayed.
"""
