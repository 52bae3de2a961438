"""State that the page and the tools of a thread share: what a tool writes stays, is seen, is fenced."""

from __future__ import annotations

import asyncio
import threading

import pytest
from django.db import transaction

from agentui import Agent, RunContext, actions, tool
from agentui.agents import registry
from agentui.exceptions import AgentUIError, Fenced
from agentui.models import Run, Thread, ToolCall
from agentui.runtime.database import in_database
from agentui.testing import Call, Say, ScriptedAdapter, open_socket, settled

from .conftest import send

pytestmark = pytest.mark.django_db(transaction=True)

may_write = threading.Event()
has_begun = threading.Event()
errors: list[AgentUIError] = []


@tool
def filter_by(ctx: RunContext, size: str) -> dict:
    """Change the filters of the page."""
    ctx.set_state(["filters", "size"], size)
    return ctx.state


@tool
async def filter_by_async(ctx: RunContext, size: str) -> dict:
    """Change the filters of the page, without a thread."""
    await ctx.aset_state(["filters", "size"], size)
    await ctx.aupdate_state([{"type": "append-text", "path": ["filters", "size"], "value": "!"}])
    return ctx.state


@tool(transactional=True)
def filter_and(ctx: RunContext, size: str, fail: bool = False) -> dict:
    """Change the filters together with other effects."""
    ctx.set_state(["filters", "size"], size)
    ctx.set_state("seen", ctx.state["filters"]["size"])
    assert not Thread.objects.filter(state__seen=size).exists()
    if fail:
        raise ValueError("no")
    return ctx.state


@tool
def read(ctx: RunContext) -> dict:
    """Read the state."""
    return ctx.state


@tool(timeout=0.1)
def write_late(ctx: RunContext) -> None:
    """Write once the time is over."""
    has_begun.set()
    may_write.wait(10)
    try:
        ctx.set_state("late", True)
    except AgentUIError as error:
        errors.append(error)


@tool
def pause() -> None:
    """Work until the test says so."""
    has_begun.set()
    may_write.wait(10)


@tool
def write_badly(ctx: RunContext) -> None:
    """Write where there is no place."""
    ctx.set_state(["list", "name"], 1)


Agent(
    "stateful",
    model=ScriptedAdapter(),
    instructions="",
    tools=[filter_by, filter_by_async, filter_and, read, write_late, pause, write_badly],
)


@pytest.fixture
def stateful(monkeypatch):
    def play(*roundtrips) -> None:
        monkeypatch.setattr(registry.get("stateful"), "model", ScriptedAdapter(list(roundtrips)))

    return play


async def state_of(run: Run):
    return await in_database(lambda: Thread.objects.get(pk=run.thread_id).state)


async def results() -> dict[str, ToolCall]:
    return {
        call.tool_name: call for call in await in_database(lambda: list(ToolCall.objects.all()))
    }


@pytest.mark.parametrize("name", ["filter_by", "filter_by_async", "filter_and"])
async def test_what_a_tool_writes_reaches_the_thread_and_the_open_page(
    user, stateful, running, name
):
    stateful([Call(name, {"size": "m"})], [Call("read")], [Say("ok")])
    thread = await in_database(actions.create_thread, user, agent="stateful", state={"a": 1})
    async with open_socket(user) as page:
        await page.command("subscribe", thread=str(thread.pk))
        run = await settled((await send(user, thread_id=thread.pk)).run)
        size = "m!" if name == "filter_by_async" else "m"
        frame = await page.until(
            lambda frame: (
                frame["type"] == "changes"
                and (frame.get("thread") or {}).get("state", {}).get("filters") == {"size": size}
            )
        )
    assert frame["thread"]["state"]["a"] == 1
    found = await results()
    assert found[name].result == found["read"].result == await state_of(run)


async def test_a_tool_reads_what_the_page_wrote_with_the_message_and_since(user, stateful, running):
    stateful([Call("pause")], [Call("read")], [Say("ok")])
    may_write.clear()
    has_begun.clear()
    first = {"type": "set", "path": ["a"], "value": 1}
    sent = await send(user, agent="stateful", state=[first])
    await asyncio.to_thread(has_begun.wait, 5)
    await in_database(actions.set_state, user, sent.thread.pk, [{**first, "path": ["b"]}])
    may_write.set()
    await settled(sent.run)
    assert (await results())["read"].result == {"a": 1, "b": 1}


async def test_a_tool_that_fails_in_its_transaction_leaves_the_state_alone(user, stateful, running):
    stateful([Call("filter_and", {"size": "m", "fail": True})], [Say("ok")])
    run = await settled((await send(user, agent="stateful")).run)
    assert (await results())["filter_and"].status == "failed"
    assert await state_of(run) is None


async def test_what_was_given_up_writes_nothing_any_more(user, stateful, running):
    may_write.clear()
    errors.clear()
    stateful([Call("write_late")], [Say("ok")])
    run = await settled((await send(user, agent="stateful")).run)
    assert (await results())["write_late"].status == "failed"
    may_write.set()
    async with asyncio.timeout(5):
        while not errors:
            await asyncio.sleep(0.01)
    assert isinstance(errors[0], Fenced)
    assert await state_of(run) is None


async def test_a_worker_that_was_thought_dead_writes_nothing(user, stateful, running):
    may_write.clear()
    has_begun.clear()
    errors.clear()
    stateful([Call("write_late")], [Say("ok")])
    sent = await send(user, agent="stateful")
    await asyncio.to_thread(has_begun.wait, 5)
    await in_database(lambda: Run.objects.filter(pk=sent.run.pk).update(attempt=7))
    may_write.set()
    async with asyncio.timeout(5):
        while not errors:
            await asyncio.sleep(0.01)
    assert isinstance(errors[0], Fenced)
    assert await state_of(sent.run) is None


async def test_a_change_that_does_not_fit_is_an_answer_to_the_model(user, stateful, running):
    stateful([Call("write_badly")], [Say("ok")])
    state = [{"type": "set", "path": ["list"], "value": [1]}]
    run = await settled((await send(user, agent="stateful", state=state)).run)
    call = (await results())["write_badly"]
    assert (call.status, "The state was not changed" in str(call.result)) == ("failed", True)
    assert await state_of(run) == {"list": [1]}


def test_state_that_is_refused_refuses_the_message_too(user, immediate):
    state = [{"type": "set", "path": ["__proto__"], "value": 1}]
    with pytest.raises(AgentUIError, match="The state was not changed"), transaction.atomic():
        actions.send_message(
            user, agent="stateful", parts=[{"type": "text", "text": "Hello"}], state=state
        )
    assert not Thread.objects.exists()


def test_at_once_too(user, immediate, stateful):
    stateful([Call("filter_by", {"size": "s"})], [Call("filter_and", {"size": "l"})], [Say("ok")])
    sent = actions.send_message(user, agent="stateful", parts=[{"type": "text", "text": "Hello"}])
    sent.thread.refresh_from_db()
    assert sent.thread.state == {"filters": {"size": "l"}, "seen": "l"}
