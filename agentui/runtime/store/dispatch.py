"""What a thread does next when nothing runs in it."""

from __future__ import annotations

from django.utils import timezone

from ...core.statuses import Reason, Role, RunStatus
from ...models import Message, Run, Thread
from .launching import queue_launch
from .overtaking import is_held, overtake
from .replies import release_message


def dispatch_next(thread: Thread) -> Run | None:
    """Let the thread go on: a waiting run that has its answers, else the next queued message.

    The thread is locked. Does nothing while a run is active, or while a question to the person is
    open. A queue that its owner stopped rests; what the site has to tell goes on.
    """
    if Run.objects.active().filter(thread=thread).exists():
        return None
    ready = Run.objects.ready().filter(thread=thread).first()
    if ready is not None:
        queue_run(thread, ready)
        return ready
    queued = Message.objects.queued().filter(thread=thread)
    if thread.is_queue_paused:
        queued = queued.exclude(role=Role.USER)
    message = queued.first()
    if message is None or is_held(thread):
        return None
    overtake(thread)
    return release_message(thread, message)


def queue_run(thread: Thread, run: Run) -> None:
    """Let a waiting run be taken up again. The thread is locked and has no active run."""
    Run.objects.filter(pk=run.pk, status=RunStatus.REQUIRES_ACTION).update(
        status=RunStatus.QUEUED,
        reason=Reason.NONE,
        queued_at=timezone.now(),
        ready_at=None,
        version=thread.version,
    )
    queue_launch(run.pk, thread.pk)
