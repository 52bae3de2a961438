"""Beside the thread: a title that never replaces one, and suggestions that never come too late."""

from __future__ import annotations

import asyncio

import pytest

from agentui import actions
from agentui.adapters import (
    Fail,
    ModelSuggestions,
    ModelTitles,
    StaticSuggestions,
    Suggestion,
    SuggestionAdapter,
    Think,
)
from agentui.adapters.aside import clean_title
from agentui.models import Message, Thread
from agentui.runtime.database import in_database
from agentui.testing import Call, Gate, Say, ScriptedAdapter, settled
from tests.agents import tester

from .conftest import send

pytestmark = pytest.mark.django_db(transaction=True)


def suggestions_of(run) -> list[str] | None:
    found = Message.objects.get(pk=run.message_id).metadata.get("suggestions")
    return found and [item["prompt"] for item in found]


async def until(find, wanted, seconds: float = 10):
    async with asyncio.timeout(seconds):
        while (found := await in_database(find)) != wanted:
            await asyncio.sleep(0.02)
    return found


async def test_a_model_proposes_what_to_say_next_line_by_line(user, script, running, monkeypatch):
    gate = Gate()
    helper = ScriptedAdapter(
        [[Think("Hm."), Say('1. Where is it?\n- "Thanks!"\nMo'), gate, Say("re")]]
    )
    monkeypatch.setattr(tester, "suggestions", ModelSuggestions(helper))
    script([Say("Your order is on its way.")])
    sent = await send(user, "Where is my order?")
    await gate.reached()
    await until(lambda: suggestions_of(sent.run), ["Where is it?", "Thanks!"])
    gate.open()
    await until(lambda: suggestions_of(sent.run), ["Where is it?", "Thanks!", "More"])
    (request,) = helper.requests
    assert "user: Where is my order?" in request.messages[0].parts[0].text
    assert "assistant: Your order is on its way." in request.messages[0].parts[0].text


async def test_a_new_message_ends_them(user, script, running, monkeypatch):
    gate, ended = Gate(), asyncio.Event()

    class Slow(SuggestionAdapter):
        async def suggest(self, messages):
            try:
                await gate.pass_through()
                yield ["Too late"]
            finally:
                ended.set()

    monkeypatch.setattr(tester, "suggestions", Slow())
    hold = Gate()
    script([Say("One.")], [hold, Say("Two.")])
    first = await send(user, "one")
    await gate.reached()
    second = await send(user, "two", thread_id=first.thread.pk)
    await hold.reached()
    async with asyncio.timeout(5):
        await ended.wait()
    monkeypatch.setattr(tester, "suggestions", None)
    gate.open()
    hold.open()
    await settled(second.run)
    assert await in_database(suggestions_of, first.run) is None


@pytest.mark.parametrize("step", [Fail(), Call("needs_staff", {"name": "x"})])
async def test_there_are_none_while_something_waits_or_after_a_failure(
    user, script, running, monkeypatch, step
):
    monkeypatch.setattr(tester, "suggestions", StaticSuggestions(["Go on"]))
    script([step])
    sent = await send(user)
    await settled(sent.run)
    await asyncio.sleep(0.2)
    assert await in_database(suggestions_of, sent.run) is None


async def test_a_static_list(user, script, running, monkeypatch):
    static = StaticSuggestions([Suggestion("Tell me more about it", title="More"), "Thanks"])
    assert static.starters == ("Tell me more about it", "Thanks")
    monkeypatch.setattr(tester, "suggestions", static)
    script([Say("Hi.")])
    sent = await send(user)
    await until(lambda: suggestions_of(sent.run), ["Tell me more about it", "Thanks"])


async def test_an_error_of_theirs_is_nobody_elses(user, script, running, monkeypatch):
    helper = ScriptedAdapter([[Fail()], [Fail()], [Fail(error=ValueError("x"))], [Say("Fine")]])
    monkeypatch.setattr(tester, "suggestions", ModelSuggestions(helper))
    monkeypatch.setattr(tester, "titles", ModelTitles(helper))
    script([Say("Hi.")], [Say("Ho.")])
    first = await send(user)
    assert (await settled(first.run)).status == "complete"
    await until(lambda: helper.remaining, 2)
    second = await send(user, thread_id=first.thread.pk)
    assert (await settled(second.run)).status == "complete"
    await until(lambda: helper.remaining, 0)


async def test_a_title_is_found_once_also_when_the_first_run_fails(
    user, script, running, monkeypatch
):
    helper = ScriptedAdapter([[Say('<think>A chat about\ncups</think>\n"**Broken cup**"\n')]])
    monkeypatch.setattr(tester, "titles", ModelTitles(helper))
    script([Fail()], [Say("Hi.")])
    sent = await send(user, "My cup is broken, what now?")
    title = lambda: Thread.objects.values_list("title", "title_source").get()  # noqa: E731
    await until(title, ("Broken cup", "model"))
    again = await send(user, thread_id=sent.thread.pk)
    await settled(again.run)
    await asyncio.sleep(0.1)
    assert len(helper.requests) == 1


async def test_a_rename_wins_over_a_title_that_comes_later(user, script, running, monkeypatch):
    gate = Gate()
    monkeypatch.setattr(
        tester, "titles", ModelTitles(ScriptedAdapter([[gate, Say("A model's words")]]))
    )
    script([Say("Hi.")])
    sent = await send(user)
    await gate.reached()
    await in_database(actions.rename_thread, user, sent.thread.pk, "Mine")
    gate.open()
    await asyncio.sleep(0.3)
    assert await in_database(lambda: Thread.objects.get().title) == "Mine"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Order 1002", "Order 1002"),
        ("<think>never closed Order", ""),
        ("<THINK>a</THINK>b", "b"),
        ("Title: «Cups»\nmore", "Cups"),
        ("# Cups", "Cups"),
        ("\n\n", ""),
        ("word " * 40, "word " * 15 + "word…"),
    ],
)
def test_what_a_model_calls_a_title(text, title):
    assert clean_title(text) == title
