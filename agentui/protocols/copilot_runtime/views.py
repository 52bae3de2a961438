"""The routes of a CopilotRuntime; each does what its AG-UI or thread counterpart does."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from ...exceptions import InvalidInput, NotFound
from ...runtime.database import in_database
from ..ag_ui.views import require_package, stop_thread, stream_response
from ..http import event_stream, protocol_view, read_json
from . import suggesting, threads
from .info import resolve, runtime_info


@protocol_view("GET")
async def info(request: HttpRequest, user: Any) -> HttpResponse:
    return JsonResponse(runtime_info())


@protocol_view("POST", scope="send")
async def run(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    return await _run(request, user, agent, await read_json(request))


@protocol_view("POST")
async def connect(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    return await _connect(request, user, agent, await read_json(request))


@protocol_view("POST")
async def stop(request: HttpRequest, user: Any, agent: str, thread: str) -> HttpResponse:
    return await _stop(user, agent, thread, await read_json(request))


@protocol_view("POST")
async def suggest(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    return _suggest(request, agent, await read_json(request))


@protocol_view("POST", scope="send")
async def single(request: HttpRequest, user: Any) -> HttpResponseBase:
    """All of the above, posted to one address: ``{"method", "params"?, "body"?}``."""
    data = await read_json(request)
    params, body = data.get("params") or {}, data.get("body") or {}
    if not isinstance(params, dict) or not isinstance(body, dict):
        raise InvalidInput("params and body must be objects.")
    agent, thread = str(params.get("agentId", "")), str(params.get("threadId", ""))
    match data.get("method"):
        case "info":
            return JsonResponse(runtime_info())
        case "agent/run":
            return await _run(request, user, agent, body)
        case "agent/connect":
            return await _connect(request, user, agent, body)
        case "agent/stop":
            return await _stop(user, agent, thread, body)
        case "agent/suggest":
            return _suggest(request, agent, body)
        case _:
            raise InvalidInput("This method is not one of this runtime's.")


@protocol_view("GET")
async def thread_list(request: HttpRequest, user: Any) -> HttpResponse:
    return JsonResponse(await in_database(threads.list_threads, user, request.GET.dict()))


@protocol_view("PATCH", "DELETE")
async def thread(request: HttpRequest, user: Any, thread: str) -> HttpResponse:
    if request.method == "DELETE":
        await in_database(threads.delete_thread, user, thread)
        return JsonResponse({"success": True})
    data = await read_json(request)
    return JsonResponse({"thread": await in_database(threads.change_thread, user, thread, data)})


@protocol_view("POST")
async def archive(request: HttpRequest, user: Any, thread: str) -> HttpResponse:
    changed = await in_database(threads.change_thread, user, thread, {"archived": True})
    return JsonResponse({"thread": changed})


@protocol_view("GET")
async def thread_part(request: HttpRequest, user: Any, thread: str, part: str) -> HttpResponse:
    """What is in a thread: its messages, its state. Events of old runs are not kept."""
    match part:
        case "messages":
            require_package()
            return JsonResponse(await in_database(threads.thread_messages, user, thread))
        case "state":
            return JsonResponse(await in_database(threads.thread_state, user, thread))
        case "events":
            await in_database(threads.find, user, thread)
            return JsonResponse({"events": []})
        case _:
            raise NotFound


async def _run(
    request: HttpRequest, user: Any, agent: str, data: dict[str, Any]
) -> HttpResponseBase:
    if suggesting.is_asked(data):
        return _suggest(request, agent, data)
    return await stream_response(request, user, resolve(agent), data)


async def _connect(
    request: HttpRequest, user: Any, agent: str, data: dict[str, Any]
) -> HttpResponseBase:
    return await stream_response(request, user, resolve(agent), data, only_look=True)


async def _stop(user: Any, agent: str, thread: str, data: dict[str, Any]) -> HttpResponse:
    run_id = data.get("runId")
    stopped = await in_database(
        stop_thread, user, resolve(agent), thread, run_id if isinstance(run_id, str) else None
    )
    if stopped is None:
        return JsonResponse({"stopped": False, "message": "Nothing runs in this thread."})
    interrupt = {"type": "RUN_ERROR", "message": "Run stopped by user", "code": "STOPPED"}
    return JsonResponse({"stopped": True, "interrupt": interrupt})


def _suggest(request: HttpRequest, agent: str, data: dict[str, Any]) -> HttpResponseBase:
    require_package()
    name = resolve(agent)
    # An unknown agent is refused before the stream begins.
    suggesting.texts(name)
    return event_stream(suggesting.suggestions(name, data), request)
