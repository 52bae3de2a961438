"""Fault 77: no stream is held back by compression or by the server, under both ASGI servers.

The answer waits in the middle until the client has seen its beginning. A stream that came in one
block would therefore never come.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.protocols.bodies import requests
from tests.protocols.live import live_site

pytestmark = [pytest.mark.flow]


@pytest.fixture(scope="module", params=["uvicorn", "daphne"])
def site(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """Its GZipMiddleware is on."""
    with live_site(server=request.param) as site:
        yield site


async def follow(client: httpx.AsyncClient, name: str) -> tuple[str, dict[str, str]]:
    """What came after the beginning was seen, and the headers."""
    gate = str(uuid.uuid4())
    path, body = requests(f"hold {gate}")[name]
    text, is_open = "", False
    async with client.stream("POST", path, json=body) as answer:
        assert answer.status_code == 200, await answer.aread()
        async for piece in answer.aiter_text():
            text += piece
            if "first" in text and not is_open:
                is_open = True
                opened = await client.get(f"/gates/{gate}")
                assert opened.status_code == 200
        return text, dict(answer.headers)


async def test_every_stream_comes_as_it_is_written(site: dict[str, Any]) -> None:
    headers = {**site["people"]["ada"]["headers"], "Accept-Encoding": "gzip"}
    async with (
        asyncio.timeout(30),
        httpx.AsyncClient(base_url=site["url"], headers=headers, timeout=30) as client,
    ):
        names = list(requests(""))
        answers = await asyncio.gather(*(follow(client, name) for name in names))
    for name, (text, sent) in zip(names, answers, strict=True):
        assert "last" in text, name
        assert sent["x-accel-buffering"] == "no", name
        assert sent["cache-control"] == "no-cache, no-transform", name
        assert sent["content-encoding"] == "identity", name
