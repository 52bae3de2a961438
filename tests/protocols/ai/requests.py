"""Requests to the protocols from async tests, as a page of the user would send them."""

from __future__ import annotations

import json
from typing import Any

from django.test import AsyncClient

from agentui.runtime.database import in_database

_PREFIX = "/agentui/protocols"
CHAT = f"{_PREFIX}/ai-sdk/tester/chat"
PLAIN = f"{_PREFIX}/plain-text/tester/chat"
DATA = f"{_PREFIX}/data-stream/tester/run"
TRANSPORT = f"{_PREFIX}/assistant-transport/tester/run"
CLOUD = f"{_PREFIX}/assistant-cloud/tester/v1"


async def page_of(user: Any) -> AsyncClient:
    client = AsyncClient()
    await in_database(client.force_login, user)
    return client


async def post(client: AsyncClient, path: str, body: Any, **headers: str) -> tuple[int, str]:
    response = await client.post(
        path, json.dumps(body), content_type="application/json", headers=headers
    )
    if not response.streaming:
        return response.status_code, response.content.decode()
    text = b"".join([chunk async for chunk in response.streaming_content])
    return response.status_code, text.decode()


def chunks_of(text: str) -> list[dict[str, Any]]:
    """The chunks of a UI message stream; the stream must end with ``[DONE]``."""
    frames = [frame for frame in text.split("\n\n") if frame and not frame.startswith(":")]
    assert frames.pop() == "data: [DONE]"
    return [json.loads(frame.removeprefix("data: ")) for frame in frames]


def shown(text: str) -> str:
    """What a page shows of a UI message stream; where a text is cut into deltas is nobody's promise."""
    return "".join(chunk.get("delta", "") for chunk in chunks_of(text))


def user_message(text: str, id: str = "u1") -> dict[str, Any]:
    return {"id": id, "role": "user", "parts": [{"type": "text", "text": text}]}


def said(*texts: str, chat: str = "c", **more: Any) -> dict[str, Any]:
    """A request of useChat with these user messages; the last is the new one."""
    messages = [user_message(text, f"u{n}") for n, text in enumerate(texts)]
    return {"id": chat, "trigger": "submit-message", "messages": messages, **more}
