"""The addresses of AG-UI: a run, its stop, and a look at a thread."""

from __future__ import annotations

import importlib.util
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from ... import actions
from ...exceptions import MissingPackage
from ...models import Run
from ...runtime.database import in_database
from ..http import event_stream, protocol_view, read_json, require_asgi
from ..identity import thread_of
from .run_ids import run_ids

_LOOK_BACK = 20

_MISSING = 'AG-UI needs the package ag-ui-protocol: pip install "agentui[ag-ui]".'


@protocol_view("POST", scope="send")
async def run(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """Carry out what the client says, and answer with the events of the run."""
    return await stream_response(request, user, agent, await read_json(request))


@protocol_view("POST")
async def connect(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """What there is in the thread, and what runs in it; nothing is changed."""
    data = await read_json(request)
    return await stream_response(request, user, agent, data, only_look=True)


@protocol_view("POST")
async def stop(request: HttpRequest, user: Any, agent: str) -> HttpResponse:
    """Stop what runs in the thread: ``{"threadId": ...}``. Closing a stream does not."""
    data = await read_json(request)
    stopped = await in_database(stop_thread, user, agent, data.get("threadId"))
    return JsonResponse({"stopped": stopped is not None})


async def stream_response(
    request: HttpRequest, user: Any, agent: str, data: dict[str, Any], *, only_look: bool = False
) -> HttpResponseBase:
    """The events that answer a ``RunAgentInput``. Raises what is refused before they begin."""
    require_package()
    # Here, because the package takes a moment to load and a site may do without it.
    from .intake import take_in
    from .said import read_input
    from .stream import answer

    require_asgi(request)
    said = read_input(data, request.GET.dict())
    plan = await in_database(take_in, user, agent, said, only_look=only_look)
    return event_stream(answer(user, said, plan), request)


def require_package() -> None:
    """Raise :class:`MissingPackage` where AG-UI's types are not installed."""
    if importlib.util.find_spec("ag_ui") is None:
        raise MissingPackage(_MISSING)


def stop_thread(user: Any, agent: str, client_id: Any, run_id: str | None = None) -> Run | None:
    """Stop the active run of the thread that the client calls so; None when nothing runs. Sync.

    A stop that names a run of the client's which is over comes too late, and stops no later one.
    """
    thread = thread_of(user, client_id, agent=agent)
    active = thread.active_run() if thread else None
    if active is None or (run_id and is_over(active, run_id)):
        return None
    return actions.cancel_run(user, active.pk)


def is_over(active: Run, run_id: str) -> bool:
    """Another run than the active one was asked for under this id."""
    earlier = Run.objects.filter(thread=active.thread_id).exclude(pk=active.pk).order_by("-pk")
    is_mine = run_id in run_ids(active.config)
    return not is_mine and any(run_id in run_ids(run.config) for run in earlier[:_LOOK_BACK])
