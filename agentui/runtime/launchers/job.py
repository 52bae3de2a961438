"""Carrying a run out inside a job of a task engine.

A worker process has one event loop for all its jobs, in a thread of its own: one run at a time with a
pool of processes, as many as there are threads with a pool of threads. Whatever an engine does with
a job (deliver it late, twice, or again after an hour) is harmless: the claim on the run's row decides.
"""

from __future__ import annotations

import asyncio
import os
import threading
import uuid

from .. import background
from ..runner import runner

_lock = threading.Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}


def carry_out(run_id: str) -> None:
    """Carry out this run, in this worker; returns when it is over, waits, or is another worker's."""
    asyncio.run_coroutine_threadsafe(acarry_out(run_id), _loop()).result()


async def acarry_out(run_id: str) -> None:
    """:func:`carry_out`, for engines whose jobs are coroutines of one event loop."""
    background.start()
    await runner().carry_out(uuid.UUID(run_id))


def shut_down() -> None:
    """The worker is about to end: its runs are given back, to be taken up by another one at once."""
    loop = _loops.get(os.getpid())
    if loop is not None:
        asyncio.run_coroutine_threadsafe(background.shut_down(), loop)


def _loop() -> asyncio.AbstractEventLoop:
    """This process's loop. A worker that forks after the first job has one on each side."""
    with _lock:
        loop = _loops.get(os.getpid())
        if loop is None:
            loop = _loops[os.getpid()] = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="agentui-runs", daemon=True).start()
        return loop
