"""The channel layer's server is away, or comes back: pages are slower meanwhile, and miss nothing."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer, get_channel_layer

from agentui.runtime import publish
from agentui.testing import Gate, Say, open_socket, settled
from tests.story import send

from .test_following import subscribed

pytestmark = pytest.mark.django_db(transaction=True)

NOBODY = "redis://127.0.0.1:1"
LAYERS = {
    "core": "channels_redis.core.RedisChannelLayer",
    "pubsub": "channels_redis.pubsub.RedisPubSubChannelLayer",
}


class Unsteady(InMemoryChannelLayer):
    """A layer that is away until it is not; then it has forgotten who was in which group."""

    is_away = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.tried_at: list[float] = []

    async def new_channel(self, prefix: str = "specific") -> str:
        self.tried_at.append(time.monotonic())
        if self.is_away:
            raise ConnectionError
        return await super().new_channel(prefix)

    async def receive(self, channel: str) -> Any:
        receiving = asyncio.ensure_future(super().receive(channel))
        try:
            while not receiving.done():
                await asyncio.wait({receiving}, timeout=0.02)
                if self.is_away:
                    raise ConnectionError
            return receiving.result()
        finally:
            receiving.cancel()


@pytest.mark.parametrize("kind", LAYERS)
async def test_a_page_works_although_there_is_no_redis(user, script, running, settings, kind):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": LAYERS[kind], "CONFIG": {"hosts": [NOBODY]}}}
    settings.AGENTUI = {**settings.AGENTUI, "FEED_POLL_INTERVAL": 0.1}
    script([Say("All of it.")], [Say("And more.")], delay=0.01)
    async with open_socket(user) as socket:
        parts = [{"type": "text", "text": "Hello"}]
        answer = await socket.command("send_message", agent="tester", parts=parts)
        page = await subscribed(socket, answer["thread"])
        await page.follow(
            socket, lambda p: any(map(p.is_over, set(p.messages) - {answer["message"]}))
        )
        # And goes on, although nobody could be told of what happens from here on.
        sent = await send(user, "more", thread_id=answer["thread"])
        message = str(sent.run.message_id)
        await page.follow(socket, lambda p: p.is_over(message))
    assert page.text(message) == "And more."
    assert (await settled(sent.run)).status == "complete"


async def test_pages_hear_again_once_the_layer_is_back(user, script, running, settings):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "tests.doors.test_layer_away.Unsteady"}}
    settings.AGENTUI = {**settings.AGENTUI, "FEED_POLL_INTERVAL": 0.1}
    gates = [Gate(), Gate(), Gate()]
    script([Say("one "), gates[0], Say("two "), gates[1], Say("three "), gates[2], Say("four")])
    layer = get_channel_layer()
    sent = await send(user)
    message = str(sent.run.message_id)
    group = publish.thread_group(sent.thread.pk)
    async with open_socket(user) as socket:
        page = await subscribed(socket, sent.thread.pk)
        await page.follow(socket, lambda p: p.messages and p.text(message) == "one ")
        for number, text in enumerate(("one two ", "one two three ")):
            assert not layer.groups.get(group)
            layer.is_away = False
            async with asyncio.timeout(10):
                while not layer.groups.get(group):
                    await asyncio.sleep(0.01)
            gates[number].open()
            await page.follow(socket, lambda p, text=text: p.text(message) == text)
            # Its server is restarted, and knows of no group any more.
            layer.is_away = True
            async with asyncio.timeout(10):
                while layer.groups.get(group):
                    await asyncio.sleep(0.01)
        gates[2].open()
        await page.follow(socket, lambda p: p.is_over(message))
    assert page.text(message) == "one two three four"
    assert page.gaps == 0


async def test_many_pages_do_not_all_knock_at_a_layer_that_is_away(user, script, running, settings):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "tests.doors.test_layer_away.Unsteady"}}
    settings.AGENTUI = {**settings.AGENTUI, "FEED_POLL_INTERVAL": 0.2}
    gate = Gate()
    script([gate, Say("Done.")])
    sent = await send(user)
    layer = get_channel_layer()

    async def follow() -> None:
        async with open_socket(user) as socket:
            page = await subscribed(socket, sent.thread.pk)
            await page.follow(socket, lambda p: p.is_over(str(sent.run.message_id)))

    async with open_socket(user):
        pages = [asyncio.create_task(follow()) for _ in range(20)]
        await gate.reached()
        async with asyncio.timeout(10):
            while len(layer.tried_at) < 6:
                await asyncio.sleep(0.05)
        gate.open()
        await asyncio.gather(*pages)
    # One at a time, each after a rest.
    assert all(later - earlier >= 0.15 for earlier, later in pairwise(layer.tried_at))
