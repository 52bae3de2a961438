from __future__ import annotations

from ...conf import app_settings
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
        return app_settings.JOB_PATIENCE

    def _started(self) -> None:
        background.spawn(keep_looking(self), name="agentui-recovery")
        background.spawn(keep_notifying(), name="agentui-notices")
