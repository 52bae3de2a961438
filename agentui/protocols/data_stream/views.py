"""The HTTP route of ``useDataStreamRuntime``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from ...runtime.database import in_database
from ..http import event_stream, protocol_view, read_json, require_asgi
from ..plan import Plan, answer
from .decoder import decode_prompt
from .encoder import DataStreamEncoder
from .plan import make_plan

DOOR = "data_stream"
HEADERS = {"x-vercel-ai-data-stream": "v1"}
CONTENT_TYPE = "text/plain; charset=utf-8"


@protocol_view("POST", scope="send")
async def run(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """A new message, results of the page's calls, or another answer.

    ``?approvals=1`` sends approvals as lines of their own, for clients that know them.
    """
    require_asgi(request)
    body = decode_prompt(await read_json(request))
    plan = await in_database(make_plan, user, agent, body, DOOR)
    with_approvals = request.GET.get("approvals") == "1"
    headers = {**HEADERS, "x-agentui-thread": str(plan.thread)}
    return event_stream(
        lines(plan, user, with_approvals=with_approvals),
        request,
        content_type=CONTENT_TYPE,
        headers=headers,
    )


async def lines(plan: Plan, user: Any, *, with_approvals: bool) -> AsyncIterator[str]:
    """The response's body; an empty line is a sign of life."""
    encoder = DataStreamEncoder(plan.parts, with_approvals=with_approvals)
    async with aclosing(answer(plan, user, encoder.encode, ping="\n")) as texts:
        async for text in texts:
            yield text
    yield "".join(encoder.end())
