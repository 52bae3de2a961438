"""Whatever a run does, every client takes the stream, and a reload shows the same."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from channels.layers import channel_layers
from django.contrib.auth import get_user_model
from django.test import AsyncClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentui import actions
from agentui.core.events import UpdateState
from agentui.models import Run
from agentui.runtime.database import in_database
from agentui.testing import Call, Event, Fail, Finish, Say, ScriptedAdapter, Think, runtime
from tests.agents import tester

from .client import Client
from .test_approvals import cancelled, no, yes
from .test_runs import COLOR, the_same_after_a_reload

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

words = st.lists(
    st.sampled_from(["a", " b", "\n", "", "é", "👍", "{", "\x00", "word "]), max_size=4
)
updates = st.builds(
    lambda kind, path, value: Event(
        UpdateState(({"type": kind, "path": path, "value": value if kind == "set" else "x"},))
    ),
    st.sampled_from(["set", "append-text"]),
    st.sampled_from([["a"], ["a", "b/c"], ["list"], ["list", "0"], []]),
    st.sampled_from([1, "text", [], {"b/c": "~"}, {}, None]),
)
steps = st.one_of(
    updates,
    st.builds(Say, words.map(tuple)),
    st.builds(Think, words.map(tuple)),
    st.sampled_from(
        [
            Call("add", {"a": 1, "b": 2}),
            Call("add_async", {"a": 1, "b": 2}, id="same"),
            Call("add", '{"a": 1'),
            Call("echo", {"value": {"deep": [1, None]}}),
            Call("break_down", ""),
            Call("no_such_tool", {}),
            Call("record_exactly_once", {"name": "x"}),
            Call("needs_the_user", {"name": "x"}),
            Call("needs_the_user", {"name": "y"}, id="same"),
            Call("needs_staff", {"name": "z"}),
            Call("ask", {"question": "?"}),
            Call("set_color", {"color": "red"}),
        ]
    ),
)
endings = st.sampled_from(
    [
        (),
        (),
        (),
        (Fail("down"),),
        (Fail("busy", retryable=True),),
        (Finish("length"),),
        (Call("add", '{"a"', is_whole=False), Fail("cut")),
        (Finish("content_filter"),),
    ]
)
roundtrips = st.builds(
    lambda body, end: [*body, *end], st.lists(steps, min_size=1, max_size=5), endings
)


@st.composite
def stories(draw: Any) -> dict[str, Any]:
    return {
        "script": draw(st.lists(roundtrips, min_size=1, max_size=4)),
        "is_modern": draw(st.booleans()),
        "answers": draw(st.lists(st.sampled_from(["yes", "no", "cancel", "skip"]), max_size=8)),
        "stop_after": draw(st.none() | st.integers(0, 12)),
        "leave_after": draw(st.none() | st.integers(1, 12)),
        "seed": draw(st.integers(0, 3)),
    }


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(story=stories())
def test_every_stream_is_one_that_clients_take(db, story, settings):
    settings.AGENTUI = {**settings.AGENTUI, "COALESCE_INTERVAL": 0.0, "API_RATES": {"send": None}}
    channel_layers.backends = {}
    asyncio.run(tell(story))


async def tell(story: dict[str, Any]) -> None:
    tester.model = ScriptedAdapter([*story["script"], *([[Say("The end.")]] * 20)])
    async with runtime():
        user = await in_database(_new_user)
        http = AsyncClient()
        await http.aforce_login(user)
        page = Client(http, is_modern=story["is_modern"])
        rng = random.Random(story["seed"])
        page.say("go")
        answers = iter(story["answers"])
        for turn in range(6):
            await one_run(page, user, story, turn)
            if not go_on(page, answers, rng):
                break

        def open(*, thread: str) -> Client:
            other = Client(http, is_modern=story["is_modern"])
            other.thread = thread
            return other

        if story["leave_after"] is None:
            await the_same_after_a_reload(page, open)
            mine = Run.objects.filter(thread__owner=user)
            assert not await in_database(mine.active().exists)


async def one_run(page: Client, user: Any, story: dict[str, Any], turn: int) -> None:
    """Take a run's events; stop it, or go away from it, in the middle."""
    count = 0
    events = page.events(tools=[COLOR], resume=getattr(page, "resume", None))
    async for _ in events:
        count += 1
        if turn == 0 and count == story["stop_after"]:
            await in_database(_stop, user)
        if turn == 0 and count == story["leave_after"]:
            await events.aclose()
            break


def go_on(page: Client, answers: Any, rng: random.Random) -> bool:
    """Prepare the next run of the page; False when there is nothing to say."""
    page.resume = None  # type: ignore[attr-defined]
    if page.interrupts:
        choice = next(answers, "yes")
        if choice != "skip":
            how = {"yes": yes, "no": no, "cancel": cancelled}[choice]
            page.resume = [how(interrupt) for interrupt in page.interrupts]  # type: ignore[attr-defined]
        return True
    answered = {m.get("toolCallId") for m in page.messages if m["role"] == "tool"}
    open_calls = [
        call["id"]
        for message in page.messages
        for call in message.get("toolCalls") or ()
        if call["id"] not in answered and call["function"]["name"] in ("ask", "set_color")
    ]
    if open_calls and rng.random() < 0.8:
        page.answer(open_calls[0], rng.choice(["fine", '{"ok":true}', ""]))
        return True
    if rng.random() < 0.5:
        page.say("go on")
        return True
    return False


def _new_user() -> Any:
    users = get_user_model()
    return users.objects.create_user(f"user{users.objects.count()}-{random.random()}")


def _stop(user: Any) -> None:
    for run in Run.objects.active().filter(thread__owner=user):
        actions.cancel_run(user, run.pk)
