"""The way in for sockets, and the start of the runtime with the server.

In a site's ``asgi.py``::

    import os
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mysite.settings")
    from django.core.asgi import get_asgi_application
    django_app = get_asgi_application()

    from agentui.routing import get_application
    application = get_application(django_app)

A site with sockets of its own puts ``websocket_urlpatterns`` in its router, keeps the checks of
:data:`websocket_application` around it, and wraps the whole in :class:`RuntimeStarter`.
"""

from __future__ import annotations

from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings
from django.urls import path

from .consumers import AgentConsumer
from .runtime import background
from .runtime.launchers import get_launcher

websocket_urlpatterns = [path("ws/agentui/", AgentConsumer.as_asgi())]
if _prefix := (settings.FORCE_SCRIPT_NAME or "").strip("/"):
    # Some proxies take a site's path prefix away, and some leave it for the site to do.
    websocket_urlpatterns.append(path(f"{_prefix}/ws/agentui/", AgentConsumer.as_asgi()))

#: Only pages of this site's own hosts may connect, and only with its session.
websocket_application = AllowedHostsOriginValidator(
    AuthMiddlewareStack(URLRouter(websocket_urlpatterns))
)


class RuntimeStarter:
    """An ASGI application around another that starts the runtime with the server's event loop."""

    def __init__(self, application: Any) -> None:
        self.application = application
        get_launcher()
        background.start_with_server()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        background.start()
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        else:
            await self.application(scope, receive, send)


async def _lifespan(receive: Any, send: Any) -> None:
    while True:
        message = await receive()
        is_over = message["type"] == "lifespan.shutdown"
        if is_over:
            await background.shut_down()
        await send({"type": f"{message['type']}.complete"})
        if is_over:
            return


def get_application(http: Any) -> RuntimeStarter:
    """The site's whole ASGI application: ``http`` for requests, agentui's socket, the runtime."""
    return RuntimeStarter(ProtocolTypeRouter({"http": http, "websocket": websocket_application}))
