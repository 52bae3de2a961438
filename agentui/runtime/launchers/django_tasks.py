"""Runs as tasks of Django's own framework: ``django.tasks``, or ``django-tasks`` before Django 6.

Which backend carries them out is the site's ``TASKS`` setting. A backend that runs a task at once,
inside ``enqueue``, is not for this: a run would be carried out inside a request.

    AGENTUI = {"LAUNCHER": "django_tasks"}
    TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

    manage.py db_worker
"""

from __future__ import annotations

import uuid

from . import job
from .out_of_process import OutOfProcessLauncher

try:
    from django.tasks import task
except ImportError:
    try:
        from django_tasks import task  # type: ignore[no-redef,unused-ignore]
    except ImportError as error:
        raise ImportError(
            'The launcher "django_tasks" needs Django 6, or: pip install "agentui[tasks]".'
        ) from error


@task()
def carry_out(run_id: str) -> None:
    """Carry out this run, unless another worker does."""
    job.carry_out(run_id)


class DjangoTasksLauncher(OutOfProcessLauncher):
    """A lost or doubled task is harmless: the claim on the run's row decides."""

    def launch(self, run_id: uuid.UUID) -> None:
        carry_out.enqueue(str(run_id))
