"""How a message ends: after a roundtrip, after a stop, after a worker died.

The rules:

- A finish reason is a label; the calls decide. "stop" with a call that is not answered requires an
  action; "tool_calls" without any call does not.
- The end of a stream that finished well is the end of every argument text. Whether the text is
  valid is found out when the call is about to run, and told to the model.
- A roundtrip that was cut (length, content filter, error, stop) runs none of its calls, however
  whole one looks: each becomes cancelled, with the true reason.
- A call that had begun is never "cancelled": it is interrupted, and says that effects are possible.

So no message is left with a call that nobody will answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from . import texts
from .errors import structured
from .parts import ApprovalState, Message, Part, ToolCallPart
from .statuses import (
    ACTIVE_RUN,
    COMPLETE,
    REQUIRES_TOOL_CALLS,
    ApprovalStatus,
    Reason,
    RunStatus,
    Status,
    ToolCallStatus,
    check_transition,
)

_NO_WORDS = structured("The model ended its answer with an error.", code="model_error")


def settle_roundtrip(message: Message) -> Message:
    """The message once a roundtrip's stream is over. A message that is settled stays as it is."""
    if message.status.type is RunStatus.INCOMPLETE:
        return _cut(message, message.status.reason)
    message = _with_calls(message, _arguments_are_whole)
    if any(not call.has_result for call in message.tool_calls):
        return replace(message, status=REQUIRES_TOOL_CALLS)
    if message.status.type in ACTIVE_RUN:
        return replace(message, status=Status(RunStatus.COMPLETE, Reason.UNKNOWN))
    if message.status == REQUIRES_TOOL_CALLS and not _last_step_has_calls(message):
        return replace(message, status=COMPLETE)
    return message  # Calls that the provider answered itself: it may be asked to go on.


def settle_cut(message: Message, reason: Reason, text: str | None = None) -> Message:
    """The message when its run ends early. ``text`` replaces what its unrun calls are told."""
    if message.status.is_finished:
        return _cut(message, message.status.reason, text)
    message = replace(message, status=Status(RunStatus.INCOMPLETE, reason))
    return _cut(message, reason, text)


def close_call(call: ToolCallPart, text: str) -> ToolCallPart:
    """The call when nothing will run it: cancelled with ``text``, or interrupted if it had begun."""
    if call.has_result:
        return call
    if call.status is ToolCallStatus.EXECUTING:
        return interrupt_call(call)
    approval = call.approval and _withdrawn(call.approval)
    return replace(
        _moved(call, ToolCallStatus.CANCELLED), result=text, is_error=True, approval=approval
    )


def interrupt_call(call: ToolCallPart) -> ToolCallPart:
    """The call when the worker that ran it died. Raises ``IllegalTransition`` if none did."""
    moved = _moved(call, ToolCallStatus.INTERRUPTED)
    return replace(moved, result=texts.INTERRUPTED, is_error=True)


def _cut(message: Message, reason: Reason, text: str | None = None) -> Message:
    told = text or texts.not_run(reason)
    message = _with_calls(message, lambda call: close_call(call, told))
    if reason is Reason.ERROR and message.error is None:
        return replace(message, error=_NO_WORDS)
    return message


def _arguments_are_whole(call: ToolCallPart) -> ToolCallPart:
    if call.status is ToolCallStatus.STREAMING:
        return _moved(call, ToolCallStatus.PENDING)
    return call


def _last_step_has_calls(message: Message) -> bool:
    steps = message.metadata.steps
    start = steps[-1].start if steps else 0
    return any(isinstance(part, ToolCallPart) for part in message.parts[start:])


def _withdrawn(approval: ApprovalState) -> ApprovalState:
    if approval.status is not ApprovalStatus.PENDING:
        return approval
    return replace(approval, status=ApprovalStatus.CANCELLED)


def _moved(call: ToolCallPart, status: ToolCallStatus) -> ToolCallPart:
    check_transition(call.status, status)
    return replace(call, status=status)


def _with_calls(message: Message, change: Callable[[ToolCallPart], ToolCallPart]) -> Message:
    def changed(part: Part) -> Part:
        return change(part) if isinstance(part, ToolCallPart) else part

    return replace(message, parts=tuple(changed(part) for part in message.parts))
