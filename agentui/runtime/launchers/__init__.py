"""Starting a run loop somewhere. Which one: ``AGENTUI["LAUNCHER"]``."""

from __future__ import annotations

import uuid

from django.utils.module_loading import import_string

from ...conf import app_settings
from ..store.launching import set_launch
from .base import Launcher

_KNOWN = {
    "in_process": "agentui.runtime.launchers.in_process.InProcessLauncher",
    "immediate": "agentui.runtime.launchers.immediate.ImmediateLauncher",
}
_made: dict[str, Launcher] = {}


def get_launcher() -> Launcher:
    """The launcher of the setting, made once."""
    name = app_settings.LAUNCHER
    if name not in _made:
        _made[name] = import_string(_KNOWN.get(name, name))()
    return _made[name]


def launch(run_id: uuid.UUID) -> None:
    """Start this run's loop. Called after the commit; a launch that is lost is recovered."""
    get_launcher().launch(run_id)


def stop(run_id: uuid.UUID) -> None:
    """Tell this run's loop, if it is near, that it was asked to stop. The row says so anyway."""
    get_launcher().stop(run_id)


set_launch(launch)

__all__ = ["Launcher", "get_launcher", "launch", "stop"]
