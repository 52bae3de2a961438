"""An error as a message carries it: ``{"code", "message", "severity"?}``.

Only an error that was made to be shown is shown: :class:`~agentui.exceptions.AgentUIError`. The words of
any other exception may hold a key, a path or a person's data; they belong in the log, and the message
gets a sentence of ours.
"""

from __future__ import annotations

from agentui.exceptions import AgentUIError, InternalError

from .clean import clean_text
from .values import Json

UNKNOWN = "unknown"
SEVERITIES = frozenset({"critical", "warning", "info"})
_UNKNOWN_MESSAGE = "unknown error"


def to_assistant_error(error: Exception) -> dict[str, Json]:
    """What may be shown of ``error``."""
    shown = error if isinstance(error, AgentUIError) else InternalError()
    return structured(shown.message, code=shown.code)


def structured(
    message: str | None, *, code: str | None = None, severity: object = None
) -> dict[str, Json]:
    """The structured form; a severity that is not one of :data:`SEVERITIES` is left out."""
    data: dict[str, Json] = {
        "code": clean_text(code or UNKNOWN),
        "message": clean_text(message or _UNKNOWN_MESSAGE),
    }
    if isinstance(severity, str) and severity in SEVERITIES:
        data["severity"] = severity
    return data
