"""An error as a message carries it: ``{"code", "message", "severity"?, "display"?}``.

Only an error that was made to be shown is shown: :class:`~agentui.exceptions.AgentUIError` and the
structured form itself. The words of any other exception may hold a key, a path or a person's data;
they belong in the log, and the message gets a sentence of ours.
"""

from __future__ import annotations

from agentui.exceptions import AgentUIError

from .clean import clean_text
from .values import Json

UNKNOWN = "unknown"
SEVERITIES = frozenset({"critical", "warning", "info"})
_NOT_FOR_SHOW = "Something went wrong. The details are in the server's log."
_UNKNOWN_MESSAGE = "unknown error"


def to_assistant_error(error: object) -> dict[str, Json]:
    """What may be shown of ``error``, an exception or an already structured error."""
    match error:
        case AgentUIError():
            return structured(error.message, code=error.code)
        case {"code": str(code), "message": str(message), **rest}:
            return structured(
                message, code=code, severity=rest.get("severity"), display=rest.get("display")
            )
        case _:
            return structured(_NOT_FOR_SHOW)


def structured(
    message: str | None, *, code: str | None = None, severity: object = None, display: object = None
) -> dict[str, Json]:
    """The structured form; a severity that is not one of :data:`SEVERITIES` is left out."""
    data: dict[str, Json] = {
        "code": clean_text(code or UNKNOWN),
        "message": clean_text(message or _UNKNOWN_MESSAGE),
    }
    if isinstance(severity, str) and severity in SEVERITIES:
        data["severity"] = severity
    if isinstance(display, str):
        data["display"] = clean_text(display)
    return data
