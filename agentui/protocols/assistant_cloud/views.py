"""The routes of assistant-ui's cloud client, under ``{baseUrl}/v1``."""

from __future__ import annotations

import asyncio
import logging
import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from ...actions import delete_thread
from ...exceptions import Conflict, MethodNotAllowed, NotPermitted
from ...runtime.database import in_database
from ..http import protocol_view, read_json
from ..tokens import make_token, user_of_token
from . import history, threads

logger = logging.getLogger("agentui")

_WAIT_FOR_MESSAGE = 5.0
_WAIT_FOR_TITLE = 10.0
_LOOK_AGAIN = 0.1


class UnknownMessage(Conflict):
    """The server keeps the messages that its agent received or wrote, and no others."""

    code = "unknown_message"


@protocol_view("POST")
async def tokens(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """A token for ``authToken``, by the session's cookie and CSRF token.

    Not by a token: it would never be over, also for whoever has signed out or has stolen it.
    """
    if await in_database(user_of_token, request) is not None:
        raise NotPermitted("A token makes no other token. Ask with the session of the page.")
    token, expires = make_token(user)
    return JsonResponse({"token": token, "expires_at": expires})


@protocol_view("GET", "POST")
async def thread_list(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    if request.method == "GET":
        found = await in_database(threads.list_threads, user, agent, request.GET.dict())
        return JsonResponse({"threads": found})
    body = await read_json(request)
    thread = await in_database(threads.create_thread, user, agent, body)
    return JsonResponse({"thread_id": str(thread.pk)})


@protocol_view("GET", "PUT", "DELETE")
async def thread(request: HttpRequest, user: Any, agent: str, thread: str) -> HttpResponseBase:
    found = await in_database(threads.get_thread, user, agent, thread)
    match request.method:
        case "GET":
            return JsonResponse({"thread": threads.thread_json(found)})
        case "PUT":
            body = await read_json(request)
            await in_database(threads.change_thread, user, agent, thread, body)
        case _:
            await in_database(delete_thread, user, found.pk)
    return HttpResponse(status=204)


@protocol_view("GET", "POST", "DELETE")
async def message_list(
    request: HttpRequest, user: Any, agent: str, thread: str
) -> HttpResponseBase:
    """Read the history, or learn the id of a message that the server has.

    The client posts a message while the request that makes the agent answer it is still on its way,
    so one that is not there yet is waited for, a little.
    """
    if request.method == "GET":
        query = request.GET.dict()
        found = await in_database(history.list_messages, user, agent, thread, query)
        return JsonResponse({"messages": found})
    if request.method == "DELETE":
        raise MethodNotAllowed("Single messages are not deleted here; delete the thread.")
    body = await read_json(request)
    left = _WAIT_FOR_MESSAGE
    while (meant := await in_database(history.message_meant, user, agent, thread, body)) is None:
        if left <= 0:
            raise UnknownMessage
        await asyncio.sleep(_LOOK_AGAIN)
        left -= _LOOK_AGAIN
    return JsonResponse({"message_id": str(meant.pk)})


@protocol_view("PUT")
async def message(
    request: HttpRequest, user: Any, agent: str, thread: str, message: str
) -> HttpResponseBase:
    """The client's copy of a message has changed. The row is the truth, so nothing happens."""
    found = await in_database(threads.get_thread, user, agent, thread)
    await in_database(history.get_message, found, message)
    return HttpResponse(status=204)


@protocol_view("POST")
async def feedback(
    request: HttpRequest, user: Any, agent: str, thread: str, message: str
) -> HttpResponseBase:
    body = await read_json(request)
    return JsonResponse(
        await in_database(history.give_feedback, user, agent, thread, message, body)
    )


@protocol_view("POST")
async def stream(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """The title of a thread, which is the one assistant this address has, as plain text."""
    body = await read_json(request)
    left = _WAIT_FOR_TITLE
    while True:
        title, may_change = await in_database(threads.title_of, user, agent, body)
        if left <= 0 or not may_change:
            break
        await asyncio.sleep(_LOOK_AGAIN)
        left -= _LOOK_AGAIN
    return HttpResponse(title, content_type="text/plain; charset=utf-8")


@protocol_view("POST")
async def report(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """Telemetry of the client about a run. Our own figures stand in the run's row; this is a no-op."""
    body = await read_json(request)
    found = await in_database(threads.get_thread, user, agent, str(body.get("thread_id")))
    logger.debug("A page reported a run of thread %s", found.pk)
    return JsonResponse({"run_id": str(uuid.uuid4())})


@protocol_view("POST")
async def events(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """Engagement events of the client; nothing is kept of them."""
    await read_json(request)
    return HttpResponse(status=204)
