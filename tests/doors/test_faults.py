"""Known faults of this kind of software, by their numbers in tests/faults.md: sockets and feeds."""

from __future__ import annotations

import asyncio
import json
import uuid

import pytest
from channels.layers import get_channel_layer
from django.test import Client

from agentui import Agent, tool
from agentui.agents import registry
from agentui.models import Message, Run, Thread, ToolCall
from agentui.runtime import publish
from agentui.runtime.database import in_database
from agentui.testing import Call, Gate, Say, ScriptedAdapter, open_socket, settled
from tests.runtime.conftest import send

from .page import Page
from .test_following import subscribed

pytestmark = pytest.mark.django_db(transaction=True)

TOKENS = tuple(f"t{n} " for n in range(500))


async def test_fault_55_of_two_tabs_one_runs_the_call_and_one_answer_counts(user, script, running):
    script([Call("ask", {"question": "?"})], [Say("ok")])
    run = await settled((await send(user)).run)
    call = str((await in_database(ToolCall.objects.get)).pk)
    async with open_socket(user) as a, open_socket(user) as b:
        first = await a.command("claim_tool_call", tool_call=call, tab="A")
        second = await b.command("claim_tool_call", tool_call=call, tab="B")
        assert (first["type"], second["code"]) == ("ack", "claimed_elsewhere")
        one = await a.command("submit_tool_result", tool_call=call, tab="A", result="a")
        two = await b.command("submit_tool_result", tool_call=call, tab="B", result="b")
        assert (one["accepted"], two["accepted"]) == (True, False)
    run = await settled(run)
    assert (run.status, run.attempt) == ("complete", 2)
    assert (await in_database(ToolCall.objects.get)).result == "a"


async def test_fault_58_the_same_command_from_two_sockets_is_one_message(user, script, running):
    script([Say("ok")], [Say("ok")])
    thread = await in_database(lambda: Thread.objects.create(owner=user, agent="tester"))
    one, two = str(uuid.uuid4()), str(uuid.uuid4())
    async with open_socket(user) as a, open_socket(user) as b, open_socket(user) as c:

        def say(socket, key, text):
            parts = [{"type": "text", "text": text}]
            return socket.command("send_message", id=key, thread=str(thread.pk), parts=parts)

        answers = await asyncio.gather(say(a, one, "a"), say(b, one, "a"), say(c, two, "b"))
    assert answers[0]["message"] == answers[1]["message"] != answers[2]["message"]
    assert await in_database(Message.objects.filter(role="user").count) == 2


async def test_fault_59_who_comes_back_finds_the_question_and_the_answer_being_written(
    user, script, running
):
    gate = Gate()
    script([Say("old answer")], [Say("new"), gate, Say(" answer")])
    first = await send(user, "one")
    await settled(first.run)
    second = await send(user, "two", thread_id=first.thread.pk)
    await gate.reached()
    async with open_socket(user) as socket:
        page = await subscribed(socket, first.thread.pk)
        answer = str(second.run.message_id)
        await page.follow(socket, lambda p: answer in p.messages and p.text(answer) == "new")
        order = [row["id"] for row in sorted(page.messages.values(), key=lambda row: row["seq"])]
        ids = (first.message, first.run.message, second.message, second.run.message)
        assert order == [str(message.pk) for message in ids]
        gate.open()
        await page.follow(socket, lambda p: p.is_over(answer))
        assert page.text(str(first.run.message_id)) == "old answer"


async def test_fault_64_one_id_everywhere(user, script, running):
    script([Say("x"), Call("needs_the_user", {"name": "x"})])
    async with open_socket(user) as socket:
        sent = await send(user)
        page = await subscribed(socket, sent.thread.pk)
        await page.follow(
            socket, lambda p: any(r["status"] == "requires_action" for r in p.runs.values())
        )
    followed = [row["id"] for row in sorted(page.messages.values(), key=lambda row: row["seq"])]
    async with open_socket(user) as socket:
        late = await subscribed(socket, sent.thread.pk)
        late.take(await socket.until("snapshot"))
    assert sorted(late.messages) == sorted(page.messages)
    assert late.tool_calls.keys() == page.tool_calls.keys()

    def listed() -> list[str]:
        client = Client()
        client.force_login(user)
        answer = client.get(f"/agentui/api/threads/{sent.thread.pk}/messages/").json()
        rows = answer["messages"] if "messages" in answer else answer["results"]
        return [row["id"] for row in rows]

    assert await in_database(listed) == followed


async def test_fault_65_a_page_that_closes_stops_nothing(user, script, running):
    gate = Gate()
    script([Say("Half"), gate, Say(" and whole")])
    async with open_socket(user) as socket:
        sent = await send(user)
        await subscribed(socket, sent.thread.pk)
        await gate.reached()
    gate.open()
    run = await settled(sent.run)
    assert (run.status, run.message.text) == ("complete", "Half and whole")


async def test_fault_68_a_burst_over_the_layers_capacity_arrives_whole(
    user, script, running, settings
):
    settings.AGENTUI = {**settings.AGENTUI, "COALESCE_INTERVAL": 0.0, "FEED_POLL_INTERVAL": 0.5}
    script([Say(TOKENS)])
    sent = await send(user)
    message = str(sent.run.message_id)
    async with open_socket(user) as socket:
        page = await subscribed(socket, sent.thread.pk)
        await settled(sent.run)
        await page.follow(socket, lambda p: p.is_over(message))
    assert page.text(message) == "".join(TOKENS)
    assert page.gaps == 0


async def test_fault_69_fifty_quick_reconnects_leave_nothing_behind(user, script, running):
    gate = Gate()
    script([Say(TOKENS[:50]), gate, Say(TOKENS[50:])])
    sent = await send(user)
    message = str(sent.run.message_id)
    async with open_socket(user):
        pass
    before = names()
    for _ in range(50):
        async with open_socket(user) as socket:
            await socket.communicator.send_to(
                text_data=f'{{"id": "1", "type": "subscribe", "thread": "{sent.thread.pk}"}}'
            )
            await asyncio.sleep(0)
    async with open_socket(user) as socket:
        page = await subscribed(socket, sent.thread.pk)
        gate.open()
        await page.follow(socket, lambda p: p.is_over(message))
        assert page.text(message) == "".join(TOKENS)
        layer = get_channel_layer()
        if hasattr(layer, "groups"):
            group = publish.thread_group(sent.thread.pk)
            async with asyncio.timeout(5):
                while len(layer.groups.get(group, ())) > 1:
                    await asyncio.sleep(0.02)
    # A layer may take a moment to take each leave.
    async with asyncio.timeout(10):
        while len(names()) > len(before):
            await asyncio.sleep(0.05)


def names() -> list[str]:
    return [task.get_name() for task in asyncio.all_tasks() if "agentui" in task.get_name()]


async def test_fault_70_a_page_sees_the_answer_though_no_hint_ever_comes(
    user, script, running, settings
):
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "agentui.testing.chaos.ChaosChannelLayer",
            "CONFIG": {"drop": 1.0},
        }
    }
    settings.AGENTUI = {**settings.AGENTUI, "FEED_POLL_INTERVAL": 0.1}
    script([Say("All of it.")], delay=0.01)
    sent = await send(user)
    message = str(sent.run.message_id)
    async with open_socket(user) as socket:
        page = await subscribed(socket, sent.thread.pk)
        await page.follow(socket, lambda p: p.is_over(message))
    assert page.text(message) == "All of it."


async def test_fault_71_a_group_message_of_an_unknown_type_ends_no_socket(user, script, running):
    script([Say("x")])
    sent = await send(user)
    await settled(sent.run)
    async with open_socket(user) as socket:
        await subscribed(socket, sent.thread.pk)
        await socket.until("snapshot")
        layer = get_channel_layer()
        for group in (publish.thread_group(sent.thread.pk), publish.user_group(user.pk)):
            for kind in ("new.event", "websocket.disconnect", "agentui.hint"):
                await layer.group_send(group, {"type": kind, "kind": "unheard of", "version": 0})
        assert (await socket.command("ping"))["type"] == "pong"
    assert await in_database(Run.objects.count) == 1


async def test_fault_74_a_result_of_five_megabytes_reaches_neither_page_nor_model(
    user, script, running
):
    @tool
    def dump() -> str:
        """All of it."""
        return "x" * 5_000_000

    adapter = ScriptedAdapter([[Call("dump")], [Say("Too much.")]])
    with registry.temporary(Agent("dumper", model=adapter, tools=[dump])):
        async with open_socket(user) as socket:
            sent = await send(user, agent="dumper")
            page = await subscribed(socket, sent.thread.pk)
            message = str(sent.run.message_id)
            await page.follow(socket, lambda p: p.is_over(message))
            assert max(len(json.dumps(frame)) for frame in socket.frames) < 100_000
    (call,) = page.tool_calls.values()
    assert call["status"] == "failed"
    assert "Ask it for less" in call["result"]
    assert page.text(message) == "Too much."


async def test_every_byte_of_what_is_stored_is_shown_whatever_the_layer_does(
    user, script, running, settings
):
    """30 % of the live messages dropped, 10 % doubled, all of them out of order."""
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "agentui.testing.chaos.ChaosChannelLayer",
            "CONFIG": {"drop": 0.3, "double": 0.1, "delay": 0.08, "seed": 11},
        }
    }
    settings.AGENTUI = {**settings.AGENTUI, "FEED_POLL_INTERVAL": 0.2, "COALESCE_INTERVAL": 0.001}
    words = tuple(f"é{n}🎉 " for n in range(400))
    script([Say(words), Call("add", {"a": 1, "b": 2})], [Say(words[::-1])], delay=0.0005)
    sent = await send(user)
    message = str(sent.run.message_id)
    pages = []

    async def follow(wait: float) -> None:
        page = Page()
        pages.append(page)
        await asyncio.sleep(wait)
        while not page.is_over(message):
            async with open_socket(user) as socket:
                after = page.cursor if page.version >= 0 else None
                await subscribed(socket, sent.thread.pk, page, after=after)
                for _ in range(40):
                    page.take(await socket.next(10))
                    if page.is_over(message):
                        break

    await asyncio.gather(*(follow(n * 0.1) for n in range(3)))
    run = await settled(sent.run)
    for page in pages:
        shown = page.messages[message]["parts"]
        assert [_bytes(part) for part in shown] == [_bytes(part) for part in run.message.parts]
        assert page.gaps == 0


def _bytes(part) -> bytes:
    return (part.get("text") or part["id"]).encode()
