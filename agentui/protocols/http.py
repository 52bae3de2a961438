"""The HTTP side of every protocol: who asks, what they sent, and how events travel back.

A view of a protocol::

    @protocol_view("POST")
    async def run(request, user, agent):
        data = await read_json(request)          # a dict
        ...
        return event_stream(events)              # an async iterator of str

Refusals before the stream begins are HTTP errors, ``{"code", "message", "details"?}`` with the status
of the :class:`AgentUIError`; once it has begun the protocol has its own event for them.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from inspect import isawaitable, iscoroutinefunction
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.module_loading import import_string
from django.views.decorators.csrf import csrf_exempt

from ..actions.rates import count_request
from ..conf import app_settings
from ..core import client_json
from ..core.clean import TooDeep
from ..exceptions import (
    AgentUIError,
    InternalError,
    InvalidInput,
    MethodNotAllowed,
    NeedsASGI,
    NotPermitted,
    NotSignedIn,
    TooLarge,
)
from ..runtime import background
from ..runtime.database import in_database

logger = logging.getLogger("agentui")

View = Callable[..., Awaitable[HttpResponseBase]]

#: A comment of server-sent events: what a :class:`Heartbeat` becomes. No client sees it.
SSE_PING = ": ping\n\n"

_HEADERS = {
    "Cache-Control": "no-cache, no-transform",
    # nginx would collect the events.
    "X-Accel-Buffering": "no",
    # Django's GZipMiddleware, and others, leave alone what already has an encoding.
    "Content-Encoding": "identity",
}


def protocol_view(*methods: str, scope: str | None = None) -> Callable[[View], Callable[..., Any]]:
    """Make ``async def view(request, user, ...)`` a view that takes these methods.

    ``user`` is signed in and active. Every :class:`AgentUIError` becomes its HTTP answer. ``scope``
    says which of ``API_RATES`` counts: ``send`` for what makes a model work; otherwise a GET counts as
    ``read`` and everything else as ``write``.
    """

    def decorate(view: View) -> Callable[..., Any]:
        # Exempt here, because it is checked below: only a session needs it, a token does not.
        @csrf_exempt
        @functools.wraps(view)
        async def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
            background.start()
            try:
                if request.method not in methods:
                    raise MethodNotAllowed
                user = await authenticated(request)
                rate = scope or ("read" if request.method == "GET" else "write")
                await in_database(count_request, user, rate)
                return await view(request, user, **kwargs)
            except AgentUIError as error:
                return error_response(error)
            except TooDeep as error:
                return error_response(InvalidInput(f"Something in the request is {error}."))
            except Exception:
                logger.exception("A request to %r failed", request.path)
                return error_response(InternalError())

        return wrapped

    return decorate


async def authenticated(request: HttpRequest) -> Any:
    """The user who sends this request; raises :class:`NotSignedIn`, :class:`NotPermitted` (CSRF).

    ``AGENTUI["AUTHENTICATION"]`` is asked first. A user known by the session cookie must send
    the CSRF token, in the header ``X-CSRFToken``, with every request that is not a GET.
    """
    for path in app_settings.AUTHENTICATION:
        ask = import_string(path)
        if iscoroutinefunction(ask):
            user = await ask(request)
        else:
            user = await in_database(ask, request)
            user = await user if isawaitable(user) else user
        if user is not None:
            if not user.is_active:
                raise NotSignedIn
            return user
    return await in_database(_by_session, request)


async def read_json(request: HttpRequest) -> dict[str, Any]:
    """The request's body, a JSON object. An empty body is an empty object.

    Not ``request.body``: that one has a limit of its own, for forms. Raises :class:`InvalidInput`,
    :class:`TooLarge`.
    """
    limit = app_settings.MAX_PROTOCOL_BODY_BYTES
    raw = request.read(limit + 1)
    if len(raw) > limit:
        raise TooLarge(f"A request may have {limit:,} bytes.")
    if not raw.strip():
        return {}
    if request.content_type != "application/json":
        raise InvalidInput("Send JSON, with Content-Type: application/json.")
    try:
        data = client_json.read_json(raw)
    except ValueError:
        raise InvalidInput("The request's body is not JSON.") from None
    if not isinstance(data, dict):
        raise InvalidInput("The request's body must be a JSON object.")
    return data


def event_stream(
    chunks: AsyncIterator[str] | AsyncIterator[bytes],
    request: HttpRequest,
    *,
    content_type: str = "text/event-stream",
    headers: dict[str, str] | None = None,
    status: int = 200,
) -> StreamingHttpResponse:
    """An answer that is sent piece by piece, as the pieces come. Raises :class:`NeedsASGI`.

    When the client goes away, ``chunks`` is closed; a run that it follows goes on.
    """
    require_asgi(request)
    pieces = _Pieces(chunks)
    response = StreamingHttpResponse(pieces, content_type=content_type, status=status)
    for name, value in {**_HEADERS, **(headers or {})}.items():
        response[name] = value
    return response


class _Pieces:
    """The pieces of an answer. Closed when the answer is over, whichever way: a generator that Django
    is not waiting for when the client goes away would be left to the garbage collector."""

    def __init__(self, chunks: AsyncIterator[Any]) -> None:
        self._chunks = chunks
        self._loop = asyncio.get_running_loop()

    def __aiter__(self) -> _Pieces:
        return self

    async def __anext__(self) -> Any:
        return await anext(self._chunks)

    def close(self) -> None:
        """Called by Django, in any thread, at the end of the request."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._close)

    def _close(self) -> None:
        if isinstance(self._chunks, AsyncGenerator):
            background.spawn(self._chunks.aclose(), name="agentui-stream-end")


def require_asgi(request: HttpRequest) -> None:
    """Refuse what would be collected whole before it is sent. Ask this before any action."""
    if not isinstance(request, ASGIRequest):
        raise NeedsASGI


def error_response(error: AgentUIError) -> JsonResponse:
    """The HTTP answer of a refusal."""
    response = JsonResponse(error.to_json(), status=error.status)
    if error.status == 401:
        response["WWW-Authenticate"] = "Bearer"
    if "retry_after" in error.details:
        response["Retry-After"] = str(error.details["retry_after"])
    return response


def _by_session(request: HttpRequest) -> Any:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or not user.is_active:
        raise NotSignedIn
    if (request.content_type or "").startswith(("multipart/", "application/x-www-form-urlencoded")):
        raise InvalidInput("Send JSON, with Content-Type: application/json.")
    check = CsrfViewMiddleware(_never)
    check.process_request(request)
    if check.process_view(request, _never, (), {}) is not None:
        raise NotPermitted("The CSRF token is missing or wrong. Send it as X-CSRFToken.")
    return user


def _never(request: HttpRequest) -> HttpResponse:
    raise AssertionError("only the checks of the middleware are used")
