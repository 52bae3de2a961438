"""Reading a thread for a snapshot. Sync."""

from __future__ import annotations

import uuid
from typing import Any

from ...exceptions import NotFound
from ...models import Message
from ...permissions import threads_for
from ...runtime.feed_reads import rows_of
from ...runtime.rows import Row

LONGEST = 1000
"""Messages of ours in a snapshot; a client that shows more keeps only these."""


def branch_rows(thread_id: uuid.UUID, user: Any, until: str | None = None) -> Row:
    """The branch shown with all that hangs on it, and the messages that wait behind it.

    With ``until`` only up to that message, and nothing that waits.
    """
    thread = threads_for(user).filter(pk=thread_id).first()
    if thread is None:
        raise NotFound
    messages = Message.objects.branch(thread.head_id, LONGEST)
    if until is not None:
        ids = [str(message.pk) for message in messages]
        messages = messages[: ids.index(until) + 1] if until in ids else messages
    else:
        messages += list(Message.objects.queued().filter(thread=thread))
    return rows_of(messages, user)
