"""Processes that end in good order, that are told to stop by another one, that die every time."""

from __future__ import annotations

import signal
import time

import pytest
from django.db import connection

from agentui import actions
from agentui.models import Message, Run, RunEvent, ToolCall
from tests.models import Effect

from .processes import end, is_alive, process, wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def streaming(run: Run) -> bool:
    return RunEvent.objects.filter(run=run, last__gt=5).exists()


def settled(run: Run, servers, seconds: float = 20) -> Run:
    wait_for(
        lambda: not Run.objects.active().filter(pk=run.pk).exists(),
        seconds=seconds,
        note=lambda: servers.log.read_text()[-4000:],
    )
    return Run.objects.select_related("message").get(pk=run.pk)


def test_a_process_that_is_asked_to_end_hands_its_runs_over_at_once(nursery, say):
    servers = nursery(LEASE_SECONDS=60, RECOVERY_INTERVAL=0.5, SHUTDOWN_GRACE=0.2)
    first = servers.server()
    run = say("long").run
    wait_for(lambda: streaming(run))
    second = servers.server()
    begun = time.monotonic()
    end(first, signal.SIGTERM)
    wait_for(lambda: Run.objects.get(pk=run.pk).attempt == 2)
    # Its lease would have lasted for a minute more.
    assert time.monotonic() - begun < 4
    wait_for(lambda: not is_alive(first))
    assert Run.objects.get(pk=run.pk).losses == 0
    end(second)


def test_what_can_be_finished_in_the_grace_is_finished(nursery, say):
    servers = nursery(LEASE_SECONDS=60, RECOVERY_INTERVAL=0.5, SHUTDOWN_GRACE=5)
    server = servers.server()
    run = say("question").run
    wait_for(lambda: ToolCall.objects.filter(status="executing").exists())
    end(server, signal.SIGTERM)
    wait_for(lambda: not is_alive(server))
    run = Run.objects.get(pk=run.pk)
    assert (run.status, run.reason) == ("queued", "interrupted")
    # The tools that had begun were waited for; nothing is unknown.
    assert {call.status for call in ToolCall.objects.all()} <= {"complete", "pending"}
    assert not ToolCall.objects.filter(status="executing").exists()


def test_a_stop_reaches_a_run_in_another_process_within_a_second(nursery, say, user):
    servers = nursery(RECOVERY_INTERVAL=0.5)
    server = servers.server()
    run = say("long").run
    wait_for(lambda: streaming(run))
    begun = time.monotonic()
    actions.cancel_run(user, run.pk)
    run = settled(run, servers)
    took = time.monotonic() - begun
    assert (run.status, run.reason) == ("incomplete", "cancelled")
    assert run.message.text.startswith("0 1 ")
    assert took < 1.0, took
    end(server)


def test_a_deleted_thread_does_not_come_back(nursery, say, user):
    servers = nursery(RECOVERY_INTERVAL=0.5)
    server = servers.server()
    sent = say("long")
    wait_for(lambda: streaming(sent.run))
    actions.delete_thread(user, sent.thread.pk)
    other = say("short").run
    assert settled(other, servers).status == "complete"
    time.sleep(1)
    assert Run.objects.count() == 1
    assert Message.objects.count() == 2
    assert not RunEvent.objects.exclude(run=other).exists()
    end(server)
    assert "Traceback" not in servers.log.read_text()


def test_a_process_that_only_looks_finds_what_a_dead_server_left(nursery, say, tmp_path):
    busy, idle = (nursery(LEASE_SECONDS=2, RECOVERY_INTERVAL=seconds) for seconds in (0.2, 30))
    first = busy.server()
    run = say("question").run
    wait_for(lambda: Run.objects.filter(pk=run.pk, status="running").exists())
    end(first)
    # It looks as it starts, while the lease of the dead one lasts, and then not for half a minute.
    second = idle.server()
    log = tmp_path / "recover.log"
    command = ["-m", "tests.durable.manage", "agentui_recover", "--loop"]
    with process(command, log, RECOVERY_INTERVAL=0.2) as recovery:
        wait_for(
            lambda: Run.objects.get(pk=run.pk).status == "requires_action",
            seconds=20,
            note=lambda: log.read_text() + idle.log.read_text()[-4000:],
        )
        recovery.terminate()
        assert recovery.wait(10) == 0
    assert "1 moved on" in log.read_text()
    run.refresh_from_db()
    assert run.attempt > 1
    end(second)


def test_a_run_that_kills_its_worker_every_time_is_given_up(nursery, say):
    servers = nursery(LEASE_SECONDS=1, RECOVERY_INTERVAL=0.1, MAX_WORKERS_LOST=3)
    run = say("poison").run
    for _ in range(6):
        server = servers.server()
        wait_for(
            lambda pid=server: not is_alive(pid) or not Run.objects.active().exists(), seconds=15
        )
        end(server)
    run = Run.objects.select_related("message").get(pk=run.pk)
    assert (run.status, run.reason, run.losses) == ("incomplete", "interrupted", 3)
    assert run.message.error["code"] == "interrupted"
    # A worker so slow that it lost its lease is an attempt too, and may have come to no effect.
    assert 0 < Effect.objects.count() <= run.attempt
    assert ToolCall.objects.get().status == "interrupted"


@pytest.mark.postgres
def test_database_connections_that_break_cost_no_answer(nursery, say, user):
    servers = nursery(LEASE_SECONDS=2, RECOVERY_INTERVAL=0.3)
    server = servers.server()
    runs = [say("short").run, say("long").run]
    wait_for(lambda: streaming(runs[1]))
    for _ in range(5):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        runs.append(say("short").run)
        time.sleep(0.4)
    actions.cancel_run(user, runs[1].pk)
    for run in runs:
        run = settled(run, servers)
        assert run.status == ("complete" if run.pk != runs[1].pk else "incomplete"), run.error
        assert run.reason in ("stop", "cancelled")
    end(server)
