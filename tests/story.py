"""How a test tells a story: a script for the model, a runtime for the loop, a message to begin."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from channels.layers import channel_layers

from agentui import actions
from agentui.runtime.database import in_database
from agentui.testing import ScriptedAdapter, runtime
from tests.agents import tester


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScriptedAdapter]:
    """Put a script in the tester's place of a model: ``script([Say("hi")], [...])``."""

    def play(*roundtrips: Any, **options: Any) -> ScriptedAdapter:
        adapter = ScriptedAdapter(list(roundtrips), **options)
        monkeypatch.setattr(tester, "model", adapter)
        return adapter

    return play


@pytest.fixture
async def running() -> AsyncIterator[None]:
    """The runtime, in the test's own event loop."""
    async with runtime():
        yield


@pytest.fixture
def immediate(settings: Any) -> None:
    """Runs are carried out at once, in the test's own transaction."""
    settings.AGENTUI = {**settings.AGENTUI, "LAUNCHER": "immediate"}


@pytest.fixture(autouse=True)
def fresh_layer() -> Iterator[None]:
    """Each test has a channel layer of its own: a layer lives in one event loop."""
    channel_layers.backends = {}
    yield
    channel_layers.backends = {}


async def send(user: Any, text: str = "Hello", **fields: Any) -> actions.Sent:
    """Send a message from async code."""
    fields.setdefault("agent", "tester" if "thread_id" not in fields else None)
    return await in_database(
        actions.send_message, user, parts=[{"type": "text", "text": text}], **fields
    )
