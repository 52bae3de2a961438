"""Everything that can be refused, in one place.

The docstring of an error is its message, and says what to do next. ``code`` is stable: the socket,
the API, the admin and the protocols all show the same word. ``status`` is the HTTP status.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class AgentUIError(Exception):
    """Something went wrong."""

    code = "error"
    status = 400

    afterwards: Callable[[], object] | None = None
    """What is true all the same and must be stored by whoever rolls back because of this error."""

    def __init__(self, message: str | None = None, **details: Any) -> None:
        self.message = message or " ".join((self.__doc__ or "").split())
        self.details = details
        super().__init__(self.message)

    def to_json(self) -> dict[str, Any]:
        """``{"code", "message", "details"?}``: the form in which every door shows it."""
        shown: dict[str, Any] = {"code": self.code, "message": self.message}
        return {**shown, "details": self.details} if self.details else shown


class InternalError(AgentUIError):
    """Something went wrong on the server. Please try again."""

    code = "internal"
    status = 500


class NeedsASGI(AgentUIError):
    """Event streams need an ASGI server, for example daphne or uvicorn."""

    code = "needs_asgi"
    status = 501


class MissingPackage(AgentUIError):
    """This needs a Python package that is not installed."""

    code = "missing_package"
    status = 501


class MethodNotAllowed(AgentUIError):
    """This address does not take this method."""

    code = "method_not_allowed"
    status = 405


class InvalidInput(AgentUIError):
    """The request is not of the form this command takes."""

    code = "invalid"


class EmptyMessage(InvalidInput):
    """The message is empty. Write something before sending."""

    code = "empty_message"


class TooLarge(AgentUIError):
    """This is larger than the site accepts."""

    code = "too_large"
    status = 413


class NotSignedIn(AgentUIError):
    """Please sign in again."""

    code = "not_signed_in"
    status = 401


class NotPermitted(AgentUIError):
    """You do not have the permission to do this."""

    code = "not_permitted"
    status = 403


class NotFound(AgentUIError):
    """There is nothing here under this id, or it is not yours."""

    code = "not_found"
    status = 404


class UnknownAgent(AgentUIError):
    """This site has no agent of that name."""

    code = "unknown_agent"
    status = 404


class UnknownCommand(AgentUIError):
    """This command does not exist."""

    code = "unknown_command"


class MalformedFrame(AgentUIError):
    """A frame must be one JSON object."""

    code = "malformed_frame"


class Conflict(AgentUIError):
    """Somebody else was faster. Reload to see how it stands now."""

    code = "conflict"
    status = 409


class ThreadBusy(Conflict):
    """The agent is still working in this thread. Wait, or stop it first."""

    code = "thread_busy"


class ThreadWaiting(Conflict):
    """A tool call in this thread waits for a decision and takes no new message until then."""

    code = "thread_waiting"


class ThreadArchived(Conflict):
    """This thread is archived. Bring it back before writing in it."""

    code = "thread_archived"


class AlreadyDecided(Conflict):
    """This approval has already been decided."""

    code = "already_decided"


class ApprovalExpired(Conflict):
    """The time to decide this approval is over."""

    code = "approval_expired"


class ApprovalClosed(Conflict):
    """This approval is no longer open: the request behind it was withdrawn or replaced."""

    code = "approval_closed"


class AlreadyVoted(Conflict):
    """You have already given your decision on this approval."""

    code = "already_voted"


class DigestMismatch(Conflict):
    """The arguments are not the ones you were shown. Reload and look again."""

    code = "digest_mismatch"


class ToolChanged(Conflict):
    """The tool or agent behind this call has changed since it was asked for; it cannot run."""

    code = "tool_changed"


class RequesterMayNotDecide(NotPermitted):
    """Somebody other than the person who asked has to decide this."""

    code = "requester_may_not_decide"


class PolicyGone(NotPermitted):
    """The rule that says who may decide this no longer exists, so nobody may."""

    code = "policy_gone"


class ReasonRequired(InvalidInput):
    """Please give a reason; the agent is told it word for word."""

    code = "reason_required"


class NotAwaitingResult(Conflict):
    """This tool call does not wait for a result from you."""

    code = "not_awaiting_result"


class ClaimedElsewhere(Conflict):
    """Another tab is working on this tool call."""

    code = "claimed_elsewhere"


class IllegalState(Conflict):
    """This is not possible in the present state."""

    code = "illegal_state"


class CommandReused(Conflict):
    """This command id was already used for a different command. Make a new id for each command."""

    code = "command_reused"


class Throttled(AgentUIError):
    """Too many requests. Please wait a moment."""

    code = "throttled"
    status = 429


class ModelError(AgentUIError):
    """The model could not answer. Please try again."""

    code = "model_error"
    status = 502

    def __init__(
        self, message: str | None = None, *, retryable: bool = False, **details: Any
    ) -> None:
        self.retryable = retryable
        code = details.pop("code", None)
        if code:
            self.code = code
        super().__init__(message, **details)


class ToolArgumentsError(AgentUIError):
    """The arguments do not fit the tool."""

    code = "invalid_arguments"


class Fenced(AgentUIError):
    """Another worker has taken this run over; this one's writes change nothing."""

    code = "fenced"
    status = 409
