from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from ..core.statuses import ACTIVE_RUN, CANCELLED, RunStatus
from ..models import Run
from ..runtime import launchers
from ..runtime.store import changing, dispatch_next, end_run
from .lookups import get_run
from .queue import queued, rest, resume


def cancel_run(user: Any, run_id: Any, *, clear: bool = False) -> Run:
    """Stop a run. What was streamed is kept; tools that had not begun never begin.

    Messages that are queued behind it rest until the owner goes on; with ``clear`` they are taken
    back.

    A running one is told and ends by itself within a moment; a queued or waiting one ends here. A
    run that is already over stays as it is: stopping twice is no error.
    """
    run = get_run(user, run_id)
    with changing(run.thread_id) as thread:
        run = Run.objects.get(pk=run.pk)
        if clear:
            queued(thread).delete()
            resume(thread)
        if run.status in ACTIVE_RUN:
            rest(thread)
        if run.status == RunStatus.RUNNING:
            Run.objects.filter(pk=run.pk, cancel_requested_at=None).update(
                cancel_requested_at=timezone.now(), version=thread.version
            )
            transaction.on_commit(lambda: launchers.stop(run.pk))
        elif run.status in (RunStatus.QUEUED, RunStatus.REQUIRES_ACTION):
            end_run(thread, run, CANCELLED, tell=True)
            dispatch_next(thread)
        run.refresh_from_db()
    return run
