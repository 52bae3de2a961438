"""A worker that dies, a launch that is lost: the run is found and moved on, and nothing runs twice."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from agentui import actions
from agentui.exceptions import Fenced
from agentui.models import Approval, Message, Run, RunEvent, ToolCall
from agentui.runtime import database, store
from agentui.runtime.database import in_database
from agentui.runtime.launchers import launch
from agentui.runtime.recovery import recover
from agentui.runtime.runner import runner
from agentui.testing import Call, Gate, Say, approve, runtime, settled
from tests.models import Effect

from .conftest import send

pytestmark = pytest.mark.django_db(transaction=True)


def lose_lease(run_id) -> None:
    Run.objects.filter(pk=run_id).update(lease_expires_at=timezone.now() - timedelta(seconds=1))


async def committed(run, text) -> None:
    """Return once the journal has these words: pages may show them a moment before."""
    async with asyncio.timeout(10):
        while text not in await in_database(
            lambda: str(list(RunEvent.objects.filter(run=run).values_list("events", flat=True)))
        ):
            await asyncio.sleep(0.02)


async def test_a_run_whose_worker_died_while_the_model_spoke_is_begun_again(user, script):
    gate = Gate()
    script([Say("Half an ans"), gate], [Say("A whole answer.")])
    async with runtime():
        sent = await send(user)
        await gate.reached()
        await committed(sent.run, "Half an ans")
    async with runtime():
        await in_database(lose_lease, sent.run.pk)
        await in_database(recover, launch)
        await in_database(recover, launch)
        run = await settled(sent.run)
    assert (run.status, run.attempt) == ("complete", 2)
    assert run.message.parts == [{"type": "text", "text": "A whole answer."}]


async def test_a_run_that_was_asked_to_stop_and_lost_its_worker_is_stopped(user, script):
    gate = Gate()
    adapter = script([Say("Half an ans"), gate], [Say("never")])
    async with runtime():
        sent = await send(user)
        await gate.reached()
        await committed(sent.run, "Half an ans")
    await in_database(actions.cancel_run, user, sent.run.pk)
    assert (await in_database(Run.objects.get, pk=sent.run.pk)).status == "running"
    async with runtime():
        await in_database(lose_lease, sent.run.pk)
        await in_database(recover, launch)
        await in_database(recover, launch)
        run = await settled(sent.run)
    assert (run.status, run.reason) == ("incomplete", "cancelled")
    assert run.message.text == "Half an ans"
    assert len(adapter.requests) == 1


async def test_a_call_that_had_begun_is_interrupted_and_not_run_again(user, script):
    adapter = script([Call("wait_forever")], [Say("I do not know whether it was done.")])
    async with runtime():
        sent = await send(user)
        async with asyncio.timeout(30):
            while not await in_database(ToolCall.objects.filter(status="executing").exists):
                await asyncio.sleep(0.02)
    async with runtime():
        await in_database(lose_lease, sent.run.pk)
        await in_database(recover, launch)
        await in_database(recover, launch)
        run = await settled(sent.run)
    call = await in_database(ToolCall.objects.get)
    assert (run.status, call.status, call.attempt) == ("complete", "interrupted", 1)
    assert "may have had effects" in adapter.requests[1].messages[-1].parts[0].content


async def test_an_approved_run_whose_launch_was_lost_is_found(user, staff, script):
    script([Call("needs_staff", {"name": "x"})], [Say("Done.")])
    async with runtime():
        run = await settled((await send(user)).run)
    # No runtime: the decision is committed, the launch reaches nobody.
    await in_database(approve, await in_database(Approval.objects.get), staff)
    assert (await in_database(Run.objects.get, pk=run.pk)).status == "queued"
    async with runtime():
        run = await settled(run)
    assert run.status == "complete"
    assert await in_database(Effect.objects.count) == 1


async def test_a_waiting_run_is_left_alone(user, script):
    script([Call("needs_the_user", {"name": "x"})])
    async with runtime():
        run = await settled((await send(user)).run)
        assert await in_database(recover, launch) == 0
        assert (await settled(run)).status == "requires_action"


async def test_a_worker_that_was_thought_dead_changes_nothing(user, script):
    script([Say("x")])
    sent = await send(user)
    old = await in_database(store.claim_run, sent.run.pk, "first")
    assert old is not None
    await in_database(lose_lease, sent.run.pk)
    await in_database(lambda: store.requeue_lost(Run.objects.get(pk=sent.run.pk)))
    new = await in_database(store.claim_run, sent.run.pk, "second")
    assert new is not None
    assert new.attempt == old.attempt + 1
    state = await in_database(store.held_state, new, max_roundtrips=3)
    for late in (
        lambda: store.finish_run(old, state.message.status),
        lambda: store.pause_run(old, max_roundtrips=3),
        lambda: store.held_state(old, max_roundtrips=3),
    ):
        with pytest.raises(Fenced):
            await in_database(late)
    run = await in_database(Run.objects.get, pk=sent.run.pk)
    assert (run.status, run.attempt, run.lease_owner) == ("running", 2, "second")


async def test_only_one_of_many_workers_takes_a_run_up(user, script):
    sent = await send(user)
    claims = await asyncio.gather(
        *(in_database(store.claim_run, sent.run.pk, f"w{n}") for n in range(8))
    )
    assert sum(claim is not None for claim in claims) == 1


async def test_a_queued_message_left_behind_is_sent(user, script):
    script([Say("Answer.")])
    async with runtime():
        run = await settled((await send(user)).run)
    await in_database(
        lambda: Message.objects.create(
            thread=run.thread,
            seq=99,
            role="user",
            status="queued",
            parts=[{"type": "text", "text": "?"}],
            metadata={"request": {"tools": [], "context": [], "config": {}}},
        )
    )
    script([Say("Sent at last.")])
    async with runtime():
        await in_database(recover, launch)
        async with asyncio.timeout(30):
            while await in_database(Run.objects.count) < 2:
                await asyncio.sleep(0.02)
        last = await in_database(lambda: Run.objects.order_by("pk").last())
        assert (await settled(last)).message.parts == [{"type": "text", "text": "Sent at last."}]


def moved_on() -> str:
    out = StringIO()
    call_command("agentui_recover", stdout=out)
    return out.getvalue().strip()


async def test_the_command_says_how_many_rows_it_moved_on(user, staff, script):
    gate = Gate()
    script([Say("Half an ans"), gate], [Say("never")])
    async with runtime():
        sent = await send(user)
        await gate.reached()
    assert await in_database(moved_on) == "0 moved on"
    await in_database(lose_lease, sent.run.pk)
    assert await in_database(moved_on) == "1 moved on"
    run = await in_database(Run.objects.get, pk=sent.run.pk)
    # It has no loop of its own to carry the run out in: a server or a worker finds it.
    assert (run.status, run.reason) == ("queued", "interrupted")
    assert await in_database(moved_on) == "0 moved on"


async def test_what_is_taken_up_in_the_moment_of_a_shutdown_is_given_back(user, script):
    """The claim is on its way to the database when the process is told to end."""
    script([Say("never")])
    reached, go_on = threading.Event(), threading.Event()

    def held(call):
        if getattr(call, "func", call) is not store.claim_run:
            return call

        def slow():
            reached.set()
            go_on.wait(10)
            return call()

        return slow

    before, database.around_crossings = database.around_crossings, held
    try:
        async with runtime():
            sent = await send(user)
            await asyncio.to_thread(reached.wait, 10)
            closing = asyncio.create_task(runner().close())
            await asyncio.sleep(0)
            go_on.set()
            await closing
    finally:
        database.around_crossings = before
    run = await in_database(Run.objects.get, pk=sent.run.pk)
    assert (run.status, run.reason, run.losses) == ("queued", "interrupted", 0)
