"""Running an interrupted call once more, because a person found out that it had not been done."""

from __future__ import annotations

from typing import Any

from ...core.statuses import Reason, RunStatus, ToolCallStatus, ToolKind
from ...models import Message, Run, Thread, ToolCall

#: The data part of an event that asks for it; ``data`` names the call.
RUN_AGAIN = "run_again"


def run_again_part(call: ToolCall) -> dict[str, Any]:
    return {"type": "data", "name": RUN_AGAIN, "data": {"tool_call": str(call.pk)}}


def repeat_call(thread: Thread, run: Run, event: Message) -> None:
    """Let the reply to this event begin with the call, where the event asks for that.

    The call stands in the new message as if the model had just made it, and its run begins by
    running it. The thread is locked.
    """
    wanted = [
        part["data"].get("tool_call")
        for part in event.parts
        if part.get("type") == "data" and part.get("name") == RUN_AGAIN
    ]
    call = ToolCall.objects.filter(pk__in=wanted, thread=thread, kind=ToolKind.SERVER).first()
    if call is None:
        return
    again = ToolCall.objects.create(
        thread=thread,
        message_id=run.message_id,
        run=run,
        position=0,
        tool_call_id="",
        tool_name=call.tool_name,
        tool_digest=call.tool_digest,
        kind=call.kind,
        args_text=call.effective_args_text,
        args=call.args,
        args_digest=call.args_digest,
        status=ToolCallStatus.PENDING,
        while_waiting=call.while_waiting,
        is_idempotent=call.is_idempotent,
        repeats_id=call.repeats_id or call.pk,
        version=thread.version,
    )
    ToolCall.objects.filter(pk=again.pk).update(tool_call_id=f"again_{again.pk.hex}")
    Message.objects.filter(pk=run.message_id).update(
        parts=[{"type": "tool_call", "id": str(again.pk)}],
        status=RunStatus.REQUIRES_ACTION,
        reason=Reason.TOOL_CALLS,
        version=thread.version,
    )
