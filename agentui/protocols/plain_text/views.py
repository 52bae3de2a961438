"""The HTTP route of plain text. The request is the AI SDK's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from ...runtime.database import in_database
from ..http import event_stream, protocol_view, read_json, require_asgi
from ..plan import Plan, answer
from ..ui_message_stream.decoder import decode_chat
from ..ui_message_stream.plan import make_plan
from .encoder import PlainTextEncoder

DOOR = "plain_text"
CONTENT_TYPE = "text/plain; charset=utf-8"


@protocol_view("POST", scope="send")
async def chat(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """A new message; what comes back are the words of the answer."""
    require_asgi(request)
    body = decode_chat(await read_json(request))
    plan = await in_database(make_plan, user, agent, body, DOOR)
    return event_stream(text(plan, user), request, content_type=CONTENT_TYPE)


async def text(plan: Plan, user: Any) -> AsyncIterator[str]:
    """The response's body. Text has no place for errors: one is a line of its own at the end."""
    encoder = PlainTextEncoder(plan.parts)
    async with aclosing(answer(plan, user, encoder.encode)) as texts:
        async for text in texts:
            yield text
