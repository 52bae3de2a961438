"""assistant-ui's assistant transport: commands go up, a state comes down.

The client builds everything it shows from the state, so this is the richest of its channels: calls
with their approvals (options included), progress, the agent's own state, and every change of them.
"""
