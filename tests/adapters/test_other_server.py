"""Whole runs with a model server that nobody here has written: @copilotkit/aimock, over three APIs."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from agentui.adapters.pydantic_ai import PydanticAIAdapter
from agentui.models import Message, Run, ToolCall
from agentui.runtime.database import in_database
from agentui.testing import settled
from hatch_build import node_command
from tests import npm
from tests.agents import tester
from tests.story import running, send

__all__ = ["running"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.flow]

HERE = Path(__file__).parents[1] / "model_server"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Its address."""
    npm.install(HERE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = "node_modules/@copilotkit/aimock/dist/cli.js"
    arguments = ("-p", str(port), "-f", "answers.json", "--strict", "--log-level", "warn")
    process = subprocess.Popen([*node_command("node"), program, *arguments], cwd=HERE)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(400):
            try:
                httpx.get(f"{url}/v1/models", timeout=1)
                break
            except httpx.TransportError:
                assert process.poll() is None, "the server did not start"
                time.sleep(0.05)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=10)


@pytest_asyncio.fixture(
    params=["openai:gpt-test", "openai-responses:gpt-test", "anthropic:claude-test"]
)
async def model(
    server: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[PydanticAIAdapter]:
    """The tester's model, asked at this server."""
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    adapter = PydanticAIAdapter(request.param, attempts=1, pause=0.01)
    monkeypatch.setattr(tester, "model", adapter)
    monkeypatch.setattr(tester, "settings", {"max_retries": 0})
    yield adapter
    await adapter.aclose()


async def answered(user: Any, text: str) -> tuple[Run, str, dict[str, str]]:
    """The run that answers, the words of its message, and its parts by kind."""
    run = await settled((await send(user, text)).run)
    parts = (await in_database(Message.objects.get, run=run)).parts
    by_kind = {part["type"]: part.get("text", "") for part in parts}
    return run, "".join(p["text"] for p in parts if p["type"] == "text"), by_kind


async def test_text(user, running, model):
    run, text, _ = await answered(user, "hello")
    assert (run.status, text) == ("complete", "Hello from elsewhere. 👋")
    if model.name.startswith("openai:"):
        # Over the other APIs this server counts nothing.
        assert run.usage["output_tokens"] > 0


async def test_two_calls_and_what_came_of_them(user, running, model):
    run, text, _ = await answered(user, "add")
    calls = await in_database(lambda: list(ToolCall.objects.order_by("position")))
    assert [call.result for call in calls] == [5, 9]
    assert (run.status, run.roundtrips) == ("complete", 2)
    assert text == "Let me add. They are 5 and 9."


async def test_reasoning_stands_apart(user, running, model):
    run, text, by_kind = await answered(user, "think")
    assert (run.status, text) == ("complete", "Thought.")
    if model.name.startswith("openai:"):
        assert by_kind["reasoning"] == "Hm, well."


async def test_a_busy_server_is_an_error_in_plain_words(user, running, model):
    run, text, _ = await answered(user, "busy")
    assert (run.status, run.reason, text) == ("incomplete", "error", "")
    assert run.error["code"] == "model_rate_limited"


async def test_a_stream_that_breaks_off_keeps_its_beginning(user, running, model):
    run, text, _ = await answered(user, "break")
    assert run.status == "incomplete"
    assert "one two three four five".startswith(text)
