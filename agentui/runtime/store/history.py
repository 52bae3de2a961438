"""What the model is sent: the branch of the thread that a run answers."""

from __future__ import annotations

import uuid
from collections import defaultdict
from dataclasses import replace

from ...core import texts
from ...core.history import RequestMessage, build_history, window
from ...core.parts import Message as CoreMessage
from ...core.parts import ToolCallPart
from ...core.statuses import ToolCallStatus
from ...models import Message, ToolCall
from .claim import Claim
from .state import core_message


def load_earlier(claim: Claim, *, limit: int) -> tuple[CoreMessage, ...]:
    """The messages a run answers, at most ``limit``, oldest first.

    Three queries, however long the thread is.
    """
    rows = Message.objects.branch(claim.parent_id, limit)
    calls: dict[uuid.UUID, list[ToolCall]] = defaultdict(list)
    for call in ToolCall.objects.filter(message__in=[row.pk for row in rows]).select_related(
        "approval"
    ):
        calls[call.message_id].append(call)
    return tuple(_as_told(core_message(row, calls[row.pk]), calls[row.pk]) for row in rows)


def request_messages(
    messages: tuple[CoreMessage, ...], *, limit: int, model: str
) -> tuple[RequestMessage, ...]:
    """The messages as a provider takes them."""
    return build_history(window(messages, limit), model=model)


def _as_told(message: CoreMessage, calls: list[ToolCall]) -> CoreMessage:
    """A call that the model was told is waiting stays so in history: its outcome is an event."""
    told = {str(call.pk) for call in calls if call.was_told_waiting}
    if not told:
        return message
    return replace(
        message,
        parts=tuple(
            replace(
                part,
                status=ToolCallStatus.COMPLETE,
                result=texts.waiting(ToolCallStatus.AWAITING_APPROVAL),
                model_content=None,
                is_error=False,
            )
            if isinstance(part, ToolCallPart) and part.id in told
            else part
            for part in message.parts
        ),
    )
