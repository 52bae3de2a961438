"""The runs of this process: begun, kept alive, stopped."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import uuid
from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from ..conf import app_settings
from ..models import Run
from . import background
from .database import in_database
from .journal import Journal
from .run_loop import RunTask, run_loop

logger = logging.getLogger("agentui")

_LOOK_INTERVAL = 0.5
"""Seconds between two looks at whether somebody asked a run of this process to stop."""


def worker_name() -> str:
    """What a lease says about its worker: enough for staff to find the process."""
    return f"{socket.gethostname()[:60]}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


class Runner:
    """Carries out runs in the loop it was made in, at most ``MAX_CONCURRENT_RUNS`` at once."""

    def __init__(self) -> None:
        self.name = worker_name()
        self.journal = Journal(on_stop=self.stop)
        self._tasks: dict[uuid.UUID, RunTask] = {}
        self._limit = asyncio.Semaphore(app_settings.MAX_CONCURRENT_RUNS)
        self._keeper: asyncio.Task[None] | None = None

    def begin(self, run_id: uuid.UUID) -> asyncio.Task[None] | None:
        """Carry out this run in a task; None when this process already does."""
        if run_id in self._tasks:
            return None
        self._tasks[run_id] = RunTask(run_id, self.journal)
        return background.spawn(self._carry_out(run_id), name=f"agentui-run {run_id}")

    async def carry_out(self, run_id: uuid.UUID) -> None:
        """Carry out this run and return when it is over or waits: for workers with a job each."""
        task = self.begin(run_id)
        if task is not None:
            await task

    def stop(self, run_id: uuid.UUID) -> None:
        """Somebody asked for this run to stop. Does nothing for a run of another process."""
        if task := self._tasks.get(run_id):
            task.stop.set()

    @property
    def run_ids(self) -> Iterable[uuid.UUID]:
        return tuple(self._tasks)

    async def _carry_out(self, run_id: uuid.UUID) -> None:
        task = self._tasks[run_id]
        try:
            async with self._limit:
                await run_loop(task, owner=self.name, on_claim=self._keep_alive)
        finally:
            del self._tasks[run_id]

    def _keep_alive(self, task: RunTask) -> None:
        if self._keeper is None or self._keeper.done():
            self._keeper = background.spawn(self._keep(), name="agentui-leases")

    async def _keep(self) -> None:
        """Look after the claimed runs: one query each look, one UPDATE each third of a lease."""
        renewed_at = timezone.now()
        while held := {pk: task.attempt for pk, task in self._tasks.items() if task.attempt}:
            await asyncio.sleep(_LOOK_INTERVAL)
            lease = timedelta(seconds=app_settings.LEASE_SECONDS)
            try:
                if timezone.now() - renewed_at > lease / 3:
                    await in_database(Run.renew, held, lease)
                    renewed_at = timezone.now()
                for run_id in await in_database(_asked_to_stop, list(held)):
                    self.stop(run_id)
            except Exception:
                # The database may be away for a moment; a lease outlives several looks.
                logger.exception("The leases of %d runs could not be looked after", len(held))


def _asked_to_stop(run_ids: list[uuid.UUID]) -> list[uuid.UUID]:
    runs = Run.objects.filter(pk__in=run_ids, cancel_requested_at__isnull=False)
    return list(runs.values_list("pk", flat=True))
