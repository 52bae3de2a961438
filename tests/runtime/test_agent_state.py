"""What a model's answer says of its thread's state."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from agentui import Agent, RunContext, actions, tool
from agentui.core.events import UpdateState
from agentui.models import Run, Thread
from agentui.runtime.database import in_database
from agentui.testing import Call, Event, Fail, Say, ScriptedAdapter, settled

from .conftest import send

pytestmark = pytest.mark.django_db(transaction=True)


@tool
def tell_state(ctx: RunContext) -> dict[str, Any]:
    """Tell the state."""
    return ctx.state


planner = Agent("planner", model=ScriptedAdapter(), instructions="", tools=[tell_state])


@pytest.fixture
def script(monkeypatch):
    def play(*roundtrips: Any) -> ScriptedAdapter:
        adapter = ScriptedAdapter(list(roundtrips))
        monkeypatch.setattr(planner, "model", adapter)
        return adapter

    return play


def update(*path: str, to: Any) -> Event:
    return Event(UpdateState(({"type": "set", "path": list(path), "value": to},)))


def append(*path: str, text: str) -> Event:
    return Event(UpdateState(({"type": "append-text", "path": list(path), "value": text},)))


async def state_of(run: Run) -> Any:
    return await in_database(lambda: Thread.objects.get(pk=run.thread_id).state)


async def begin(user: Any, state: Any = None) -> Run:
    thread = await in_database(actions.create_thread, user, agent="planner", state=state)
    return await settled((await send(user, thread_id=thread.pk)).run)


async def test_it_is_the_threads_from_then_on_and_the_tools_see_it(user, running, script):
    script(
        [update("plan", to="look"), append("plan", text=" it up"), Call("tell_state")],
        [Say("ok"), update("done", to=True)],
    )
    run = await begin(user, {"a": 1})
    assert await state_of(run) == {"a": 1, "plan": "look it up", "done": True}
    call = await in_database(lambda: run.tool_calls.get())
    assert call.result == {"a": 1, "plan": "look it up"}


async def test_what_a_broken_answer_said_is_kept_like_its_text(user, running, script):
    adapter = script([update("plan", to="look"), Fail("gone", retryable=True)], [Say("again")])
    run = await begin(user)
    assert await state_of(run) == {"plan": "look"}
    assert len(adapter.requests) == 1, "what was shown is not asked for again"


async def test_what_does_not_fit_is_skipped(user, running, script):
    script([update("list", "name", to=1), append("a", text="b"), update("b", to=2), Say("ok")])
    run = await begin(user, {"list": [1], "a": 1})
    assert run.status == "complete"
    assert await state_of(run) == {"list": [1], "a": 1, "b": 2}


async def test_what_is_too_large_is_not_kept_but_the_answer_is(
    user, running, script, settings, caplog
):
    settings.AGENTUI = {**settings.AGENTUI, "MAX_STATE_BYTES": 50}
    script([update("a", to="x" * 100), Say("ok")])
    with caplog.at_level(logging.WARNING, "agentui"):
        run = await begin(user, {"a": 1})
    assert run.status == "complete"
    assert await state_of(run) == {"a": 1}
    assert "is not kept" in caplog.text
