"""Runs as tasks of the server's own event loop; with recovery. The default."""

from __future__ import annotations

import uuid

from .. import background
from ..notifying import keep_notifying
from ..recovery import keep_looking
from ..runner import runner
from .base import Launcher


class InProcessLauncher(Launcher):
    """Begins runs in the process's loop. Without one (a management command) the run stays queued,
    and a process that has one finds it."""

    def __init__(self) -> None:
        background.on_start(self._started)

    @property
    def can_launch(self) -> bool:
        return background.loop() is not None

    def launch(self, run_id: uuid.UUID) -> None:
        background.call_soon(_begin, run_id)

    def stop(self, run_id: uuid.UUID) -> None:
        background.call_soon(_stop, run_id)

    def _started(self) -> None:
        background.spawn(keep_looking(self), name="agentui-recovery")
        background.spawn(keep_notifying(), name="agentui-notices")


def _begin(run_id: uuid.UUID) -> None:
    runner().begin(run_id)


def _stop(run_id: uuid.UUID) -> None:
    runner().stop(run_id)
