from __future__ import annotations

from .. import background
from ..notifying import keep_notifying
from ..recovery import keep_looking
from .base import Launcher


class OutOfProcessLauncher(Launcher):
    """Hands runs to the workers of a task engine. Every process with a loop, web or worker, looks
    for stuck runs too, so a worker that is killed is missed even when it was the last one."""

    is_out_of_process = True

    def __init__(self) -> None:
        background.on_start(self._started)

    @property
    def patience(self) -> float:
        """A job may have to wait in the engine's queue for a free worker."""
        return max(60.0, super().patience)

    def _started(self) -> None:
        background.spawn(keep_looking(self), name="agentui-recovery")
        background.spawn(keep_notifying(), name="agentui-notices")
