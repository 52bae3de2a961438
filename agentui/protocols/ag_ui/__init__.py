"""AG-UI (docs.ag-ui.com, spec 1.0): one endpoint an agent, for any AG-UI client.

A POST with a ``RunAgentInput`` answers with server-sent events. What a client may say with it is read
in :mod:`.said`, carried out in :mod:`.intake`, and answered by :mod:`.stream`, which follows the
thread until nothing in it runs any more.

Two generations of clients are served. One that declares a ``protocolVersion`` (1.0) is told of
cancelled runs, pending calls and deadlines; older ones (0.0.x, CopilotKit among them) end with an
error at what they do not know, so they are not.

Ids are ours and never change: a message's part is ``<message>:<index>``, a call is its row's id, its
answer ``<call>:result``. What the client sent keeps the client's id.
"""

PROTOCOL_VERSION = "1.0"
"""The version that is spoken here; a client's newer minor version is answered with it."""
