"""REST: the actions and rows of the socket for clients that have none.

The one layer that knows Django REST framework. A view reads what was sent, calls one action and
shows rows in their one form (:mod:`agentui.runtime.rows`); it decides nothing.
"""
