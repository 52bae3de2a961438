"""Runs as jobs of Procrastinate: PostgreSQL is the queue, so there is no broker to lose.

The job is inserted in the transaction that queues the run: there is one exactly when there is the
other. Jobs of one thread share a lock. A worker carries many runs out at once (``--concurrency``).

    INSTALLED_APPS = [..., "procrastinate.contrib.django", "agentui"]
    AGENTUI = {"LAUNCHER": "procrastinate"}

    manage.py procrastinate worker --queues agentui --concurrency 50
"""

from __future__ import annotations

import uuid
from typing import Any

from asgiref.sync import async_to_sync

from ...conf import app_settings
from ...models import Run
from .job import acarry_out
from .out_of_process import OutOfProcessLauncher

try:
    from procrastinate.contrib.django.django_connector import DjangoConnector
    from procrastinate.contrib.django.procrastinate_app import app
    from procrastinate.manager import JobManager
    from procrastinate.tasks import configure_task
except ImportError as error:
    raise ImportError(
        'The launcher "procrastinate" needs Procrastinate: pip install "agentui[procrastinate]", '
        'and "procrastinate.contrib.django" in INSTALLED_APPS.'
    ) from error

_TASK = "agentui.carry_out"
_QUEUE = "agentui"


class ProcrastinateLauncher(OutOfProcessLauncher):
    """``stop`` is left to the look that every worker takes at its runs twice a second."""

    def __init__(self) -> None:
        super().__init__()
        # The site's own connection, in a worker too: a job belongs to the transaction it is made in.
        self._jobs = JobManager(DjangoConnector())

    def prepare(self) -> None:
        if _TASK not in app.tasks:
            app.task(name=_TASK, queue=_QUEUE)(acarry_out)

    def queue(self, run_id: uuid.UUID, thread_id: uuid.UUID) -> None:
        job = configure_task(
            name=_TASK, job_manager=self._jobs, queue=_QUEUE, lock=f"{_QUEUE}:{thread_id}"
        )
        job.defer(run_id=str(run_id))

    def launch(self, run_id: uuid.UUID) -> None:
        thread_id = Run.objects.filter(pk=run_id).values_list("thread_id", flat=True).first()
        if thread_id is not None:
            self.queue(run_id, thread_id)

    def recover_jobs(self) -> None:
        """Jobs whose worker is gone still hold their thread's lock: Procrastinate finds them."""
        async_to_sync(self._retry_stalled)()

    async def _retry_stalled(self) -> None:
        stalled: Any = await self._jobs.get_stalled_jobs(
            queue=_QUEUE, task_name=_TASK, seconds_since_heartbeat=app_settings.LEASE_SECONDS
        )
        for job in stalled:
            await self._jobs.retry_job(job)
