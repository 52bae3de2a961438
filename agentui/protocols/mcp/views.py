"""The address of the MCP server, and the way between Django and the package."""

from __future__ import annotations

import asyncio
import importlib.util
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import NoReverseMatch, reverse

from ...conf import app_settings
from ...exceptions import MissingPackage, TooLarge
from ..http import protocol_view, require_asgi
from .calling import shared_agent

_MISSING = 'MCP needs the package mcp: pip install "agentui[mcp]".'


@protocol_view("POST")
async def endpoint(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """One message of a client, answered whole. There is no stream to open with GET."""
    if importlib.util.find_spec("mcp") is None:
        raise MissingPackage(_MISSING)
    require_asgi(request)
    found = shared_agent(agent)
    # Here, because the package takes a moment to load and a site may do without it.
    from .server import make_application

    def page(thread: str) -> str | None:
        try:
            return request.build_absolute_uri(reverse("agentui:thread", args=[thread]))
        except NoReverseMatch:
            return None

    assert isinstance(request, ASGIRequest)
    manager = make_application(user, found, page)
    async with manager.run():
        return await _answered(manager.handle_request, request)


async def _answered(application: Any, request: ASGIRequest) -> HttpResponse:
    """What an ASGI application answers to this request, whose body Django has read."""
    limit = app_settings.MAX_PROTOCOL_BODY_BYTES
    body = request.read(limit + 1)
    if len(body) > limit:
        raise TooLarge(f"A request may have {limit:,} bytes.")
    response = HttpResponse()
    pieces: list[bytes] = []
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        # Django watches the connection, and cancels this request when it is gone.
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            response.status_code = message["status"]
            for name, value in message["headers"]:
                if name.lower() != b"content-length":
                    response[name.decode("latin-1")] = value.decode("latin-1")
        else:
            pieces.append(message.get("body", b""))

    await application(request.scope, receive, send)
    response.content = b"".join(pieces)
    return response
