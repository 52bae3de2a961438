"""The messages of a thread that wait until it is free: their owner orders them and takes them back.

A person who stops a run stops the queue too. It rests until they send something, or say that it is to
go on. What the site has to tell (the outcome of a call) is not theirs and does not rest.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from ..core.statuses import CANCELLED, Role, RunStatus
from ..exceptions import IllegalState, NotFound
from ..models import Message, Run, Thread
from ..runtime import launchers
from ..runtime.store import changing, dispatch_next, end_run
from .lookups import get_message, get_thread

_SENT = "This message has already been sent to the agent."


def cancel_queued_message(user: Any, message_id: Any) -> None:
    """Take back a message that has not been sent to the agent yet."""
    message = get_message(user, message_id)
    with changing(message.thread_id) as thread:
        taken, _ = queued(thread).filter(pk=message.pk).delete()
        if not taken:
            raise IllegalState(_SENT)
        _rest_no_longer_than_needed(thread)


def move_queued_message(user: Any, message_id: Any, *, before: Any = None) -> list[Message]:
    """Put a queued message before another one, or last; returns the queue as it is then.

    A message that was sent to stop a run stays ahead of those that were queued.
    """
    message = get_message(user, message_id)
    other = None if before is None else get_message(user, before)
    with changing(message.thread_id) as thread:
        queue = list(queued(thread))
        ids = [waiting.pk for waiting in queue]
        if message.pk not in ids:
            raise IllegalState(_SENT)
        if other is not None and other.thread_id != thread.pk:
            raise NotFound
        if other is not None and other.pk not in ids:
            raise IllegalState(_SENT)
        if other is not None and other.pk == message.pk:
            return queue
        moved = queue.pop(ids.index(message.pk))
        at = len(queue)
        if other is not None:
            at = [waiting.pk for waiting in queue].index(other.pk)
        queue.insert(at, moved)
        first = thread.take_seq(len(queue))
        for seq, waiting in enumerate(queue, first):
            waiting.seq, waiting.version = seq, thread.version
            waiting.save(update_fields=["seq", "version"])
        return list(queued(thread))


def steer_queued_message(user: Any, message_id: Any) -> Message:
    """Send a queued message now: the active run is stopped, and the thread goes on with it."""
    message = get_message(user, message_id)
    with changing(message.thread_id) as thread:
        steered = queued(thread).filter(pk=message.pk)
        if not steered.update(lane=Message.Lane.STEER, version=thread.version):
            raise IllegalState(_SENT)
        resume(thread)
        if (active := thread.active_run()) is not None:
            stop(thread, active)
        dispatch_next(thread)
        message.refresh_from_db()
    return message


def clear_queue(user: Any, thread_id: Any) -> int:
    """Take back every message that has not been sent to the agent yet; returns how many."""
    thread = get_thread(user, thread_id)
    with changing(thread.pk) as thread:
        taken: int = queued(thread).delete()[0]
        resume(thread)
    return taken


def resume_queue(user: Any, thread_id: Any) -> Thread:
    """Let a queue that rests go on."""
    thread = get_thread(user, thread_id)
    with changing(thread.pk) as thread:
        resume(thread)
        dispatch_next(thread)
        thread.refresh_from_db()
    return thread


def stop(thread: Thread, run: Run) -> None:
    """Stop the active run so that what was sent goes next."""
    if run.status == RunStatus.QUEUED:
        end_run(thread, run, CANCELLED, tell=True)
        return
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now(), version=thread.version)
    transaction.on_commit(lambda: launchers.stop(run.pk))


def rest(thread: Thread) -> None:
    """The owner stopped a run: what they have queued waits for a word of theirs."""
    if queued(thread).exists():
        thread.is_queue_paused = True
        thread.save(update_fields=["is_queue_paused"])


def resume(thread: Thread) -> None:
    """The owner goes on."""
    if thread.is_queue_paused:
        thread.is_queue_paused = False
        thread.save(update_fields=["is_queue_paused"])


def queued(thread: Thread) -> Any:
    """The owner's messages that wait, in the order they will be sent."""
    return Message.objects.queued().filter(thread=thread, role=Role.USER, status=RunStatus.QUEUED)


def _rest_no_longer_than_needed(thread: Thread) -> None:
    if not queued(thread).exists():
        resume(thread)
