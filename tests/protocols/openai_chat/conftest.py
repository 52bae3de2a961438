from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import openai
import pytest

from tests.protocols.live import live_site


@pytest.fixture(scope="module")
def site() -> Iterator[dict[str, Any]]:
    with live_site() as site:
        yield site


@pytest.fixture
def client(site: dict[str, Any]) -> Iterator[openai.OpenAI]:
    """OpenAI's own client, as ada."""
    with openai.OpenAI(
        base_url=f"{site['url']}/agentui/protocols/openai/v1",
        api_key=site["people"]["ada"]["token"],
    ) as client:
        yield client


@pytest.fixture
def ask(client: openai.OpenAI) -> Callable[..., Any]:
    """``ask("hello", ...)``: one request; texts are the user's, and the rest are messages."""

    def send(*messages: Any, **fields: Any) -> Any:
        as_sent = [
            {"role": "user", "content": one} if isinstance(one, str) else one for one in messages
        ]
        return client.chat.completions.create(model="helper", messages=as_sent, **fields)

    return send
