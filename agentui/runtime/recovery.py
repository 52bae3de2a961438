"""Finding the runs that nobody moves any more, and moving them on.

Waiting runs hold nothing and are left alone. Every step is a conditional UPDATE, so any number of
processes may do this at the same time; a row that cannot be moved does not keep the others waiting.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from ..conf import app_settings
from ..core.statuses import Role, RunStatus, ToolCallStatus, ToolKind
from ..exceptions import NotFound
from ..models import Approval, Attachment, ClientCommand, Message, Run, RunEvent, Thread, ToolCall
from .database import DATABASE_ERRORS, in_database
from .launchers.base import Launcher
from .store import changing, dispatch_next, expire_approval, requeue_lost, wake_run
from .store.overtaking import held_threads

logger = logging.getLogger("agentui")

Launch = Callable[[uuid.UUID], None]

_COMMANDS_ARE_KEPT = timedelta(days=1)
_AT_ONCE = 200
"""Rows of one kind that one look moves on."""
_CLEAN_UP_EVERY = 60
"""Looks between two clean-ups."""


def recover(launch: Launch | None, *, patience: float | None = None) -> int:
    """Move on every run that is stuck; returns how many were found.

    Without ``launch`` what is ready to run is left to a process that can launch it.

    - running with an expired lease: queued again, for a new attempt;
    - waiting, though all it waited for has come: woken;
    - waiting for an approval whose time is over: told so;
    - queued for longer than a launch takes (``patience``, in seconds): launched again;
    - a queued message in a thread where nothing runs: sent.
    """
    now = timezone.now()
    found = _each(requeue_lost, Run.objects.lost(now)[:_AT_ONCE])
    overdue = Approval.objects.overdue(now).values_list("pk", flat=True)
    found += _each(expire_approval, overdue[:_AT_ONCE])
    found += _each(_wake, Run.objects.waiting().filter(_may_go_on())[:_AT_ONCE])
    found += _each(_dispatch, _stuck_threads()[:_AT_ONCE])
    return found if launch is None else found + relaunch(launch, patience=patience)


def relaunch(launch: Launch, *, patience: float | None = None) -> int:
    """Launch again the runs that are queued for longer than a launch takes."""
    seconds = app_settings.RECOVERY_INTERVAL if patience is None else patience
    before = timezone.now() - timedelta(seconds=seconds)

    def again(run: Run) -> bool:
        # The time is the claim: of many processes that look, one launches it.
        taken = Run.objects.filter(pk=run.pk, status=RunStatus.QUEUED, queued_at=run.queued_at)
        if not taken.update(queued_at=timezone.now()):
            return False
        launch(run.pk)
        return True

    return _each(again, Run.objects.unlaunched(before)[:_AT_ONCE])


def clean_up() -> None:
    """Delete what is no longer needed: events of finished runs, answers to old commands, uploads
    that were never sent."""
    now = timezone.now()
    over = now - timedelta(seconds=app_settings.JOURNAL_RETENTION)
    RunEvent.objects.filter(run__finished_at__lt=over).delete()
    ClientCommand.objects.filter(created_at__lt=now - _COMMANDS_ARE_KEPT).delete()
    forgotten = now - timedelta(seconds=app_settings.UNSENT_ATTACHMENT_SECONDS)
    Attachment.objects.unsent().filter(created_at__lt=forgotten).delete()


async def keep_looking(launcher: Launcher, *, launch: Launch | None = None) -> None:
    """Recover, again and again, until cancelled. What was given back by a process that ended is
    looked for more often: it is only waiting for somebody to take it up."""
    launch = launch or launcher.launch
    looks = 0
    while True:
        try:
            await in_database(recover, launch, patience=launcher.patience)
            await in_database(launcher.recover_jobs)
            if looks % _CLEAN_UP_EVERY == 0:
                await in_database(clean_up)
        except DATABASE_ERRORS as error:
            # The database may be away, or not migrated yet; the next look may find it.
            logger.warning("Looking for stuck runs failed: %s", error)
        looks += 1
        rest = app_settings.RECOVERY_INTERVAL
        while rest > 0:
            await asyncio.sleep(min(rest, 1.0))
            rest -= 1.0
            if rest > 0:
                try:
                    await in_database(relaunch, launch, patience=launcher.patience)
                except DATABASE_ERRORS:
                    break


def _each(move: Callable[..., bool], rows: Iterable[object]) -> int:
    """How many of these were moved on. One that fails is logged, and looked at again next time."""
    moved = 0
    for row in list(rows):
        try:
            moved += bool(move(row))
        except NotFound:
            pass  # Deleted meanwhile.
        except DATABASE_ERRORS:
            raise
        except Exception:
            logger.exception("%r could not be moved on", row)
    return moved


def _may_go_on() -> Any:
    """Nothing is open in it, or a server call in it may run; and its thread is free for it."""
    calls = ToolCall.objects.filter(run=OuterRef("pk"))
    runnable = calls.filter(
        kind=ToolKind.SERVER, status__in=(ToolCallStatus.APPROVED, ToolCallStatus.PENDING)
    )
    busy = Run.objects.active().filter(thread=OuterRef("thread"))
    return (Exists(runnable) | ~Exists(calls.open())) & ~Exists(busy)


def _wake(run: Run) -> bool:
    with changing(run.thread_id) as thread:
        return wake_run(thread, run)


def _stuck_threads() -> QuerySet[Thread, uuid.UUID]:
    """Threads with a message that is to be sent, where nothing runs and nothing holds it back."""
    queued = Message.objects.filter(
        thread=OuterRef("pk"), status=RunStatus.QUEUED, role__in=(Role.USER, Role.EVENT)
    )
    idle = Thread.objects.filter(
        Q(Exists(queued.filter(role=Role.EVENT))) | Q(Exists(queued), is_queue_paused=False)
    ).exclude(Exists(Run.objects.active().filter(thread=OuterRef("pk"))))
    return idle.exclude(held_threads()).values_list("pk", flat=True)


def _dispatch(thread_id: uuid.UUID) -> bool:
    with changing(thread_id) as thread:
        return dispatch_next(thread) is not None
