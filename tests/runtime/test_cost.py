"""A turn costs the same at turn 500 as at turn 1, and tokens cost no statements."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connection, connections

from agentui.core.statuses import RunStatus
from agentui.models import Message, Run, Thread, ToolCall
from agentui.models.base import uuid7
from agentui.runtime import feed_reads
from agentui.runtime.database import in_database
from agentui.testing import Call, Say, approve, settled

from .conftest import send
from .test_waiting import approval_of

pytestmark = pytest.mark.django_db(transaction=True)

TURNS = (0, 50, 200, 500)


class Statements:
    """Counts the statements of every connection, whichever thread has it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.kinds: Counter[str] = Counter()
        kind = type(connections[connection.alias])
        make_cursor = kind.make_cursor

        def counted(wrapper: Any, cursor: Any) -> Any:
            if self._note not in wrapper.execute_wrappers:
                wrapper.execute_wrappers.append(self._note)
            return make_cursor(wrapper, cursor)

        monkeypatch.setattr(kind, "make_cursor", counted)

    def _note(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.count += 1
        self.kinds[sql[:60]] += 1
        return execute(sql, params, many, context)


@pytest.fixture
def statements(monkeypatch) -> Statements:
    return Statements(monkeypatch)


@pytest.fixture(autouse=True)
def quiet(settings):
    """Nothing looks around by itself, so that only the turn is counted."""
    settings.AGENTUI = {
        **django_settings.AGENTUI,
        "RECOVERY_INTERVAL": 3600,
        "LEASE_SECONDS": 3600,
        "FEED_POLL_INTERVAL": 3600,
    }


def make_thread(user, turns: int) -> Thread:
    """A thread with so many turns, each a question, a tool call and an answer."""
    thread = Thread.objects.create(owner=user, agent="tester", title="Long")
    messages, runs, calls = [], [], []
    parent = None
    for turn in range(turns):
        question = Message(
            thread=thread,
            parent_id=parent,
            seq=2 * turn + 1,
            role="user",
            parts=[{"type": "text", "text": f"question {turn}"}],
        )
        call_id = uuid7()
        answer = Message(
            thread=thread,
            parent_id=question.pk,
            seq=2 * turn + 2,
            role="assistant",
            parts=[
                {"type": "tool_call", "id": str(call_id)},
                {"type": "text", "text": f"answer {turn} " * 20},
            ],
            metadata={
                "steps": [
                    {"start": 0, "state": "finished"},
                    {"start": 1, "state": "finished"},
                ]
            },
        )
        run = Run(thread=thread, message=answer, agent="tester", status=RunStatus.COMPLETE)
        calls.append(
            ToolCall(
                id=call_id,
                thread=thread,
                message=answer,
                run=run,
                position=0,
                tool_call_id=f"c{turn}",
                tool_name="add",
                args_text='{"a":1,"b":2}',
                status="complete",
                result=3,
            )
        )
        messages += [question, answer]
        runs.append(run)
        parent = answer.pk
    Message.objects.bulk_create(messages)
    Run.objects.bulk_create(runs)
    ToolCall.objects.bulk_create(calls)
    Thread.objects.filter(pk=thread.pk).update(head=parent, last_seq=2 * turns)
    return thread


async def one_turn(user, thread, script, statements) -> tuple[int, float]:
    script([Say("Let me see."), Call("add", {"a": 1, "b": 2})], [Say("It is 3.")])
    await asyncio.sleep(0.3)  # What the turn before left to do.
    statements.kinds.clear()
    begun, before = time.perf_counter(), statements.count
    sent = await send(user, "and now?", thread_id=thread.pk)
    run = await settled(sent.run)
    took = time.perf_counter() - begun
    assert run.status == "complete"
    # Looking whether it is over is not part of it.
    return statements.count - before - statements.kinds[LOOK], took


LOOK = 'SELECT "agentui_run"."id", "agentui_run"."version", "agentui'


async def test_the_statements_and_the_time_of_a_turn_do_not_grow_with_the_thread(
    user, script, statements, running, capsys
):
    counts: dict[int, int] = {}
    times: dict[int, float] = {}
    for turns in TURNS:
        thread = await in_database(make_thread, user, turns)
        await one_turn(user, thread, script, statements)
        taken = [await one_turn(user, thread, script, statements) for _ in range(3)]
        counts[turns] = min(count for count, _ in taken)
        times[turns] = min(seconds for _, seconds in taken)
    with capsys.disabled():
        print(f"\n{connection.vendor}: statements a turn {counts}; seconds {times}")
    assert max(counts.values()) - min(counts.values()) <= 2, (counts, statements.kinds)
    # 200 messages are what the agent's history holds; beyond it, nothing grows.
    assert times[500] < 1.5 * times[200] + 0.05, times
    assert times[500] < 4 * times[0] + 0.1, times


async def test_a_hundred_tokens_cost_no_more_statements_than_one(
    user, script, statements, running, settings
):
    settings.AGENTUI = {**settings.AGENTUI, "JOURNAL_INTERVAL": 0.2}

    async def statements_of(words: int, delay: float) -> int:
        script([Say(tuple(f"w{n} " for n in range(words)))], delay=delay)
        statements.kinds.clear()
        before = statements.count
        run = await settled((await send(user)).run)
        assert run.status == "complete"
        return statements.count - before - statements.kinds[LOOK]

    await statements_of(1, 0)
    one = await statements_of(1, 0)
    many = await statements_of(2_000, 0)
    assert many - one <= 8, (one, many)


def snapshot_and_its_statements(thread: Thread, user) -> tuple[dict[str, Any], int]:
    """What a page gets when it opens the thread, and how many statements this thread needed."""
    seen: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        return feed_reads.snapshot(thread.pk, user), len(seen)


async def test_opening_a_thread_reads_one_page(user, staff, script, running):
    sizes = {}
    for turns in (50, 500):
        thread = await in_database(make_thread, user, turns)
        frame, sizes[turns] = await in_database(snapshot_and_its_statements, thread, user)
        assert len(frame["messages"]) == 50
        assert frame["has_more"]
    assert sizes[50] == sizes[500] <= 14, sizes


async def test_a_decision_costs_the_same_in_a_long_thread(user, staff, script, statements, running):
    counts = {}
    for turns in (0, 200):
        thread = await in_database(make_thread, user, turns)
        script([Call("needs_staff", {"name": f"x{turns}"})], [Say("Done.")])
        await settled((await send(user, "refund", thread_id=thread.pk)).run)
        approval = await approval_of(f"x{turns}")
        await asyncio.sleep(0.3)
        statements.kinds.clear()
        before = statements.count
        await in_database(approve, approval, staff)
        await settled(approval.tool_call.run_id)
        counts[turns] = statements.count - before - statements.kinds[LOOK]
    assert abs(counts[0] - counts[200]) <= 3, counts
