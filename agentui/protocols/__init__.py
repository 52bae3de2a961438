"""The wire protocols that other front ends speak. Each is an encoder over the feed and a decoder to
the actions.

From the history a client sends, a decoder takes new user messages, results of open browser calls
and decisions on open approvals that this user may decide; everything else of it is passed over,
because the rows are the truth. A protocol module knows no Channels and no REST framework.
"""
