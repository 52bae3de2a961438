"""The durable, numbered log of what runs stream.

One writer in a process commits the events of all its runs together (group commit), so the cost of
durability does not grow with the number of runs. The same commit looks after the runs: one that
another worker has taken over is fenced, one that somebody asked to stop is told.

While the database is away the writer tries again, and the runs are made to wait: what is not
committed is bounded, and nothing is lost for as long as a lease lasts.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from ..conf import app_settings
from ..core.statuses import RunStatus
from ..exceptions import Fenced
from ..models import Run, RunEvent
from . import background
from .database import DATABASE_ERRORS, in_database

logger = logging.getLogger("agentui")

Events = list[dict[str, Any]]

_MAX_EVENTS = 2_000
_MAX_CHARS = 4_000_000
"""What waits for a commit before its runs are made to wait too: memory stays bounded."""
_LONGEST_PAUSE = 2.0


@dataclass(slots=True)
class _Entry:
    run_id: uuid.UUID
    attempt: int
    first: int
    events: Events
    done: asyncio.Future[None]


@dataclass(slots=True)
class Journal:
    """The writer of one event loop. ``on_stop`` is called with a run that was asked to stop,
    ``on_lost`` with one, and the attempt, that is another worker's by now, or gone."""

    on_stop: Callable[[uuid.UUID], None] = lambda run_id: None
    on_lost: Callable[[uuid.UUID, int], None] = lambda run_id, attempt: None
    _pending: list[_Entry] = field(default_factory=list)
    _events: int = 0
    _chars: int = 0
    _task: asyncio.Task[None] | None = None
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def append(self, run_id: uuid.UUID, attempt: int, first: int, events: Events) -> _Entry:
        """Hand over events numbered from ``first``; await the entry's ``done`` for the commit.

        ``done`` raises :class:`Fenced` when another worker holds the run by then.
        """
        entry = _Entry(run_id, attempt, first, events, asyncio.get_running_loop().create_future())
        # Nobody may be waiting for this one; a failure then is seen at the run's next boundary.
        entry.done.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._pending.append(entry)
        self._events += len(events)
        self._chars += sum(len(event.get("text_delta", "")) for event in events)
        if self._task is None or self._task.done():
            self._task = background.spawn(self._write(), name="agentui-journal")
        return entry

    @property
    def is_full(self) -> bool:
        return self._events >= _MAX_EVENTS or self._chars >= _MAX_CHARS

    def hurry(self) -> None:
        """Commit now: somebody waits at a boundary."""
        self._wake.set()

    async def _write(self) -> None:
        while self._pending:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), app_settings.JOURNAL_INTERVAL)
            self._wake.clear()
            entries, self._pending = self._pending, []
            self._events = self._chars = 0
            try:
                await self._commit(entries)
            except Exception as error:
                # Whatever the database raised: every run that waits for this commit hears of it.
                logger.exception("The journal could not be written")
                for entry in entries:
                    if not entry.done.done():
                        entry.done.set_exception(error)

    async def _commit(self, entries: list[_Entry]) -> None:
        held, stopped = await self._stored(entries)
        lost = set()
        for entry in entries:
            if entry.done.done():
                continue
            if held.get(entry.run_id) == entry.attempt:
                entry.done.set_result(None)
            else:
                entry.done.set_exception(Fenced())
                lost.add((entry.run_id, entry.attempt))
        for run_id, attempt in lost:
            self.on_lost(run_id, attempt)
        for run_id in stopped:
            self.on_stop(run_id)

    async def _stored(self, entries: list[_Entry]) -> tuple[dict[uuid.UUID, int], list[uuid.UUID]]:
        """Insert, again and again for as long as a lease lasts. Inserting twice changes nothing."""
        until = time.monotonic() + app_settings.LEASE_SECONDS
        pause = 0.1
        while True:
            try:
                return await in_database(_insert, entries)
            except DATABASE_ERRORS as error:
                if time.monotonic() > until:
                    raise
                logger.warning("The journal waits for the database: %s", error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)


def _insert(entries: list[_Entry]) -> tuple[dict[uuid.UUID, int], list[uuid.UUID]]:
    batches: dict[tuple[uuid.UUID, int], RunEvent] = {}
    with transaction.atomic():
        runs = list(
            Run.objects.filter(
                pk__in={entry.run_id for entry in entries}, status=RunStatus.RUNNING
            ).values_list("pk", "attempt", "cancel_requested_at")
        )
        held = {pk: attempt for pk, attempt, _ in runs}
        for entry in entries:
            if held.get(entry.run_id) != entry.attempt:
                continue
            key = (entry.run_id, entry.attempt)
            if key in batches:
                batches[key].events = [*batches[key].events, *entry.events]
                batches[key].last += len(entry.events)
            else:
                batches[key] = RunEvent(
                    run_id=entry.run_id,
                    first=entry.first,
                    last=entry.first + len(entry.events) - 1,
                    events=list(entry.events),
                )
        RunEvent.objects.bulk_create(batches.values(), ignore_conflicts=True)
    return held, [pk for pk, _, cancel in runs if cancel is not None]
