"""The HTTP routes of ``useAssistantTransportRuntime``."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from ...core.events import ErrorEvent
from ...exceptions import InvalidInput, NotFound
from ...runtime.database import in_database
from .. import items as it
from ..http import SSE_PING, event_stream, protocol_view, read_json, require_asgi
from ..identity import own_id
from ..plan import Plan, follow_plan, with_problems
from ..wire import DONE, compact, sse
from .chunks import TransportEncoder, update_state
from .decoder import decode_commands
from .encoder import Operation, StateEncoder
from .plan import current_state, make_plan, plan_to_resume, resumable, whole_state

DOOR = "assistant_transport"


@protocol_view("POST", scope="send")
async def run(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """Commands; what comes back is the state and its changes, until the run is over or waits.

    The runtime's option ``protocol`` and this address must agree: ``data-stream`` is its default,
    ``?protocol=assistant-transport`` the other one.
    """
    require_asgi(request)
    body = decode_commands(await read_json(request))
    plan = await in_database(make_plan, user, agent, body, DOOR)
    return _respond(plan, user, request)


@protocol_view("POST")
async def resume_state(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """``{threadId}`` -> the active run and the state to resume from; 204 when nothing runs.

    ``?thread=`` is for pages without a thread list, whose client does not know the id.
    """
    body = await read_json(request)
    thread_id = request.GET.get("thread") or body.get("threadId")
    found = await in_database(resumable, user, agent, thread_id)
    return HttpResponse(status=204) if found is None else JsonResponse(found)


@protocol_view("POST")
async def resume(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """Follow the run that ``resume_state`` named."""
    require_asgi(request)
    ids = own_id((await read_json(request)).get("runId"))
    plan = await in_database(plan_to_resume, user, agent, ids[0]) if ids else None
    if plan is None:
        raise NotFound
    return _respond(plan, user, request)


@protocol_view("GET")
async def state(request: HttpRequest, user: Any, agent: str, chat: str) -> HttpResponseBase:
    """The state of a thread, for the runtime's ``initialState``."""
    return JsonResponse(await in_database(current_state, user, agent, chat))


def _respond(plan: Plan, user: Any, request: HttpRequest) -> HttpResponseBase:
    protocol = request.GET.get("protocol", "data-stream")
    headers = {"x-agentui-thread": str(plan.thread)}
    if protocol == "data-stream":
        headers["x-vercel-ai-data-stream"] = "v1"
        kind = "text/plain; charset=utf-8"
        return event_stream(_lines(plan, user), request, content_type=kind, headers=headers)
    if protocol != "assistant-transport":
        raise InvalidInput("protocol is data-stream or assistant-transport.")
    with_parts = request.GET.get("parts") == "1"
    frames = _frames(plan, user, with_parts=with_parts)
    return event_stream(frames, request, headers=headers)


async def _frames(plan: Plan, user: Any, *, with_parts: bool) -> AsyncIterator[str]:
    parts = TransportEncoder(plan.parts)
    async with aclosing(_told(plan, user)) as told:
        async for items, operations in told:
            if items == [it.Heartbeat()]:
                yield SSE_PING
                continue
            problems = [item for item in items if isinstance(item, ErrorEvent)]
            shown = items if with_parts else problems
            chunks = [chunk for item in shown for chunk in parts.encode(item)]
            if operations:
                chunks.insert(0, update_state(operations))
            if chunks:
                yield "".join(map(sse, chunks))
    yield DONE


async def _lines(plan: Plan, user: Any) -> AsyncIterator[str]:
    async with aclosing(_told(plan, user)) as told:
        async for items, operations in told:
            text = f"aui-state:{compact(operations)}\n" if operations else ""
            for item in items:
                if isinstance(item, ErrorEvent):
                    text += f"3:{compact(item.error)}\n"
            if text or items == [it.Heartbeat()]:
                yield text or "\n"


_Group = tuple[list[it.Item], list[Operation]]


def _told(plan: Plan, user: Any) -> AsyncGenerator[_Group]:
    """Items with the operations they make; what comes in one go is one group.

    The first group sets the whole state, the run's message as far as it was written in it, so no
    page sees it empty itself.
    """
    return with_problems(plan, _operations(plan, user), lambda error: ([error], []))


async def _operations(plan: Plan, user: Any) -> AsyncGenerator[_Group]:
    encoder: StateEncoder | None = None
    async with aclosing(_in_one_go(follow_plan(plan, user))) as groups:
        async for items in groups:
            first = next((item for item in items if isinstance(item, it.Started)), None)
            start: list[Operation] = []
            if first is not None:
                whole, index = await in_database(whole_state, user, uuid.UUID(first.run["id"]))
                encoder = StateEncoder(index)
                start = [{"type": "set", "path": [], "value": whole}]
            operations = [one for item in items for one in encoder.encode(item)] if encoder else []
            yield items, [*start, *operations]


async def _in_one_go(
    groups: AsyncGenerator[list[it.Item]],
) -> AsyncGenerator[list[it.Item]]:
    """Groups joined as long as the next one is there at once; a heartbeat stays alone."""
    gathered: list[it.Item] = []
    following: asyncio.Future[list[it.Item]] | None = None
    try:
        while True:
            following = following or asyncio.ensure_future(anext(groups))
            for _ in range(3):
                if following.done():
                    break
                await asyncio.sleep(0)
            if not following.done() and gathered:
                yield gathered
                gathered = []
            await asyncio.wait({following})
            try:
                items = following.result()
            except StopAsyncIteration:
                break
            following = None
            if items == [it.Heartbeat()]:
                yield items
            else:
                gathered += items
        if gathered:
            yield gathered
    finally:
        if following is not None and not following.done():
            following.cancel()
            await asyncio.wait({following})
        await groups.aclose()
