"""A Model Context Protocol server: an agent's tools for the models of others.

Nothing is shared until the site says so: ``AGENTUI["MCP_AGENTS"]`` names the agents whose tools may be
called this way, because here a client calls a tool as it likes and no agent's instructions stand
before it. Only tools that run on the server are shown.

A call is what it is anywhere else: a row, in a thread of the user's, carried out by a run, claimed
once, checked, timed out, seen in the admin. One that needs an approval waits in the database; the
client is told so at once, and asks for the outcome later with the tool :data:`OUTCOME`.

The protocol itself (versions, JSON-RPC, both generations of streamable HTTP) is the package ``mcp``'s,
which is imported when the first request comes.
"""

#: The tool that tells how a call has ended. An agent's own tool of this name is not shown.
OUTCOME = "tool_call_outcome"
