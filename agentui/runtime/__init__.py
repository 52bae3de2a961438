"""Making it happen.

The run loop and what it needs. ``store`` is the one place where rows become core values and back;
``database`` is the one way from async code to rows; ``publish`` is the one way to open pages. The
channel layer carries hints only: whoever misses one reads the rows.
"""
