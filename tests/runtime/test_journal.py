"""The log of what runs stream: one commit for all of them, bounded memory, kept as long as needed."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from agentui.exceptions import Fenced
from agentui.models import Message, Run, RunEvent, Thread
from agentui.runtime import database
from agentui.runtime.database import in_database
from agentui.runtime.journal import Journal
from agentui.runtime.recovery import clean_up
from agentui.testing import Say, ScriptedAdapter, settled
from tests.agents import tester

from .conftest import send

pytestmark = pytest.mark.django_db(transaction=True)

EVENT: dict[str, Any] = {"type": "text_delta", "path": [0], "text_delta": "x"}
MANY = 9_000


@pytest.fixture
def visits():
    """The crossings to the database, by the name of what they carried out. ``away`` makes those of the
    journal fail, as a database that is being restarted does."""

    class Visits(list):
        away = threading.Event()

    seen = Visits()

    def around(call):
        name = getattr(getattr(call, "func", call), "__name__", "")

        def crossing():
            seen.append(name)
            if name == "_insert" and seen.away.is_set():
                raise OperationalError("server closed the connection unexpectedly")
            return call()

        return crossing

    before, database.around_crossings = database.around_crossings, around
    yield seen
    seen.away.clear()
    database.around_crossings = before


def running_runs(user: Any, count: int) -> list[Run]:
    runs = []
    for _ in range(count):
        thread = Thread.objects.create(owner=user, agent="tester")
        message = Message.objects.create(thread=thread, seq=1, role="assistant", status="running")
        runs.append(
            Run.objects.create(
                thread=thread, message=message, agent="tester", status="running", attempt=1
            )
        )
    return runs


async def test_the_events_of_all_runs_are_committed_together(user, visits):
    runs = await in_database(running_runs, user, 20)
    journal = Journal()
    visits.clear()
    entries = [journal.append(run.pk, 1, 1, [EVENT] * 3) for run in runs]
    entries += [journal.append(run.pk, 1, 4, [EVENT]) for run in runs]
    journal.hurry()
    await asyncio.gather(*(entry.done for entry in entries))
    assert visits == ["_insert"]
    stored = await in_database(lambda: list(RunEvent.objects.values_list("first", "last")))
    assert stored == [(1, 4)] * 20


async def test_only_who_holds_the_run_writes_and_the_others_are_not_harmed(user):
    mine, taken, gone = await in_database(running_runs, user, 3)
    await in_database(lambda: Run.objects.filter(pk=taken.pk).update(attempt=2))
    await in_database(Thread.objects.filter(pk=gone.thread_id).delete)
    lost: list[Any] = []
    journal = Journal(on_lost=lambda run_id, attempt: lost.append((run_id, attempt)))
    entries = [journal.append(run.pk, 1, 1, [EVENT]) for run in (mine, taken, gone)]
    done = await asyncio.gather(*(entry.done for entry in entries), return_exceptions=True)
    assert done[0] is None
    assert [type(error) for error in done[1:]] == [Fenced, Fenced]
    assert set(lost) == {(taken.pk, 1), (gone.pk, 1)}
    assert await in_database(lambda: RunEvent.objects.get().run_id) == mine.pk


class Counting(ScriptedAdapter):
    """A model that writes as fast as it is read."""

    pulled = 0

    async def stream(self, request: Any) -> Any:
        async for event in super().stream(request):
            self.pulled += 1
            yield event


async def test_while_the_database_is_away_the_model_waits_and_nothing_is_lost(
    user, monkeypatch, settings, visits, running
):
    settings.AGENTUI = {**settings.AGENTUI, "COALESCE_INTERVAL": 0.0, "JOURNAL_INTERVAL": 0.01}
    model = Counting([[Say(tuple(f"{n} " for n in range(MANY)))]])
    monkeypatch.setattr(tester, "model", model)
    visits.away.set()
    sent = await send(user)
    before = -1
    async with asyncio.timeout(20):
        while not model.pulled or model.pulled > before:
            before = model.pulled
            await asyncio.sleep(0.3)
    # What is on its way and what waits behind it, and no more.
    assert 0 < model.pulled < MANY / 2
    visits.away.clear()
    run = await settled(sent.run)
    assert run.status == "complete"
    assert run.message.text == "".join(f"{n} " for n in range(MANY))


async def test_events_are_kept_until_their_run_is_long_over(user, script, running, settings):
    settings.AGENTUI = {**settings.AGENTUI, "JOURNAL_RETENTION": 60}
    script([Say("one")], [Say("two")])
    runs = [await settled((await send(user)).run) for _ in range(2)]
    (active,) = await in_database(running_runs, user, 1)
    await in_database(RunEvent.objects.create, run=active, first=1, last=1, events=[EVENT])
    long_ago = timezone.now() - timedelta(seconds=61)
    await in_database(lambda: Run.objects.filter(pk=runs[0].pk).update(finished_at=long_ago))
    await in_database(clean_up)
    left = await in_database(lambda: set(RunEvent.objects.values_list("run", flat=True)))
    assert left == {runs[1].pk, active.pk}
    assert (await in_database(Message.objects.get, pk=runs[0].message_id)).text == "one"
