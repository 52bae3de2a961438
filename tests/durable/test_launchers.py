"""A web process and two workers, with each task engine, on PostgreSQL and Redis.

A run is started by the web process, carried out by a worker, resumed by another one; and one worker is
killed in the middle of a run.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from agentui import actions
from agentui.models import Approval, Run, ToolCall
from agentui.runtime.launchers import get_launcher
from agentui.testing import approve
from agentui.testing.sockets import sign_in
from tests.models import Effect

from . import celery_app  # noqa: F401  this process sends jobs too
from .processes import process, wait_for
from .promises import check_all
from .web import Web, free_port

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.slow,
]

FAST = {"LEASE_SECONDS": 4, "RECOVERY_INTERVAL": 0.3, "JOB_PATIENCE": 1.0}

_MANAGE = "-m tests.durable.manage"
WORKERS = {
    "procrastinate": f"{_MANAGE} procrastinate worker -q agentui --concurrency 10",
    "celery": "-m celery -A tests.durable.celery_worker worker -Q agentui --pool threads "
    "--concurrency 10 --without-mingle --without-gossip",
    "django_tasks": f"{_MANAGE} db_worker --interval 0.1 --no-startup-delay",
}


class Stand:
    """The processes of one site: a web process and workers, which can be killed."""

    def __init__(self, engine: str, folder: Path, stack: ExitStack) -> None:
        self.engine = engine
        self.folder = folder
        self._stack = stack
        self._settings = {**FAST, "LAUNCHER": engine}
        port = free_port()
        self._start(
            ["-m", "daphne", "-b", "127.0.0.1", "-p", str(port), "tests.durable.asgi:application"],
            "web",
        )
        self.web = Web(port)

    def worker(self) -> Any:
        arguments = WORKERS[self.engine].split()
        if self.engine == "celery":
            arguments += ["-n", f"w{time.monotonic_ns()}@here"]
        return self._start(arguments, "worker")

    def _start(self, arguments: list[str], name: str) -> Any:
        log = self.folder / f"{name}.log"
        return self._stack.enter_context(process(arguments, log, **self._settings))

    def logs(self) -> str:
        return "\n".join(
            f"== {path.name}\n{path.read_text(errors='replace')[-3000:]}"
            for path in sorted(self.folder.glob("*.log"))
        )


@pytest.fixture(params=list(WORKERS))
def stand(request, settings, tmp_path) -> Iterator[Stand]:
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE procrastinate_jobs, procrastinate_workers CASCADE")
    settings.AGENTUI = {**settings.AGENTUI, **FAST, "LAUNCHER": request.param}
    get_launcher().prepare()
    connection.close()
    with ExitStack() as stack:
        yield Stand(request.param, tmp_path, stack)


def test_started_in_one_process_resumed_in_another_and_one_is_killed(stand, user, staff):
    stand.web.key = sign_in(user)
    stand.web.wait(stand.logs)
    first = stand.worker()
    answer = stand.web.post("threads/", {"agent": "stayer"})
    thread = answer["id"]
    parts = [{"type": "text", "text": "question"}]
    stand.web.post(f"threads/{thread}/messages/", {"parts": parts})
    wait_for(lambda: Run.objects.exists(), note=stand.logs)
    wait_for(lambda: ToolCall.objects.filter(tool_name="mail").exists(), note=stand.logs)
    run = wait_for(
        lambda: Run.objects.filter(status="requires_action").first(), seconds=40, note=stand.logs
    )
    assert run.attempt >= 1

    # The second worker takes over what the first one began.
    second = stand.worker()
    first.terminate()
    first.wait(30)
    for approval in Approval.objects.pending():
        who = user if approval.tool_name == "mail_if_asked" else staff
        # The decision is made in this process, the admin's: a third one.
        approve(approval, who)
    wait_for(lambda: Run.objects.get(pk=run.pk).status == "complete", seconds=40, note=stand.logs)

    # Several runs at work, and the worker is killed; the next one finishes them.
    before = Run.objects.count()
    for number in range(3):
        actions.send_message(
            user,
            agent="stayer",
            parts=[{"type": "text", "text": f"question {number}"}],
        )
    wait_for(
        lambda: (
            ToolCall.objects.filter(run__in=Run.objects.active(), status="executing").exists()
            or Run.objects.filter(status="running", roundtrips__gt=0).exists()
        ),
        seconds=40,
        note=stand.logs,
    )
    second.kill()
    second.wait(10)
    stand.worker()

    def is_quiet() -> bool:
        for approval in Approval.objects.pending():
            approve(approval, user if approval.tool_name == "mail_if_asked" else staff)
        return not Run.objects.exclude(status__in=("complete", "incomplete")).exists()

    wait_for(is_quiet, seconds=90, note=stand.logs)
    assert Run.objects.count() == before + 3
    check_all()
    assert Effect.objects.exists()


def test_a_job_that_is_delivered_twice_changes_nothing(stand, user, staff):
    """Fault 57: the broker delivers a long run again, to a second worker."""
    stand.worker()
    stand.worker()
    sent = actions.send_message(user, agent="stayer", parts=[{"type": "text", "text": "question"}])
    for _ in range(5):
        get_launcher().launch(sent.run.pk)
        time.sleep(0.2)
    run = wait_for(
        lambda: Run.objects.filter(status="requires_action").first(), seconds=40, note=stand.logs
    )
    assert (run.attempt, run.losses) == (1, 0)
    assert ToolCall.objects.filter(tool_name="mail", status="complete").count() == 1
    assert Effect.objects.count() == 3


def test_a_stop_reaches_the_worker_within_a_second(stand, user):
    stand.worker()
    sent = actions.send_message(user, agent="stayer", parts=[{"type": "text", "text": "long"}])
    wait_for(lambda: sent.run.journal.filter(last__gt=5).exists(), seconds=40, note=stand.logs)
    begun = time.monotonic()
    actions.cancel_run(user, sent.run.pk)
    wait_for(lambda: Run.objects.get(pk=sent.run.pk).status == "incomplete", note=stand.logs)
    assert time.monotonic() - begun < 1.2
