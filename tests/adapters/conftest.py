"""A provider on the loopback, and adapters that know no other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio

from agentui.adapters import get_adapter
from agentui.adapters.pydantic_ai import PydanticAIAdapter

from .provider_server import ProviderServer, provider_server

OPENAI = "openai:test-model"
ANTHROPIC = "anthropic:claude-test"
RESPONSES = "openai-responses:gpt-5.2"


def model_for(stream: str) -> str:
    """The model that speaks what the stream of that name is written in."""
    kinds = {"anthropic": ANTHROPIC, "responses": RESPONSES}
    return kinds.get(stream.partition("_")[0], OPENAI)


@pytest_asyncio.fixture
async def provider(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ProviderServer]:
    """The server, and the environment that leads every model there."""
    async with provider_server() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-openai")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-anthropic")
        for proxy in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"):
            monkeypatch.delenv(proxy, raising=False)
        yield server


@pytest_asyncio.fixture
async def adapter_for(provider: ProviderServer) -> AsyncIterator[Any]:
    """A function: the adapter for a model name, closed when the test is over."""
    async with AsyncExitStack() as stack:

        def make(model: str = OPENAI, **options: Any) -> PydanticAIAdapter:
            get_adapter(model)  # The public door takes the same names.
            adapter = PydanticAIAdapter(model, **{"attempts": 2, "pause": 0.01} | options)
            stack.push_async_callback(adapter.aclose)
            return adapter

        yield make
