"""The runs of this process: begun, kept alive, stopped, and given back when the process ends."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
import uuid
from collections.abc import Iterable
from datetime import timedelta

from ..conf import app_settings
from ..models import Run
from . import background
from .asides import Asides
from .database import DATABASE_ERRORS, in_database
from .journal import Journal
from .per_loop import PerLoop
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
        self.journal = Journal(on_stop=self.stop, on_lost=self.abandon)
        self.asides = Asides()
        self._tasks: dict[uuid.UUID, RunTask] = {}
        self._running: dict[uuid.UUID, asyncio.Task[None]] = {}
        self._limit = asyncio.Semaphore(app_settings.MAX_CONCURRENT_RUNS)
        self._keeper: asyncio.Task[None] | None = None
        self._is_closing = False

    def begin(self, run_id: uuid.UUID) -> asyncio.Task[None] | None:
        """Carry out this run in a task; None when this process already does, or is about to end."""
        if self._is_closing:
            return None
        if known := self._tasks.get(run_id):
            # Perhaps it has just been put down, and its task only has to end.
            known.is_wanted_again = True
            return None
        self._tasks[run_id] = RunTask(run_id, self.journal)
        task = background.spawn(self._carry_out(run_id), name=f"agentui-run {run_id}")
        self._running[run_id] = task
        task.add_done_callback(lambda _: self._ended(run_id))
        return task

    async def carry_out(self, run_id: uuid.UUID) -> None:
        """Carry out this run and return when it is over or waits: for workers with a job each."""
        self.begin(run_id)
        known = self._tasks.get(run_id)
        try:
            while task := self._running.get(run_id):
                await asyncio.wait({task})
                await asyncio.sleep(0)
            if known is not None and known.thread_id is not None:
                await self.asides.of(known.thread_id)
        except asyncio.CancelledError:
            # The worker ends, and its patience with this job too.
            await self.give_back(run_id)
            raise

    def stop(self, run_id: uuid.UUID) -> None:
        """Somebody asked for this run to stop. Does nothing for a run of another process."""
        if task := self._tasks.get(run_id):
            task.stop.set()

    def abandon(self, run_id: uuid.UUID, attempt: int) -> None:
        """This attempt has ended elsewhere, or the run is deleted: there is no point in working on it here.

        A run that paused here and was taken up here again has a new attempt, which is not meant.
        """
        task = self._tasks.get(run_id)
        if task is not None and task.attempt == attempt and not task.is_abandoned:
            logger.info("Run %s is no longer ours", run_id)
            task.is_abandoned = True
            self._running[run_id].cancel()

    async def give_back(self, run_id: uuid.UUID) -> None:
        """Break this run off, so that another worker may take it up at once."""
        if task := self._tasks.get(run_id):
            task.let_go = True
            running = self._running[run_id]
            running.cancel()
            await asyncio.wait({running})

    async def close(self) -> None:
        """Take up nothing more, let what runs come to its next step, and give all runs back.

        Waits for ``SHUTDOWN_GRACE`` seconds at most; a model's stream or a tool that takes longer
        is broken off, and its run continued by whichever process claims it next.
        """
        self._is_closing = True
        self.asides.stop()
        for task in self._tasks.values():
            task.let_go = True
            if not task.attempt:
                self._running[task.run_id].cancel()
        if self._running:
            await asyncio.wait(list(self._running.values()), timeout=app_settings.SHUTDOWN_GRACE)
        for running in list(self._running.values()):
            running.cancel()
        if self._running:
            await asyncio.wait(list(self._running.values()), timeout=5)

    @property
    def run_ids(self) -> Iterable[uuid.UUID]:
        return tuple(self._tasks)

    async def _carry_out(self, run_id: uuid.UUID) -> None:
        async with self._limit:
            task = self._tasks[run_id]
            await run_loop(task, owner=self.name, on_claim=self._claimed)
        if task.thread_id is not None and not task.let_go and not task.is_abandoned:
            self.asides.run_ended(run_id, task.thread_id, task.agent)

    def _ended(self, run_id: uuid.UUID) -> None:
        task = self._tasks.pop(run_id)
        del self._running[run_id]
        if task.is_wanted_again and not self._is_closing:
            self.begin(run_id)

    def _claimed(self, task: RunTask) -> None:
        if task.thread_id is not None:
            self.asides.run_began(task.thread_id)
        if self._keeper is None or self._keeper.done():
            self._keeper = background.spawn(self._keep(), name="agentui-leases")

    async def _keep(self) -> None:
        """Look after the claimed runs: one query each look, one UPDATE each third of a lease."""
        renewed_at = time.monotonic()
        while held := {pk: task.attempt for pk, task in self._tasks.items() if task.attempt}:
            lease = app_settings.LEASE_SECONDS
            await asyncio.sleep(min(_LOOK_INTERVAL, lease / 6))
            try:
                if time.monotonic() - renewed_at > lease / 3:
                    await in_database(Run.renew, held, timedelta(seconds=lease))
                    renewed_at = time.monotonic()
                known = await in_database(_look, list(held))
            except DATABASE_ERRORS as error:
                # The database may be away for a moment; a lease outlives several looks.
                logger.warning("The leases of %d runs could not be renewed: %s", len(held), error)
                continue
            for run_id, attempt in held.items():
                now = known.get(run_id)
                if now is None or now[0] != attempt:
                    # Gone, or another worker's. One of ours that has just ended is no longer here.
                    self.abandon(run_id, attempt)
                elif now[1]:
                    self.stop(run_id)


def _look(run_ids: list[uuid.UUID]) -> dict[uuid.UUID, tuple[int, bool]]:
    """Each run's attempt, and whether it was asked to stop."""
    rows = Run.objects.filter(pk__in=run_ids).values_list("pk", "attempt", "cancel_requested_at")
    return {pk: (attempt, cancel is not None) for pk, attempt, cancel in rows}


def _make_runner() -> Runner:
    made = Runner()
    background.on_stop(made.close)
    return made


_runners = PerLoop(_make_runner)


def runner() -> Runner:
    """The runner of the running event loop."""
    return _runners.get()
