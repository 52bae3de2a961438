"""A launch belongs to the transaction that made it necessary.

Most launchers start a run after the commit; one whose queue is in the same database puts its job
into the transaction itself.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable

Queue = Callable[[uuid.UUID, uuid.UUID], None]

_queue: Queue | None = None


def set_queue(queue: Queue) -> None:
    """Tell the store how runs are launched; ``launchers`` does this when it is imported."""
    global _queue
    _queue = queue


def queue_launch(run_id: uuid.UUID, thread_id: uuid.UUID) -> None:
    """Launch this run as part of the open transaction. A launch that is lost is recovered."""
    if _queue is not None:
        _queue(run_id, thread_id)
