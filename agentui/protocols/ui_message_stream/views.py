"""The AI SDK's HTTP routes: ``useChat`` with ``DefaultChatTransport``, assistant-ui's chat runtime."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from ... import actions
from ...core.statuses import RunStatus
from ...exceptions import NotFound
from ...models import Run
from ...runtime.database import in_database
from .. import items as it
from ..http import SSE_PING, event_stream, protocol_view, read_json, require_asgi
from ..identity import thread_of
from ..pacing import server_tools
from ..plan import Plan, answer
from ..taking import latest_run
from ..wire import DONE, sse
from .decoder import decode_chat
from .encoder import UIMessageEncoder
from .plan import history, make_plan

DOOR = "ui_message_stream"
HEADERS = {"x-vercel-ai-ui-message-stream": "v1"}
_LONGEST_WAIT = 55.0
_LOOK_AGAIN = 0.25


@protocol_view("POST", scope="send")
async def chat(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """A new message, a continuation, or another answer; what comes back is the run's message."""
    require_asgi(request)
    body = decode_chat(await read_json(request))
    plan = await in_database(make_plan, user, agent, body, DOOR)
    return event_stream(frames(plan, user), request, headers=HEADERS)


@protocol_view("GET")
async def resume(request: HttpRequest, user: Any, agent: str, chat: str) -> HttpResponseBase:
    """The stream of the run that is active now, from its message's first part on; 204 without one.

    ``?wait=<seconds>`` holds the answer back until a run is active, so that a page that shows an
    approval somebody else decides learns at once when the run goes on.
    """
    require_asgi(request)
    left = _seconds(request.GET.get("wait"))
    plan, waiting = await in_database(_active, user, agent, chat, None)
    while plan is None:
        if left <= 0:
            return HttpResponse(status=204)
        await asyncio.sleep(_LOOK_AGAIN)
        left -= _LOOK_AGAIN
        plan, waiting = await in_database(_active, user, agent, chat, waiting)
    return event_stream(frames(plan, user), request, headers=HEADERS)


@protocol_view("POST")
async def stop(request: HttpRequest, user: Any, agent: str, chat: str) -> HttpResponseBase:
    """Stop the run of this chat, active or waiting. A closed connection does not."""
    run = await in_database(_stop, user, agent, chat)
    return HttpResponse(status=204) if run is None else JsonResponse(run)


@protocol_view("GET")
async def messages(request: HttpRequest, user: Any, agent: str, chat: str) -> HttpResponseBase:
    """The messages of the branch shown, for ``useChat({ messages })``."""
    return JsonResponse(await in_database(history, user, agent, chat, request.GET.get("limit")))


async def frames(plan: Plan, user: Any) -> AsyncIterator[str]:
    """The response's body. Whatever happens, it ends with ``[DONE]``."""
    encoder = UIMessageEncoder(server_tools(plan.agent), plan.parts)

    def encode(item: it.Item) -> Iterator[str]:
        return map(sse, encoder.encode(item))

    async with aclosing(answer(plan, user, encode, ping=SSE_PING)) as texts:
        async for text in texts:
            yield text
    yield DONE


def _active(
    user: Any, agent: str, chat: str, waiting: uuid.UUID | None
) -> tuple[Plan | None, uuid.UUID | None]:
    """The run to follow now, or else the one that waits for somebody.

    ``waiting`` is what the second was before: a run that has gone on and ended since is followed too.
    """
    thread = thread_of(user, chat, agent=agent)
    if thread is None:
        return None, None
    run = thread.active_run()
    if run is None:
        run = latest_run(thread)
        if run is None or run.status == RunStatus.REQUIRES_ACTION:
            return None, run.pk if run else None
        if run.pk != waiting:
            return None, None
    return Plan(agent, thread.pk, run.pk), waiting


def _stop(user: Any, agent: str, chat: str) -> dict[str, Any] | None:
    thread = thread_of(user, chat, agent=agent)
    if thread is None:
        raise NotFound
    run: Run | None = thread.active_run() or latest_run(thread)
    if run is None:
        return None
    run = actions.cancel_run(user, run.pk)
    return {"run": str(run.pk), "status": run.status}


def _seconds(value: str | None) -> float:
    try:
        return min(max(float(value or 0), 0.0), _LONGEST_WAIT)
    except ValueError:
        return 0.0
