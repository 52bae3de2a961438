"""Events fold into a message.

The rules, by event:

- ``part_start`` adds a part. Text, reasoning and arguments grow by ``text_delta``; the text of other
  parts, of arguments that are whole, and of parts that do not exist is dropped, as is every event
  whose path is unknown: a stream goes on.
- ``tool_call_args_finish`` makes a streaming call pending.
- ``approval_request``, ``approval_decision`` and ``result`` move a call as the table of
  :mod:`.statuses` allows; what it does not allow is dropped. So the first result and the first
  decision stand, and a result cannot walk around an open approval. (A call that is answered while
  its arguments stream has them whole from then on.)
- ``step_start`` notes where the roundtrip's parts begin, and the message runs. ``step_reset`` drops
  the parts from there on. ``step_finish`` closes the open step.
- ``message_finish`` gives the message its status. An error is sticky: no finish covers it up.
- When the stream ends and the message still runs, it requires an action if a call is unanswered,
  and is complete otherwise: :meth:`Accumulator.finish`.

Text is kept in pieces and joined when the message is read, so n deltas cost n, not n squared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .errors import structured
from .events import (
    Annotations,
    ApprovalDecision,
    ApprovalRequest,
    Data,
    ErrorEvent,
    MessageFinish,
    PartFinish,
    PartStart,
    Path,
    StepFinish,
    StepReset,
    StepStart,
    StreamEvent,
    TextDelta,
    ToolCallArgsFinish,
    ToolCallResult,
    UpdateState,
)
from .parts import Message, Part, ReasoningPart, Step, TextPart, ToolCallPart
from .state_ops import apply_operations
from .statuses import (
    ANSWERED,
    REQUIRES_TOOL_CALLS,
    RUNNING,
    TOOL_CALL_TRANSITIONS,
    ApprovalStatus,
    Reason,
    RunStatus,
    Status,
    ToolCallStatus,
)

_FINISHED: dict[str, Status] = {
    "stop": Status(RunStatus.COMPLETE, Reason.STOP),
    "unknown": Status(RunStatus.COMPLETE, Reason.UNKNOWN),
    "tool_calls": REQUIRES_TOOL_CALLS,
    "length": Status(RunStatus.INCOMPLETE, Reason.LENGTH),
    "content_filter": Status(RunStatus.INCOMPLETE, Reason.CONTENT_FILTER),
    "error": Status(RunStatus.INCOMPLETE, Reason.ERROR),
}
_FINISHED_OTHERWISE = Status(RunStatus.INCOMPLETE, Reason.OTHER)
_ERROR = _FINISHED["error"]

_DECIDED = {
    ApprovalStatus.APPROVED: ToolCallStatus.APPROVED,
    ApprovalStatus.DENIED: ToolCallStatus.DENIED,
    ApprovalStatus.EXPIRED: ToolCallStatus.EXPIRED,
    ApprovalStatus.CANCELLED: ToolCallStatus.CANCELLED,
    ApprovalStatus.SUPERSEDED: ToolCallStatus.CANCELLED,
}
#: Outcomes that a decision brings about; the words the model is told may follow in a result.
_ANSWERED_BY_DECISION = frozenset(
    {ToolCallStatus.DENIED, ToolCallStatus.EXPIRED, ToolCallStatus.CANCELLED}
)


def accumulate(message: Message, events: Iterable[StreamEvent]) -> Message:
    """The message after the events."""
    accumulator = Accumulator(message)
    for event in events:
        accumulator.apply(event)
    return accumulator.message


class Accumulator:
    """A message that grows. :attr:`message` is what it is by now."""

    def __init__(self, message: Message) -> None:
        self._origin = message
        self._status = message.status
        self._error = message.error
        self._parts: list[Part] = list(message.parts)
        self._pieces: dict[int, list[str]] = {}
        self._state = message.metadata.state
        self._annotations = list(message.metadata.annotations)
        self._data = list(message.metadata.data)
        self._steps = list(message.metadata.steps)

    @property
    def message(self) -> Message:
        """The message by now. Costs as much as its parts and the text that came since last time."""
        for index in list(self._pieces):
            self._join(index)
        return replace(
            self._origin,
            parts=tuple(self._parts),
            status=self._status,
            error=self._error,
            metadata=replace(
                self._origin.metadata,
                state=self._state,
                annotations=tuple(self._annotations),
                data=tuple(self._data),
                steps=tuple(self._steps),
            ),
        )

    def apply(self, event: StreamEvent) -> None:
        """Take in the next event."""
        match event:
            case TextDelta():
                self._on_text_delta(event)
            case PartStart():
                self._parts.append(event.part)
            case PartFinish():
                self._on_part_finish(event)
            case ToolCallArgsFinish():
                self._on_args_finish(event)
            case ToolCallResult():
                self._on_result(event)
            case ApprovalRequest():
                self._on_approval_request(event)
            case ApprovalDecision():
                self._on_approval_decision(event)
            case StepStart():
                self._on_step_start(event)
            case StepFinish():
                self._on_step_finish(event)
            case StepReset():
                self._on_step_reset(event)
            case MessageFinish():
                self._on_message_finish(event)
            case ErrorEvent():
                self._on_error(event)
            case UpdateState():
                self._state = apply_operations(self._state, event.operations, strict=False)
            case Annotations():
                self._annotations.extend(event.annotations)
            case Data():
                self._data.extend(event.data)

    def finish(self) -> None:
        """The stream has ended: a message that still runs gets its status."""
        if self._status.type is not RunStatus.RUNNING:
            return
        unanswered = any(
            isinstance(part, ToolCallPart) and not part.has_result for part in self._parts
        )
        self._status = REQUIRES_TOOL_CALLS if unanswered else _FINISHED["unknown"]

    # Parts

    def _on_text_delta(self, event: TextDelta) -> None:
        match self._part(event.path):
            case TextPart() | ReasoningPart() | ToolCallPart(status=ToolCallStatus.STREAMING):
                self._pieces.setdefault(event.path[0], []).append(event.text_delta)

    def _on_part_finish(self, event: PartFinish) -> None:
        part = self._part(event.path)
        if event.provider_metadata is None:
            return
        if isinstance(part, TextPart | ReasoningPart | ToolCallPart):
            metadata = {**(part.provider_metadata or {}), **event.provider_metadata}
            self._parts[event.path[0]] = replace(part, provider_metadata=metadata)

    def _part(self, path: Path) -> Part | None:
        if len(path) == 1 and 0 <= path[0] < len(self._parts):
            return self._parts[path[0]]
        return None

    def _join(self, index: int) -> None:
        pieces = self._pieces.pop(index)
        match self._parts[index]:
            case TextPart(text=text) | ReasoningPart(text=text) as part:
                self._parts[index] = replace(part, text="".join([text, *pieces]))
            case ToolCallPart(args_text=text) as part:
                self._parts[index] = replace(part, args_text="".join([text, *pieces]))

    # Tool calls

    def _on_args_finish(self, event: ToolCallArgsFinish) -> None:
        call = self._call(event.path)
        if call and call.status is ToolCallStatus.STREAMING:
            self._parts[event.path[0]] = replace(call, status=ToolCallStatus.PENDING)

    def _on_result(self, event: ToolCallResult) -> None:
        call = self._call(event.path)
        status = event.status or (
            ToolCallStatus.FAILED if event.is_error else ToolCallStatus.COMPLETE
        )
        if call is None or status not in ANSWERED:
            return
        if _may_become(call, status) or _is_told_now(call, status):
            self._parts[event.path[0]] = replace(
                call,
                status=status,
                result=event.result,
                is_error=event.is_error,
                artifact=event.artifact,
                model_content=event.model_content,
            )

    def _on_approval_request(self, event: ApprovalRequest) -> None:
        call = self._call(event.path)
        if call and _may_become(call, ToolCallStatus.AWAITING_APPROVAL):
            self._parts[event.path[0]] = replace(
                call, status=ToolCallStatus.AWAITING_APPROVAL, approval=event.approval
            )

    def _on_approval_decision(self, event: ApprovalDecision) -> None:
        call = self._call(event.path)
        status = _DECIDED.get(event.approval.status)
        if call is None or status is None or call.status is not ToolCallStatus.AWAITING_APPROVAL:
            return
        self._parts[event.path[0]] = replace(call, status=status, approval=event.approval)

    def _call(self, path: Path) -> ToolCallPart | None:
        part = self._part(path)
        return part if isinstance(part, ToolCallPart) else None

    # Steps and status

    def _on_step_start(self, event: StepStart) -> None:
        self._steps.append(Step(start=len(self._parts), message_id=event.message_id))
        if self._status.type is not RunStatus.INCOMPLETE:
            self._status = RUNNING

    def _on_step_finish(self, event: StepFinish) -> None:
        if self._steps and self._steps[-1].state == "started":
            step = self._steps.pop()
        else:
            step = Step(start=len(self._parts) if self._steps else 0)
        self._steps.append(
            replace(
                step,
                state="finished",
                finish_reason=event.finish_reason,
                usage=event.usage,
                is_continued=event.is_continued,
            )
        )

    def _on_step_reset(self, event: StepReset) -> None:
        """What the roundtrip put into state, data and annotations stays; it may be in use by now."""
        start = max(event.start, 0)
        del self._parts[start:]
        self._pieces = {at: pieces for at, pieces in self._pieces.items() if at < start}
        if self._steps and self._steps[-1].state == "started":
            self._steps.pop()
        self._status = RUNNING
        self._error = None

    def _on_message_finish(self, event: MessageFinish) -> None:
        if self._status != _ERROR:
            self._status = _FINISHED.get(event.finish_reason, _FINISHED_OTHERWISE)

    def _on_error(self, event: ErrorEvent) -> None:
        self._status = _ERROR
        self._error = structured(event.error, code=event.code, severity=event.severity)


def _may_become(call: ToolCallPart, status: ToolCallStatus) -> bool:
    if status in TOOL_CALL_TRANSITIONS[call.status]:
        return True
    streaming = call.status is ToolCallStatus.STREAMING
    return streaming and status in TOOL_CALL_TRANSITIONS[ToolCallStatus.PENDING]


def _is_told_now(call: ToolCallPart, status: ToolCallStatus) -> bool:
    """The decision came as an event of its own; this result carries the words for it."""
    return call.status is status and call.result is None and status in _ANSWERED_BY_DECISION
