"""The units of a stream.

The vocabulary is assistant-stream's chunk vocabulary in snake_case, with two additions of our own:
``step_reset`` (a roundtrip begins again: forget what it wrote) and the approval events. ``path``
addresses a part: ``(i,)`` is the i-th part of the message, ``()`` the message itself. An adapter
counts from its own roundtrip's first part; :func:`shift` moves its events to where that roundtrip
begins in the message.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from .parts import (
    ApprovalState,
    DataPart,
    FilePart,
    Part,
    ReasoningPart,
    SourcePart,
    TextPart,
    ToolCallPart,
    approval_from_json,
    part_from_json,
)
from .statuses import ToolCallStatus
from .values import Json, Value

Path = tuple[int, ...]
FinishReason = Literal[
    "stop", "length", "content_filter", "tool_calls", "error", "other", "unknown"
]


@dataclass(frozen=True, slots=True)
class PartStart(Value):
    """A new part opens at the end of the message; text, reasoning and calls open empty."""

    part: Part
    type: Literal["part_start"] = "part_start"
    path: Path = ()


@dataclass(frozen=True, slots=True)
class TextDelta(Value):
    """More text, more reasoning, or more of a tool call's ``args_text``."""

    path: Path
    text_delta: str
    type: Literal["text_delta"] = "text_delta"


@dataclass(frozen=True, slots=True)
class ToolCallArgsFinish(Value):
    """The arguments of the call are whole. A browser may act from here on."""

    path: Path
    type: Literal["tool_call_args_finish"] = "tool_call_args_finish"


@dataclass(frozen=True, slots=True)
class ToolCallResult(Value):
    """The call has its answer."""

    path: Path
    result: Json
    is_error: bool = False
    type: Literal["result"] = "result"
    artifact: Json = None
    model_content: Json = None
    status: ToolCallStatus | None = None
    """The exact outcome; left out it is ``complete``, or ``failed`` with ``is_error``."""


@dataclass(frozen=True, slots=True)
class PartFinish(Value):
    """Nothing more comes for this part. ``provider_metadata`` is what must be sent back with it."""

    path: Path
    type: Literal["part_finish"] = "part_finish"
    provider_metadata: dict[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class StepStart(Value):
    """A roundtrip begins."""

    message_id: str | None = None
    type: Literal["step_start"] = "step_start"
    path: Path = ()


@dataclass(frozen=True, slots=True)
class StepFinish(Value):
    """A roundtrip is over."""

    finish_reason: FinishReason
    usage: dict[str, Json] | None = None
    is_continued: bool = False
    type: Literal["step_finish"] = "step_finish"
    path: Path = ()


@dataclass(frozen=True, slots=True)
class StepReset(Value):
    """A roundtrip is made again: drop every part from index ``start`` on, and its open step."""

    start: int
    type: Literal["step_reset"] = "step_reset"
    path: Path = ()


@dataclass(frozen=True, slots=True)
class MessageFinish(Value):
    """The model ended its message."""

    finish_reason: FinishReason
    usage: dict[str, Json] | None = None
    type: Literal["message_finish"] = "message_finish"
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Annotations(Value):
    annotations: tuple[Json, ...]
    type: Literal["annotations"] = "annotations"
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Data(Value):
    data: tuple[Json, ...]
    type: Literal["data"] = "data"
    path: Path = ()


@dataclass(frozen=True, slots=True)
class UpdateState(Value):
    """Operations on the state: ``{"type": "set" | "append-text", "path": [...], "value": ...}``."""

    operations: tuple[Json, ...]
    type: Literal["update_state"] = "update_state"
    path: Path = ()


@dataclass(frozen=True, slots=True)
class ErrorEvent(Value):
    """Something went wrong; ``error`` is safe to show."""

    error: str
    code: str | None = None
    severity: str | None = None
    type: Literal["error"] = "error"
    path: Path = ()


@dataclass(frozen=True, slots=True)
class ApprovalRequest(Value):
    """The call at ``path`` waits for a person."""

    path: Path
    approval: ApprovalState
    type: Literal["approval_request"] = "approval_request"


@dataclass(frozen=True, slots=True)
class ApprovalDecision(Value):
    """The approval of the call at ``path`` has ended, as ``approval.status`` says."""

    path: Path
    approval: ApprovalState
    type: Literal["approval_decision"] = "approval_decision"


StreamEvent = (
    PartStart
    | TextDelta
    | ToolCallArgsFinish
    | ToolCallResult
    | PartFinish
    | StepStart
    | StepFinish
    | StepReset
    | MessageFinish
    | Annotations
    | Data
    | UpdateState
    | ErrorEvent
    | ApprovalRequest
    | ApprovalDecision
)

_EVENTS: dict[str, type[Any]] = {
    "part_start": PartStart,
    "text_delta": TextDelta,
    "tool_call_args_finish": ToolCallArgsFinish,
    "result": ToolCallResult,
    "part_finish": PartFinish,
    "step_start": StepStart,
    "step_finish": StepFinish,
    "step_reset": StepReset,
    "message_finish": MessageFinish,
    "annotations": Annotations,
    "data": Data,
    "update_state": UpdateState,
    "error": ErrorEvent,
    "approval_request": ApprovalRequest,
    "approval_decision": ApprovalDecision,
}


def event_to_json(event: StreamEvent) -> dict[str, Json]:
    """The event as a JSON object."""
    return event.to_json()


def event_from_json(data: dict[str, Json]) -> StreamEvent:
    """The event of a JSON object. Raises ``KeyError`` for a type that this version does not know."""
    event: Any = _EVENTS[data["type"]].from_json(data)
    changes: dict[str, Any] = {"path": tuple(data.get("path", ()))}
    match event:
        case PartStart():
            changes["part"] = part_from_json(data["part"])
        case ApprovalRequest() | ApprovalDecision():
            changes["approval"] = approval_from_json(data["approval"])
        case ToolCallResult(status=str(status)):
            changes["status"] = ToolCallStatus(status)
        case Annotations() | Data() | UpdateState():
            name = event.type if event.type != "update_state" else "operations"
            changes[name] = tuple(data[name])
        case _:
            pass
    result: StreamEvent = replace(event, **changes)
    return result


def shift(event: StreamEvent, start: int) -> StreamEvent:
    """The event as seen from the message: part paths moved by ``start`` parts."""
    if not event.path:
        return event
    head, *rest = event.path
    moved: StreamEvent = replace(event, path=(head + start, *rest))
    return moved


__all__ = [
    "Annotations", "ApprovalDecision", "ApprovalRequest", "Data", "DataPart", "ErrorEvent",
    "FilePart", "FinishReason", "MessageFinish", "PartFinish", "PartStart", "Path",
    "ReasoningPart", "SourcePart", "StepFinish", "StepReset", "StepStart", "StreamEvent",
    "TextDelta", "TextPart", "ToolCallArgsFinish", "ToolCallPart", "ToolCallResult",
    "UpdateState", "event_from_json", "event_to_json", "shift",
]  # fmt: skip
