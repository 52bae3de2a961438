"""What the model is sent: the branch of the thread that a run answers."""

from __future__ import annotations

import base64
import uuid
from collections import defaultdict
from dataclasses import replace
from typing import TypeGuard

from ...core import texts
from ...core.history import RequestMessage, build_history, window
from ...core.parts import FilePart, Part, TextPart, ToolCallPart
from ...core.parts import Message as CoreMessage
from ...core.statuses import ToolCallStatus
from ...models import Attachment, Message, ToolCall
from .claim import Claim
from .state import core_message


def load_earlier(claim: Claim, *, limit: int) -> tuple[CoreMessage, ...]:
    """The messages a run answers, at most ``limit``, oldest first.

    Three queries, however long the thread is; one more, and the storage, where files were sent.
    """
    rows = Message.objects.branch(claim.parent_id, limit)
    calls: dict[uuid.UUID, list[ToolCall]] = defaultdict(list)
    for call in ToolCall.objects.filter(message__in=[row.pk for row in rows]).select_related(
        "approval"
    ):
        calls[call.message_id].append(call)
    messages = [_as_told(core_message(row, calls[row.pk]), calls[row.pk]) for row in rows]
    return _with_files(claim, messages)


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


def _with_files(claim: Claim, messages: list[CoreMessage]) -> tuple[CoreMessage, ...]:
    """The uploads that these messages name, put in: an adapter knows no storage of ours."""
    wanted = [part.data for message in messages for part in message.parts if _is_upload(part)]
    if not wanted:
        return tuple(messages)
    found = {
        str(attachment.pk): attachment
        for attachment in Attachment.objects.filter(thread=claim.thread_id, pk__in=wanted)
    }

    def filled(part: Part) -> Part:
        if not _is_upload(part):
            return part
        attachment = found.get(part.data)
        content = attachment.read() if attachment else None
        if content is None:
            return TextPart(texts.lost_file(part.filename or part.mime_type))
        return replace(part, data=base64.b64encode(content).decode(), source_type=None)

    return tuple(
        replace(message, parts=tuple(filled(part) for part in message.parts))
        for message in messages
    )


def _is_upload(part: Part) -> TypeGuard[FilePart]:
    return isinstance(part, FilePart) and part.source_type == "attachment"
