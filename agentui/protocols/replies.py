"""Waiting for a run that is still to come."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator
from typing import Any

from ..conf import app_settings
from ..exceptions import NotFound
from ..models import Message, Run
from ..runtime.database import in_database
from ..runtime.feed import Feed
from .following import with_pauses


async def reply_to(
    message_id: uuid.UUID, thread_id: uuid.UUID, user: Any
) -> AsyncGenerator[uuid.UUID | None]:
    """The run that answers a queued message, once it has begun; None as a sign of life meanwhile.

    Raises :class:`NotFound` when the message was taken back. Close it with ``aclosing``.
    """
    async with Feed(thread_id, user) as feed:
        frames = with_pauses(feed.__aiter__(), app_settings.HEARTBEAT_SECONDS)
        try:
            async for _ in frames:
                run = await in_database(_reply, message_id)
                yield run
                if run is not None:
                    return
        finally:
            await frames.aclose()


def _reply(message_id: uuid.UUID) -> uuid.UUID | None:
    run = Run.objects.filter(message__parent=message_id).order_by("-message__seq").first()
    if run is None and not Message.objects.filter(pk=message_id).exists():
        raise NotFound("The message was taken back before it was sent.")
    return run.pk if run else None
