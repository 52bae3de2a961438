"""Tools that hang, tools that write in a transaction, tools that end what is around them."""

from __future__ import annotations

import asyncio
import sys
import threading
import time

import pytest
from django.db import connection

from agentui import Agent, RunContext, actions, tool
from agentui.agents import registry
from agentui.exceptions import NotFound
from agentui.models import ToolCall
from agentui.runtime import store
from agentui.runtime.database import in_database
from agentui.runtime.tool_execution import execute_tools
from agentui.runtime.tool_threads import tool_threads
from agentui.testing import Call, Say, ScriptedAdapter, settled
from tests.agents import tester
from tests.models import Effect

from .conftest import send

pytestmark = pytest.mark.django_db(transaction=True)

let_go = threading.Event()


@tool(timeout=0.15)
def hang() -> str:
    """Hang until the test lets go."""
    let_go.wait(10)
    return "late"


@tool
def quick() -> str:
    """Answer at once."""
    return "quick"


@tool(transactional=True, timeout=0.15)
def write_slowly(name: str) -> str:
    """Write, then take too long."""
    Effect.objects.create(name=name)
    time.sleep(0.4)
    return "late"


@tool(transactional=True)
def write_until_stopped(ctx: RunContext) -> str:
    """Write, then work until somebody stops the run."""
    Effect.objects.create(name="half")
    for _ in range(200):
        time.sleep(0.02)
        if ctx.cancelled:
            break
    return "written"


@tool
def listen(ctx: RunContext) -> str:
    """Work until somebody stops the run, then say what was done."""
    for _ in range(200):
        time.sleep(0.02)
        if ctx.cancelled:
            return "did half of it"
    return "all"


@tool
def leave() -> None:
    """Try to end the process."""
    sys.exit(3)


@tool
async def leave_async() -> None:
    """Try to end the process, in its event loop."""
    sys.exit(3)


@tool
async def look_up(name: str) -> int:
    """Use Django's async ORM."""
    return await Effect.objects.filter(name=name).acount()


@tool
def stop_iterating() -> None:
    """Raise what no future takes."""
    raise StopIteration


MODEL = ScriptedAdapter()
Agent(
    "handyman",
    model=MODEL,
    instructions="",
    tools=[
        hang,
        quick,
        write_slowly,
        write_until_stopped,
        listen,
        leave,
        leave_async,
        look_up,
        stop_iterating,
    ],
    tool_concurrency=20,
)


@pytest.fixture
def handyman(monkeypatch):
    """Play a script as the handyman's model."""

    def play(*roundtrips) -> None:
        monkeypatch.setattr(registry.get("handyman"), "model", ScriptedAdapter(list(roundtrips)))

    return play


async def calls() -> dict[str, list[ToolCall]]:
    rows = await in_database(lambda: list(ToolCall.objects.order_by("position")))
    found: dict[str, list[ToolCall]] = {}
    for row in rows:
        found.setdefault(row.tool_name, []).append(row)
    return found


async def executing(name: str) -> None:
    async with asyncio.timeout(5):
        while not await in_database(
            ToolCall.objects.filter(tool_name=name, status="executing").exists
        ):
            await asyncio.sleep(0.01)


async def test_tools_that_hang_do_not_keep_the_others_from_running(
    user, handyman, settings, running
):
    settings.AGENTUI = {**settings.AGENTUI, "TOOL_THREADS": 2}
    let_go.clear()
    handyman([Call("hang"), Call("hang")], [Call("quick"), Call("quick")], [Say("ok")])
    try:
        run = await settled((await send(user, agent="handyman")).run)
        assert run.status == "complete"
        found = await calls()
        assert [call.status for call in found["hang"]] == ["failed", "failed"]
        assert "may have had effects" in found["hang"][0].result
        assert [call.result for call in found["quick"]] == ["quick", "quick"]
        assert tool_threads.hanging == 2
    finally:
        let_go.set()
    async with asyncio.timeout(5):
        while tool_threads.hanging:
            await asyncio.sleep(0.01)


async def test_a_tool_that_waits_for_a_thread_has_not_begun_and_its_time_does_not_run(
    user, handyman, settings, running
):
    settings.AGENTUI = {**settings.AGENTUI, "TOOL_THREADS": 1}
    handyman([Call("write_slowly", {"name": "x"}), Call("hang")], [Say("ok")])
    let_go.set()
    run = await settled((await send(user, agent="handyman")).run)
    assert run.status == "complete"
    # Its timeout of 0.15 s would have passed while the first one had the only thread.
    assert (await calls())["hang"][0].result == "late"


async def test_a_transaction_that_takes_too_long_is_rolled_back_and_says_so(
    user, handyman, running
):
    handyman([Call("write_slowly", {"name": "x"})], [Say("ok")])
    run = await settled((await send(user, agent="handyman")).run)
    assert run.status == "complete"
    (call,) = (await calls())["write_slowly"]
    assert (call.status, call.is_error) == ("failed", True)
    assert "no effects" in call.result
    await asyncio.sleep(0.5)
    assert await in_database(Effect.objects.count) == 0


@pytest.mark.postgres  # SQLite has one writer: the stop itself can only be stored after the tool.
async def test_a_stop_during_a_transaction_leaves_nothing_of_it(user, handyman, running):
    handyman([Call("write_until_stopped")], [Say("never")])
    sent = await send(user, agent="handyman")
    await asyncio.sleep(0.3)
    await in_database(actions.cancel_run, user, sent.run.pk)
    run = await settled(sent.run)
    assert (run.status, run.reason) == ("incomplete", "cancelled")
    (call,) = (await calls())["write_until_stopped"]
    assert call.status == "cancelled"
    assert "Nothing was done" in call.result
    assert await in_database(Effect.objects.count) == 0


async def test_a_tool_that_listens_to_the_stop_says_itself_what_it_did(user, handyman, running):
    handyman([Call("listen")], [Say("never")])
    sent = await send(user, agent="handyman")
    await executing("listen")
    await in_database(actions.cancel_run, user, sent.run.pk)
    run = await settled(sent.run)
    assert run.reason == "cancelled"
    (call,) = (await calls())["listen"]
    assert (call.status, call.result) == ("complete", "did half of it")


async def test_a_tool_that_would_end_the_process_only_fails(user, handyman, running):
    handyman([Call("leave"), Call("leave_async"), Call("stop_iterating")], [Say("Still here.")])
    run = await settled((await send(user, agent="handyman")).run)
    assert run.status == "complete"
    found = await calls()
    for name in ("leave", "leave_async", "stop_iterating"):
        assert found[name][0].status == "failed", name


async def test_two_workers_in_one_transactional_call_have_one_effect(user, script):
    """What a redelivered job would do if it came past the claim: the second is rolled back."""
    script([Call("record_exactly_once", {"name": "x"})])
    sent = await send(user)
    claim = await in_database(store.claim_run, sent.run.pk, "one")
    call_id = await in_database(_stored_call, claim)
    stop = asyncio.Event()
    await asyncio.gather(*(execute_tools(tester, claim, [call_id], stop) for _ in range(5)))
    assert (await in_database(ToolCall.objects.get)).status == "complete"
    assert await in_database(Effect.objects.count) == 1


async def test_a_call_whose_thread_is_deleted_in_that_moment_has_no_effect(user, script):
    script([])
    sent = await send(user)
    claim = await in_database(store.claim_run, sent.run.pk, "one")
    call_id = await in_database(_stored_call, claim)
    await in_database(actions.delete_thread, user, claim.thread_id)
    begun = []
    assert await in_database(store.run_transactional, claim, call_id, begun.append) is None
    assert begun == []
    with pytest.raises(NotFound):
        await in_database(store.read_state, claim.thread_id)


def _stored_call(claim) -> str:
    call = ToolCall.objects.create(
        thread_id=claim.thread_id,
        message_id=claim.message_id,
        run_id=claim.run_id,
        position=0,
        tool_call_id="c1",
        tool_name="record_exactly_once",
        args_text='{"name": "x"}',
        args={"name": "x"},
    )
    return str(call.pk)


@pytest.mark.postgres
async def test_an_async_tool_leaves_no_connection_behind(user, handyman, running):
    def sessions() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() "
                "AND query LIKE %s",
                ["%COUNT(*)%testsite_effect%"],
            )
            return int(cursor.fetchone()[0])

    handyman([Call("look_up", {"name": "x"})], [Say("None.")])
    run = await settled((await send(user, agent="handyman")).run)
    assert run.status == "complete"
    assert (await calls())["look_up"][0].result == 0
    assert await in_database(sessions) == 0
