"""Runs of an AG-UI client: text, tools, page tools, state, stops and errors."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agentui import actions
from agentui.models import Message, Run, Thread, ToolCall
from agentui.runtime.database import in_database
from agentui.testing import Call, Fail, Finish, Gate, Say, Think, settled

from .client import Client, types

pytestmark = pytest.mark.django_db(transaction=True)

COLOR = {
    "name": "set_color",
    "description": "Colour of the page",
    "parameters": {"type": "object", "properties": {"color": {"type": "string"}}},
}


async def the_same_after_a_reload(page: Client, open_page: Any) -> None:
    """A new page that opens the thread shows what this one shows, under the same ids.

    Activities are a page's own; and reasoning that is void stays where a snapshot has none at all.
    """
    left_out = {"activity"}
    if any("MESSAGES_SNAPSHOT" in types(run) for run in page.runs):
        left_out.add("reasoning")
    other = open_page(thread=page.thread)
    [event async for event in other.events("/connect")]

    def shown(client: Client) -> list[dict[str, Any]]:
        return [
            {key: value for key, value in message.items() if value not in (None, "", [])}
            for message in client.messages
            if message["role"] not in left_out
        ]

    def told(messages: list[dict[str, Any]]) -> Any:
        """Answers apart: they come as they are given, and this page's own have its ids."""
        answers = {m["toolCallId"]: m.get("content") for m in messages if m["role"] == "tool"}
        roles = [m["role"] for m in messages]
        return roles, answers, [m for m in messages if m["role"] != "tool"]

    assert told(shown(other)) == told(shown(page))
    assert other.state == (page.state or other.state)


async def test_text_streams(page, open_page, script, running):
    adapter = script([Think("hm"), Say("Hello there")])
    events = await page.run("Hi")
    assert types(events)[0] == "RUN_STARTED"
    assert types(events)[-1] == "RUN_FINISHED"
    assert events[0]["threadId"] == events[-1]["threadId"] == page.thread
    assert [(m["role"], m["content"]) for m in page.messages] == [
        ("user", "Hi"), ("reasoning", "hm"), ("assistant", "Hello there")
    ]  # fmt: skip
    assert adapter.requests[0].messages[-1].parts[0].text == "Hi"
    await the_same_after_a_reload(page, open_page)


async def test_server_tools_and_text_between_them(page, open_page, script, running):
    script(
        [Say("a"), Call("add", {"a": 1, "b": 2}), Say("b"), Call("add", {"a": 3, "b": 4})],
        [Call("echo", {"value": {"x": 1}}), Call("add", {"a": 5, "b": 6})],
        [Say("Done.")],
    )
    await page.run("go")
    assert [m["role"] for m in page.messages] == [
        "user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "tool", "assistant"
    ]  # fmt: skip
    answers = [m["content"] for m in page.messages if m["role"] == "tool"]
    assert (answers[:2], set(answers[2:])) == (["3", "7"], {'{"x":1}', "11"})
    await the_same_after_a_reload(page, open_page)


async def test_a_second_message_goes_on_in_the_thread(page, open_page, script, running):
    adapter = script([Say("one")], [Say("two")])
    await page.run("first")
    events = await page.run("second")
    assert "MESSAGES_SNAPSHOT" not in types(events)
    assert page.texts == ["one", "two"]
    assert len(adapter.requests[1].messages) == 3
    assert await in_database(Thread.objects.count) == 1
    await the_same_after_a_reload(page, open_page)


async def test_a_page_tool_there_and_back(page, open_page, script, running):
    adapter = script([Call("set_color", {"color": "red"})], [Say("It is red now.")])
    events = await page.run("red please", tools=[COLOR])
    call = page.messages[-1]["toolCalls"][0]
    assert call["function"] == {"name": "set_color", "arguments": '{"color": "red"}'}
    assert "TOOL_CALL_RESULT" not in types(events)
    if page.is_modern:
        assert events[-1]["outcome"] == {"type": "success", "pendingToolCallIds": [call["id"]]}
    page.answer(call["id"], '{"ok":true}')
    events = await page.run(tools=[COLOR])
    assert "TOOL_CALL_START" not in types(events)
    assert "TOOL_CALL_RESULT" not in types(events)
    assert page.texts == ["It is red now."]
    told = adapter.requests[1].messages[-1].parts[0].content
    assert json.loads(told) == {"ok": True}
    await the_same_after_a_reload(page, open_page)


async def test_a_mixed_turn_runs_the_servers_calls_and_waits_for_the_pages(
    page, open_page, script, running
):
    script(
        [Call("add", {"a": 1, "b": 2}), Call("set_color", {}), Call("ask", {"question": "?"})],
        [Say("ok")],
    )
    await page.run("go", tools=[COLOR])
    assert [m["content"] for m in page.messages if m["role"] == "tool"] == ["3"]
    _, color, ask = page.messages[1]["toolCalls"]
    page.answer(color["id"], "done")
    await page.run(tools=[COLOR])
    assert page.texts == []
    page.answer(ask["id"], "yes")
    await page.run(tools=[COLOR])
    assert page.texts == ["ok"]
    await the_same_after_a_reload(page, open_page)


async def test_a_page_tool_that_fails_is_told(page, script, running):
    script([Call("set_color", {})], [Say("sorry")])
    await page.run("go", tools=[COLOR])
    page.answer(page.messages[-1]["toolCalls"][0]["id"], "", error="no such colour")
    await page.run(tools=[COLOR])
    call = await in_database(ToolCall.objects.get)
    assert (call.status, call.result) == ("failed", "no such colour")


async def test_a_new_message_while_a_page_tool_waits_withdraws_it(page, open_page, script, running):
    script([Call("set_color", {})], [Say("Fine.")])
    await page.run("go", tools=[COLOR])
    events = await page.run("never mind", tools=[COLOR])
    assert types(events).count("TOOL_CALL_RESULT") == 1
    assert page.texts == ["Fine."]
    await the_same_after_a_reload(page, open_page)


async def test_state_goes_both_ways(page, open_page, script, running, user):
    gate = Gate()
    script([Say("a"), gate, Say("b")], [Say("c")])
    page.state = {"cart": {"items": [1]}, "a/b": 1}
    task = asyncio.create_task(page.run("go"))
    await gate.reached()
    thread = await in_database(Thread.objects.get)
    assert thread.state == {"cart": {"items": [1]}, "a/b": 1}
    operations = [
        {"type": "set", "path": ["cart", "items"], "value": [1, 2]},
        {"type": "set", "path": ["a/b"], "value": 2},
    ]
    await in_database(actions.set_state, user, thread.pk, operations)
    gate.open()
    events = await task
    assert types(events).count("STATE_DELTA") == 1
    assert page.state == {"cart": {"items": [1, 2]}, "a/b": 2}
    fresh = open_page(thread=page.thread)
    await fresh.run("more")
    assert fresh.state == page.state


async def test_an_error_of_the_model(page, open_page, script, running):
    script([Say("Half"), Fail("The provider is down.", code="down")], [Say("Better.")])
    events = await page.run("go")
    assert events[-1]["type"] == "RUN_ERROR"
    assert (events[-1]["message"], events[-1]["code"]) == ("The provider is down.", "down")
    # A page that has just been opened wishes for nothing.
    fresh = open_page(thread=page.thread)
    assert types(await fresh.run())[-1] == "RUN_FINISHED"
    assert fresh.texts == ["Half"]
    # Running again with nothing new is a wish for another try.
    await page.run()
    assert page.texts[-1] == "Better."
    assert await in_database(Message.objects.filter(role="user").count) == 1


async def test_an_answer_that_was_cut(page, script, running):
    script([Say("Too lo"), Finish("length")])
    events = await page.run("go")
    assert events[-1]["result"] == {"status": "incomplete", "reason": "length"}


async def test_a_stop(page, http, script, running):
    gate = Gate()
    script([Say("Once upon"), Call("add", '{"a": 1', is_whole=False), gate])
    task = asyncio.create_task(page.run("go"))
    await gate.reached()
    answer = await http.post(
        page.url + "/stop", json.dumps({"threadId": page.thread}), content_type="application/json"
    )
    assert answer.json() == {"stopped": True}
    last = (await task)[-1]
    if page.is_modern:
        assert (last["type"], last["outcome"]) == ("RUN_FINISHED", {"type": "cancelled"})
    else:
        assert (last["type"], last["code"]) == ("RUN_ERROR", "abort")
    run = await in_database(Run.objects.get)
    assert (run.status, run.reason) == ("incomplete", "cancelled")
    answer = await http.post(
        page.url + "/stop", json.dumps({"threadId": page.thread}), content_type="application/json"
    )
    assert answer.json() == {"stopped": False}


async def test_a_closed_connection_does_not_stop_the_run(page, open_page, script, running):
    gate = Gate()
    script([Say("Once "), gate, Say("upon a time")])
    page.say("go")
    events = page.events()
    async for event in events:
        if event["type"] == "TEXT_MESSAGE_CONTENT":
            break
    await events.aclose()
    # It comes back with nothing new, while the run is active: it is attached.
    again = asyncio.create_task(page.run())
    await asyncio.sleep(0.2)
    gate.open()
    await again
    assert page.texts == ["Once ", "upon a time"]
    assert (await settled(await in_database(Run.objects.get))).status == "complete"
    await the_same_after_a_reload(page, open_page)


async def test_the_stored_answer_comes_to_who_lost_it(page, script, running):
    adapter = script([Say("All of it")])
    page.say("go")
    body = page.input()
    await page.run(runId=body["runId"])
    page.messages = page.messages[:1]
    await page.run(runId=body["runId"])
    assert page.texts == ["All of it"]
    page.messages = page.messages[:1]
    await page.run()
    assert page.texts == ["All of it"]
    assert len(adapter.requests) == 1


async def test_regenerate_is_asked_for(page, script, running):
    script([Say("first")], [Say("second")])
    await page.run("go")
    page.messages = page.messages[:1]
    await page.run(forwardedProps={"agentui": {"regenerate": True}})
    assert page.texts == ["second"]


async def test_a_second_tab_follows_and_its_message_waits_its_turn(
    page, open_page, script, running
):
    gate = Gate()
    script([Say("A"), gate, Say("AA")], [Say("B")])
    first = asyncio.create_task(page.run("one"))
    await gate.reached()
    other = open_page(thread=page.thread)
    other.say("two")
    second = other.events()
    assert (await anext(second))["type"] == "RUN_STARTED"
    gate.open()
    assert [event async for event in second]
    await first
    assert [m["content"] for m in other.messages] == ["one", "A", "AA", "two", "B"]
    assert [m["content"] for m in page.messages] == ["one", "A", "AA", "two", "B"]


async def test_a_stream_that_is_read_late_tells_all_that_its_message_led_to(
    page, open_page, script, running, user
):
    """The answer of the message that waited is over before it is its turn to be told."""
    gate = Gate()
    script([Say("A"), gate, Say("AA")], [Say("B")], [Say("C")])
    first = asyncio.create_task(page.run("one"))
    await gate.reached()
    other = open_page(thread=page.thread)
    other.say("two")
    second = other.events()
    assert (await anext(second))["type"] == "RUN_STARTED"
    thread = await in_database(Thread.objects.get)
    parts = [{"type": "text", "text": "three"}]
    await in_database(lambda: actions.send_message(user, thread_id=thread.pk, parts=parts))
    operation = {"type": "set", "path": [], "value": {"seen": True}}
    await in_database(actions.set_state, user, thread.pk, [operation])
    gate.open()
    await first
    assert await in_database(Run.objects.filter(status="complete").count) == 3
    assert [event async for event in second]
    shown = ["one", "A", "AA", "two", "B", "three", "C"]
    assert [m["content"] for m in other.messages] == shown
    assert other.state == {"seen": True}
    await the_same_after_a_reload(other, open_page)


async def test_an_agent_that_rejects_while_it_works_says_409(
    page, open_page, script, running, monkeypatch
):
    from tests.agents import tester

    from .client import Refused

    monkeypatch.setattr(tester, "on_active", "reject")
    gate = Gate()
    script([gate, Say("A")])
    first = asyncio.create_task(page.run("one"))
    await gate.reached()
    other = open_page(thread=page.thread)
    with pytest.raises(Refused) as refused:
        await other.run("two")
    assert (refused.value.status, refused.value.code) == (409, "thread_busy")
    gate.open()
    await first


async def test_silence_makes_comments(page, script, running, settings):
    settings.AGENTUI = {**settings.AGENTUI, "HEARTBEAT_SECONDS": 0.05}
    gate = Gate()
    script([Say("a"), gate])
    task = asyncio.create_task(page.run("go"))
    await gate.reached()
    await asyncio.sleep(0.4)
    gate.open()
    await task
    assert page.pings >= 3


async def test_a_retry_leaves_nothing_of_the_first_try(page, open_page, script, running):
    script([Fail("busy", retryable=True)], [Say("Now.")])
    await page.run("go")
    assert page.texts == ["Now."]
    await the_same_after_a_reload(page, open_page)


async def test_who_follows_sees_what_another_door_says(page, open_page, script, running, user):
    script([Say("one")], [Say("two")], [Say("three")])
    await page.run("first")
    thread = await in_database(Thread.objects.get)
    sent = await in_database(
        actions.send_message,
        user,
        thread_id=thread.pk,
        parts=[{"type": "text", "text": "from the chat page"}],
    )
    await settled(sent.run)
    events = await page.run("third")
    assert "MESSAGES_SNAPSHOT" in types(events)
    assert sorted(page.texts) == ["one", "three", "two"]
    fresh = open_page(thread=str(thread.pk))
    [event async for event in fresh.events("/connect")]
    assert fresh.texts == ["one", "two", "three"]
