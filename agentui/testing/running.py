from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from ..models import Run
from ..runtime import background
from ..runtime.database import in_database, threads
from ..runtime.launchers import get_launcher
from ..runtime.tool_threads import tool_threads


@asynccontextmanager
async def runtime() -> AsyncIterator[None]:
    """Within the block this event loop carries out runs, as a server's does.

    For async tests whose database is committed for real (``django_db(transaction=True)``). At the
    end everything is stopped and every database connection of the runtime is closed.
    """
    get_launcher()
    background.start()
    try:
        yield
    finally:
        await background.stop()
        await asyncio.to_thread(threads.close)
        await asyncio.to_thread(tool_threads.join, 5)


async def settled(run: Run | Any, *, seconds: float = 30) -> Run:
    """The run, once it is over or waits for somebody. Raises ``TimeoutError`` after ``seconds``."""
    run_id = run.pk if isinstance(run, Run) else run
    async with asyncio.timeout(seconds):
        while True:
            found = await in_database(Run.objects.select_related("message").get, pk=run_id)
            if found.status not in ("queued", "running"):
                return found
            await asyncio.sleep(0.02)
