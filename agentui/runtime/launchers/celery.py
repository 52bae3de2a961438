"""Runs as tasks of Celery, whatever its broker.

A task is acknowledged late and delivered again when its worker dies, or when it runs for longer than
the broker's visibility timeout: the second delivery finds the run claimed and returns.

    AGENTUI = {"LAUNCHER": "celery"}

    celery -A mysite worker --queues agentui --pool threads --concurrency 50
"""

from __future__ import annotations

import uuid
from typing import Any

from . import job
from .out_of_process import OutOfProcessLauncher

try:
    from celery import shared_task
    from celery.signals import worker_shutting_down
except ImportError as error:
    raise ImportError(
        'The launcher "celery" needs Celery: pip install "agentui[celery]".'
    ) from error


@shared_task(  # type: ignore[untyped-decorator,unused-ignore]
    name="agentui.carry_out",
    queue="agentui",
    acks_late=True,
    reject_on_worker_lost=True,
    ignore_result=True,
    max_retries=0,
)
def carry_out(run_id: str) -> None:
    """Carry out this run, unless another worker does."""
    job.carry_out(run_id)


def _shutting_down(**kwargs: Any) -> None:
    job.shut_down()


worker_shutting_down.connect(_shutting_down, dispatch_uid="agentui")


class CeleryLauncher(OutOfProcessLauncher):
    """The queue is ``agentui``; route it elsewhere with Celery's own ``task_routes``."""

    def launch(self, run_id: uuid.UUID) -> None:
        carry_out.delay(str(run_id))
