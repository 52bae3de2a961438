"""What a site's own tests use: models that follow a script, and people who decide.

Offline and deterministic. With ``AGENTUI = {"LAUNCHER": "immediate"}`` a run is over, or waits, when
the call that began it returns; :func:`runtime` carries runs out as the server does, inside an async
test.
"""

from ..adapters import (
    Call,
    Event,
    Fail,
    Finish,
    Gate,
    Say,
    ScriptedAdapter,
    Think,
    UnexpectedRoundtrip,
    Wait,
    register_scripted,
)
from .people import approve, deny
from .running import runtime, settled
from .sockets import Socket, open_socket

__all__ = [
    "Call",
    "Event",
    "Fail",
    "Finish",
    "Gate",
    "Say",
    "ScriptedAdapter",
    "Socket",
    "Think",
    "UnexpectedRoundtrip",
    "Wait",
    "approve",
    "deny",
    "open_socket",
    "register_scripted",
    "runtime",
    "settled",
]
