"""Finding the runs that nobody moves any more, and moving them on.

Waiting runs hold nothing and are left alone. Every step is a conditional UPDATE, so any number of
processes may do this at the same time.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.utils import timezone

from ..conf import app_settings
from ..core.statuses import RunStatus
from ..exceptions import NotFound
from ..models import Approval, ClientCommand, Message, Run, RunEvent, Thread, ToolCall
from .store import changing, dispatch_next, expire_approval, requeue_lost, wake_run

logger = logging.getLogger("agentui")

_COMMANDS_ARE_KEPT = timedelta(days=1)


def recover(launch: Callable[[uuid.UUID], None]) -> int:
    """Move on every run that is stuck; returns how many were found.

    - running with an expired lease: queued again, for a new attempt;
    - waiting, though all it waited for has come: woken;
    - waiting for an approval whose time is over: told so;
    - queued for longer than a launch takes: launched again;
    - a queued message in a thread where nothing runs: sent.
    """
    now = timezone.now()
    found = 0
    for run in Run.objects.lost(now):
        found += _requeue(run)
    for approval_id in list(Approval.objects.overdue(now).values_list("pk", flat=True)):
        found += expire_approval(approval_id)
    for run in Run.objects.waiting().filter(_nothing_open()).select_related("thread"):
        found += _wake(run)
    for thread_id in _stuck_threads():
        found += _dispatch(thread_id)
    patience = timedelta(seconds=app_settings.RECOVERY_INTERVAL)
    for run_id in Run.objects.unlaunched(now - patience).values_list("pk", flat=True):
        launch(run_id)
        found += 1
    return found


def clean_up() -> None:
    """Delete what is no longer needed: events of finished runs, answers to old commands."""
    now = timezone.now()
    over = now - timedelta(seconds=app_settings.JOURNAL_RETENTION)
    RunEvent.objects.filter(run__finished_at__lt=over).delete()
    ClientCommand.objects.filter(created_at__lt=now - _COMMANDS_ARE_KEPT).delete()


def _requeue(run: Run) -> int:
    try:
        requeued = requeue_lost(run)
    except NotFound:
        return 0
    if requeued:
        logger.warning("Run %s lost its worker %s and is taken up again", run.pk, run.lease_owner)
    return int(requeued)


def _nothing_open() -> Exists:
    return ~Exists(
        ToolCall.objects.filter(run=OuterRef("pk")).open().exclude(status__in=("approved",))
    )


def _wake(run: Run) -> int:
    if run.ready_at is not None and Run.objects.active().filter(thread=run.thread_id).exists():
        return 0
    try:
        with changing(run.thread_id) as thread:
            return int(wake_run(thread, run))
    except NotFound:
        return 0


def _stuck_threads() -> list[uuid.UUID]:
    idle = Thread.objects.filter(
        Exists(
            Message.objects.filter(
                thread=OuterRef("pk"), status=RunStatus.QUEUED, role__in=("user", "event")
            )
        )
    ).exclude(Exists(Run.objects.active().filter(thread=OuterRef("pk"))))
    return list(idle.values_list("pk", flat=True)[:100])


def _dispatch(thread_id: uuid.UUID) -> int:
    try:
        with changing(thread_id) as thread:
            return int(dispatch_next(thread) is not None)
    except NotFound:
        return 0
