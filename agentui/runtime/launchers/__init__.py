"""Starting a run loop somewhere. Which one: ``AGENTUI["LAUNCHER"]``."""

from __future__ import annotations

import uuid

from django.utils.module_loading import import_string

from ...conf import app_settings
from ..store.launching import set_queue
from .base import Launcher

_HERE = "agentui.runtime.launchers"
_KNOWN = {
    "in_process": f"{_HERE}.in_process.InProcessLauncher",
    "immediate": f"{_HERE}.immediate.ImmediateLauncher",
    "procrastinate": f"{_HERE}.procrastinate.ProcrastinateLauncher",
    "celery": f"{_HERE}.celery.CeleryLauncher",
    "django_tasks": f"{_HERE}.django_tasks.DjangoTasksLauncher",
}
_made: dict[str, Launcher] = {}


def get_launcher() -> Launcher:
    """The launcher of the setting, made once.

    Raises ``ImportError``, with what to install, when its engine is not there.
    """
    name = app_settings.LAUNCHER
    if name not in _made:
        _made[name] = import_string(_KNOWN.get(name, name))()
    return _made[name]


def launch(run_id: uuid.UUID) -> None:
    """Start this run's loop. Called after the commit; a launch that is lost is recovered."""
    get_launcher().launch(run_id)


def stop(run_id: uuid.UUID) -> None:
    """Tell this run's loop, if it is in this process, that it was asked to stop. The row says so anyway."""
    get_launcher().stop(run_id)


def queue(run_id: uuid.UUID, thread_id: uuid.UUID) -> None:
    """Launch this run as part of the open transaction."""
    get_launcher().queue(run_id, thread_id)


set_queue(queue)

__all__ = ["Launcher", "get_launcher", "launch", "queue", "stop"]
