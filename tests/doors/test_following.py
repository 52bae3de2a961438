"""Pages that follow a thread: every token, once, whatever the channel layer does."""

from __future__ import annotations

import asyncio
import uuid

import pytest
from channels.layers import get_channel_layer

from agentui import actions
from agentui.core.events import UpdateState
from agentui.models import Message, Thread
from agentui.runtime.database import in_database
from agentui.runtime.recovery import recover
from agentui.testing import Call, Event, Gate, Say, open_socket, runtime, settled
from tests.runtime.test_recovery import committed, lose_lease
from tests.story import send

from .page import Page

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = " ".join(f"word{n}" for n in range(300))


async def subscribed(socket, thread_id, page=None, after=None) -> Page:
    page = page or Page()
    fields = {"after": after} if after else {}
    answer = await socket.command("subscribe", thread=str(thread_id), **fields)
    assert answer["type"] == "ack", answer
    return page


def stored_text(message: Message) -> str:
    return "".join(part["text"] for part in message.parts if part["type"] == "text")


async def test_a_page_that_follows_sees_what_is_stored(user, script, running):
    script([Say(WORDS), Call("add", {"a": 1, "b": 2})], [Say("So it is 3.")], delay=0.001)
    async with open_socket(user) as socket:
        gate = await send(user)
        page = await subscribed(socket, gate.thread.pk)
        await page.follow(socket, lambda page: page.is_over(str(gate.run.message_id)))
    run = await settled(gate.run)
    assert page.text(str(run.message_id)) == WORDS + "So it is 3."
    assert [call["status"] for call in page.tool_calls.values()] == ["complete"]


async def test_two_pages_show_the_same_and_one_that_comes_late_is_given_the_beginning(
    user, script, running
):
    gate = Gate()
    script([Say(WORDS), gate, Say(" the end")])
    async with open_socket(user) as first, open_socket(user) as second:
        sent = await send(user)
        message = str(sent.run.message_id)
        one = await subscribed(first, sent.thread.pk)
        await one.follow(first, lambda p: message in p.messages and p.text(message) == WORDS)
        two = await subscribed(second, sent.thread.pk)
        await two.follow(second, lambda p: message in p.messages and p.text(message) == WORDS)
        gate.open()
        await one.follow(first, lambda p: p.is_over(message))
        await two.follow(second, lambda p: p.is_over(message))
    assert one.text(message) == two.text(message) == WORDS + " the end"
    assert one.messages[message]["parts"] == two.messages[message]["parts"]


async def test_a_page_that_reconnects_goes_on_from_its_cursor(user, script, running):
    first_half, rest = Gate(), Gate()
    script([Say(WORDS[:900]), first_half, Say(WORDS[900:]), rest, Say("!")])
    sent = await send(user)
    message = str(sent.run.message_id)
    async with open_socket(user) as socket:
        page = await subscribed(socket, sent.thread.pk)
        await page.follow(
            socket, lambda p: message in p.messages and p.text(message) == WORDS[:900]
        )
    first_half.open()
    await rest.reached()
    async with open_socket(user) as socket:
        await subscribed(socket, sent.thread.pk, page, after=page.cursor)
        await page.follow(socket, lambda p: p.text(message) == WORDS)
        rest.open()
        await page.follow(socket, lambda p: p.is_over(message))
    run = await settled(sent.run)
    assert page.text(message) == stored_text(run.message) == WORDS + "!"
    assert page.gaps == 0


@pytest.mark.parametrize("seed", range(4))
async def test_every_token_arrives_once_though_the_layer_drops_doubles_and_reorders(
    user, script, running, settings, seed
):
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "agentui.testing.chaos.ChaosChannelLayer",
            "CONFIG": {"drop": 0.3, "double": 0.1, "delay": 0.05, "seed": seed},
        }
    }
    settings.AGENTUI = {**settings.AGENTUI, "FEED_POLL_INTERVAL": 0.3, "COALESCE_INTERVAL": 0.002}
    script(
        [Say(WORDS), Call("add", {"a": 1, "b": 2})],
        [Say(WORDS[::-1]), Call("needs_the_user", {"name": "x"})],
        delay=0.001,
    )
    pages = [Page() for _ in range(3)]
    sent = await send(user)

    async def follow(page: Page, wait: float) -> None:
        await asyncio.sleep(wait)
        async with open_socket(user) as socket:
            await subscribed(socket, sent.thread.pk, page)
            await page.follow(
                socket,
                lambda p: any(run["status"] == "requires_action" for run in p.runs.values()),
            )

    await asyncio.gather(*(follow(page, n * 0.15) for n, page in enumerate(pages)))
    run = await settled(sent.run)
    for page in pages:
        assert page.text(str(run.message_id)) == stored_text(run.message) == WORDS + WORDS[::-1]
        assert [call["status"] for call in page.tool_calls.values()] == [
            "complete",
            "awaiting_approval",
        ]
        assert page.gaps == 0
    assert get_channel_layer().dropped > 0


async def test_a_thread_deleted_elsewhere_is_told(user, script, running):
    from agentui import actions

    script([Say("x")])
    sent = await send(user)
    await settled(sent.run)
    async with open_socket(user) as socket:
        await subscribed(socket, sent.thread.pk)
        await socket.until("snapshot")
        await in_database(actions.delete_thread, user, sent.thread.pk)
        frame = await socket.until("thread_deleted")
    assert frame["thread_id"] == str(sent.thread.pk)
    assert uuid.UUID(frame["thread_id"])


@pytest.mark.parametrize("end", ["is stopped", "is given up"])
async def test_what_a_dead_worker_had_shown_is_kept_when_its_run(user, script, settings, end):
    """Nobody begins the run again, so what the page shows has to be what is stored."""
    settings.AGENTUI = {**settings.AGENTUI, "MAX_WORKERS_LOST": 1 if "given" in end else 5}
    gate = Gate()
    plan = UpdateState(({"type": "set", "path": ["plan"], "value": "half"},))
    script([Event(plan), Say("Half an ans"), gate], [Say("never")])
    async with runtime():
        sent = await send(user)
        await gate.reached()
        message = str(sent.run.message_id)
        async with open_socket(user) as socket:
            page = await subscribed(socket, sent.thread.pk)
            await page.follow(
                socket, lambda p: message in p.messages and p.text(message) == "Half an ans"
            )
        await committed(sent.run, "Half an ans")
    # The process is gone. Another one finds the run, and no worker takes it up.
    await in_database(lose_lease, sent.run.pk)
    await in_database(recover, None)
    if end == "is stopped":
        await in_database(actions.cancel_run, user, sent.run.pk)
    async with open_socket(user) as socket:
        await subscribed(socket, sent.thread.pk, page, after=page.cursor)
        await page.follow(socket, lambda p: p.is_over(message))
    stored = await in_database(Message.objects.get, pk=message)
    assert page.messages[message]["parts"] == stored.parts
    assert stored_text(stored) == "Half an ans"
    assert stored.status == "incomplete"
    assert (await in_database(Thread.objects.get)).state == {"plan": "half"}
