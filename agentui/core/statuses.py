"""Every status word, and every transition that is allowed.

The tables are the rule: models guard with them, a test walks them and the diagrams in
``docs/statuses.md`` are made from them. A transition that is not in a table raises and changes
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from .values import Value


class RunStatus(StrEnum):
    """The life of a run, and of the assistant message it writes."""

    QUEUED = "queued"
    RUNNING = "running"
    REQUIRES_ACTION = "requires_action"
    COMPLETE = "complete"
    INCOMPLETE = "incomplete"


class Reason(StrEnum):
    """Why a run or a message stands where it stands."""

    NONE = ""
    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    CANCELLED = "cancelled"
    ERROR = "error"
    MAX_ROUNDTRIPS = "max_roundtrips"
    INTERRUPTED = "interrupted"
    OTHER = "other"
    UNKNOWN = "unknown"


class ToolCallStatus(StrEnum):
    """The life of one tool call."""

    STREAMING = "streaming"
    PENDING = "pending"
    AWAITING_APPROVAL = "awaiting_approval"
    APPROVED = "approved"
    EXECUTING = "executing"
    COMPLETE = "complete"
    FAILED = "failed"
    DENIED = "denied"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


class ApprovalStatus(StrEnum):
    """The life of one approval."""

    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"


class Role(StrEnum):
    """Who speaks. ``event`` is the site telling the thread what happened meanwhile."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    EVENT = "event"


class ToolKind(StrEnum):
    """Where a tool call is answered: on the server, in the browser, or by the person."""

    SERVER = "server"
    FRONTEND = "frontend"
    HUMAN = "human"


RUN_TRANSITIONS: Mapping[RunStatus, frozenset[RunStatus]] = {
    RunStatus.QUEUED: frozenset({RunStatus.RUNNING, RunStatus.INCOMPLETE}),
    RunStatus.RUNNING: frozenset(
        {
            RunStatus.QUEUED,
            RunStatus.REQUIRES_ACTION,
            RunStatus.COMPLETE,
            RunStatus.INCOMPLETE,
        }
    ),
    RunStatus.REQUIRES_ACTION: frozenset(
        {RunStatus.QUEUED, RunStatus.COMPLETE, RunStatus.INCOMPLETE}
    ),
    RunStatus.COMPLETE: frozenset(),
    RunStatus.INCOMPLETE: frozenset(),
}

TOOL_CALL_TRANSITIONS: Mapping[ToolCallStatus, frozenset[ToolCallStatus]] = {
    ToolCallStatus.STREAMING: frozenset(
        {
            ToolCallStatus.PENDING,
            ToolCallStatus.AWAITING_APPROVAL,
            ToolCallStatus.FAILED,
            ToolCallStatus.CANCELLED,
        }
    ),
    ToolCallStatus.PENDING: frozenset(
        {
            # Arguments were whole before it was known that this call needs somebody.
            ToolCallStatus.AWAITING_APPROVAL,
            ToolCallStatus.EXECUTING,
            ToolCallStatus.COMPLETE,
            ToolCallStatus.FAILED,
            ToolCallStatus.CANCELLED,
            ToolCallStatus.EXPIRED,
        }
    ),
    ToolCallStatus.AWAITING_APPROVAL: frozenset(
        {
            ToolCallStatus.APPROVED,
            ToolCallStatus.DENIED,
            ToolCallStatus.EXPIRED,
            ToolCallStatus.CANCELLED,
        }
    ),
    ToolCallStatus.APPROVED: frozenset(
        {
            ToolCallStatus.EXECUTING,
            # A browser or human tool that was approved is answered by somebody else.
            ToolCallStatus.COMPLETE,
            ToolCallStatus.FAILED,
            ToolCallStatus.CANCELLED,
        }
    ),
    ToolCallStatus.EXECUTING: frozenset(
        {
            ToolCallStatus.COMPLETE,
            ToolCallStatus.FAILED,
            ToolCallStatus.CANCELLED,
            ToolCallStatus.INTERRUPTED,
            # An idempotent call whose worker died goes back to be claimed again.
            ToolCallStatus.PENDING,
            ToolCallStatus.APPROVED,
        }
    ),
    ToolCallStatus.COMPLETE: frozenset(),
    ToolCallStatus.FAILED: frozenset(),
    ToolCallStatus.DENIED: frozenset(),
    ToolCallStatus.EXPIRED: frozenset(),
    ToolCallStatus.CANCELLED: frozenset(),
    # Staff record what really happened: it was done, or it may be run again, or nobody knows.
    ToolCallStatus.INTERRUPTED: frozenset(
        {ToolCallStatus.COMPLETE, ToolCallStatus.FAILED, ToolCallStatus.PENDING}
    ),
}

APPROVAL_TRANSITIONS: Mapping[ApprovalStatus, frozenset[ApprovalStatus]] = {
    ApprovalStatus.PENDING: frozenset(
        {
            ApprovalStatus.APPROVED,
            ApprovalStatus.DENIED,
            ApprovalStatus.EXPIRED,
            ApprovalStatus.CANCELLED,
            ApprovalStatus.SUPERSEDED,
        }
    ),
    ApprovalStatus.APPROVED: frozenset(),
    ApprovalStatus.DENIED: frozenset(),
    ApprovalStatus.EXPIRED: frozenset(),
    ApprovalStatus.CANCELLED: frozenset(),
    ApprovalStatus.SUPERSEDED: frozenset(),
}

#: Runs of which a thread has at most one.
ACTIVE_RUN = frozenset({RunStatus.QUEUED, RunStatus.RUNNING})
#: Runs and messages that nothing will change any more.
FINISHED_RUN = frozenset({RunStatus.COMPLETE, RunStatus.INCOMPLETE})
#: Tool calls that have their answer.
ANSWERED = frozenset(
    {
        ToolCallStatus.COMPLETE,
        ToolCallStatus.FAILED,
        ToolCallStatus.DENIED,
        ToolCallStatus.EXPIRED,
        ToolCallStatus.CANCELLED,
        ToolCallStatus.INTERRUPTED,
    }
)


class IllegalTransition(ValueError):
    """The status table does not allow this change; nothing was changed."""

    def __init__(self, before: StrEnum, after: StrEnum) -> None:
        self.before = before
        self.after = after
        super().__init__(f"{type(before).__name__}: {before.value} cannot become {after.value}")


def check_transition(before: StrEnum, after: StrEnum) -> None:
    """Raise :class:`IllegalTransition` unless ``before`` may become ``after``."""
    table: Mapping[StrEnum, frozenset[StrEnum]] = _TABLES[type(before)]
    if after not in table[before]:
        raise IllegalTransition(before, after)


def sources(after: StrEnum) -> frozenset[StrEnum]:
    """The statuses from which ``after`` may be reached: the guard of a conditional UPDATE."""
    table: Mapping[StrEnum, frozenset[StrEnum]] = _TABLES[type(after)]
    return frozenset(before for before, allowed in table.items() if after in allowed)


_TABLES: Mapping[type[StrEnum], Mapping[StrEnum, frozenset[StrEnum]]] = {
    RunStatus: RUN_TRANSITIONS,  # type: ignore[dict-item]
    ToolCallStatus: TOOL_CALL_TRANSITIONS,  # type: ignore[dict-item]
    ApprovalStatus: APPROVAL_TRANSITIONS,  # type: ignore[dict-item]
}


@dataclass(frozen=True, slots=True)
class Status(Value):
    """A status word with its reason, for a message or a run."""

    type: RunStatus
    reason: Reason = Reason.NONE

    @property
    def is_finished(self) -> bool:
        return self.type in FINISHED_RUN


QUEUED = Status(RunStatus.QUEUED)
RUNNING = Status(RunStatus.RUNNING)
REQUIRES_TOOL_CALLS = Status(RunStatus.REQUIRES_ACTION, Reason.TOOL_CALLS)
COMPLETE = Status(RunStatus.COMPLETE, Reason.STOP)
CANCELLED = Status(RunStatus.INCOMPLETE, Reason.CANCELLED)
