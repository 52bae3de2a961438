"""Runs as tasks of the server's own event loop; with recovery. The default."""

from __future__ import annotations

import asyncio
import logging
import uuid

from ...conf import app_settings
from .. import background
from ..database import in_database
from ..recovery import clean_up, recover
from ..runner import Runner
from .base import Launcher

logger = logging.getLogger("agentui")

_CLEAN_UP_EVERY = 60
"""Looks of the recovery between two clean-ups."""


class InProcessLauncher(Launcher):
    """Begins runs in the process's loop. Without one (a management command) the run stays queued,
    and a process that has one finds it."""

    def __init__(self) -> None:
        self._runners: dict[asyncio.AbstractEventLoop, Runner] = {}
        background.on_start(self._started)

    def launch(self, run_id: uuid.UUID) -> None:
        background.call_soon(self._begin, run_id)

    def stop(self, run_id: uuid.UUID) -> None:
        background.call_soon(self._stop, run_id)

    @property
    def runner(self) -> Runner:
        """The runner of the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._runners:
            self._runners = {
                known: runner for known, runner in self._runners.items() if not known.is_closed()
            }
            self._runners[loop] = Runner()
        return self._runners[loop]

    def _begin(self, run_id: uuid.UUID) -> None:
        self.runner.begin(run_id)

    def _stop(self, run_id: uuid.UUID) -> None:
        self.runner.stop(run_id)

    def _started(self) -> None:
        background.spawn(self._look_for_stuck_runs(), name="agentui-recovery")

    async def _look_for_stuck_runs(self) -> None:
        looks = 0
        while True:
            try:
                await in_database(recover, self.launch)
                if looks % _CLEAN_UP_EVERY == 0:
                    await in_database(clean_up)
            except Exception:
                # The database may be away, or not migrated yet; the next look may find it.
                logger.exception("Looking for stuck runs failed")
            looks += 1
            await asyncio.sleep(app_settings.RECOVERY_INTERVAL)
