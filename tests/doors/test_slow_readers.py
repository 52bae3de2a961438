"""A page that does not read is sent no more than its window, and misses nothing when it does."""

from __future__ import annotations

import asyncio
import json

import pytest

from agentui.consumers.socket import CLOSE_TOO_SLOW
from agentui.runtime.database import in_database
from agentui.runtime.feed_reads import snapshot
from agentui.testing import Say, open_socket, settled
from tests.runtime.conftest import send

from .page import Page
from .test_following import subscribed

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "".join(f"{n:07d} " for n in range(20_000))


@pytest.fixture
def small_window(settings):
    settings.AGENTUI = {
        **settings.AGENTUI,
        "SOCKET_WINDOW_BYTES": 20_000,
        "SOCKET_SILENCE_SECONDS": 1.0,
    }


def waiting_bytes(socket) -> int:
    """What the server holds for this page."""
    queue = socket.communicator.output_queue
    return sum(len(item.get("text", "")) for item in queue._queue)


async def test_what_a_page_does_not_read_is_not_piled_up_for_it(
    user, script, running, settings, small_window
):
    settings.AGENTUI = {**settings.AGENTUI, "SOCKET_SILENCE_SECONDS": 60.0}
    script([Say(tuple(LONG[at : at + 80] for at in range(0, len(LONG), 80)))], delay=0.0002)
    async with open_socket(user) as socket:
        sent = await send(user)
        page = await subscribed(socket, sent.thread.pk)
        run = await settled(sent.run, seconds=30)
        await asyncio.sleep(0.3)
        # 160,000 characters were written; the page read nothing of it and said nothing.
        assert waiting_bytes(socket) < 120_000
        message = str(run.message_id)

        async def read() -> None:
            while not page.is_over(message):
                page.take(await socket.next(10))

        async def show_life() -> None:
            while True:
                await socket.send_text('{"type": "ping", "id": "x"}')
                await asyncio.sleep(0.05)

        alive = asyncio.create_task(show_life())
        try:
            await read()
        finally:
            alive.cancel()
    assert page.text(message) == LONG
    assert page.gaps == 0


async def test_a_page_that_stays_silent_is_closed_and_comes_back_with_its_cursor(
    user, script, running, small_window
):
    script([Say(tuple(LONG[at : at + 80] for at in range(0, len(LONG), 80)))], delay=0.0002)
    page = Page()
    sent = await send(user)
    message = str(sent.run.message_id)
    visits = 0
    while not page.is_over(message):
        visits += 1
        async with open_socket(user) as socket:
            after = page.cursor if page.version >= 0 else None
            await subscribed(socket, sent.thread.pk, page, after=after)
            while not page.is_over(message):
                frame = await socket.communicator.receive_output(timeout=10)
                if frame["type"] == "websocket.close":
                    assert frame["code"] == CLOSE_TOO_SLOW
                    break
                page.take(json.loads(frame["text"]))
    assert visits > 1
    assert page.text(message) == LONG
    assert page.gaps == 0
    stored = await in_database(snapshot, sent.thread.pk, user)
    assert stored["messages"][-1]["parts"] == page.messages[message]["parts"]
