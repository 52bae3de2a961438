"""What the server of the browser tests serves: pages, static files and the socket."""

from __future__ import annotations

from channels.routing import ProtocolTypeRouter
from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler
from django.core.asgi import get_asgi_application

http_application = get_asgi_application()

from agentui.routing import websocket_application  # noqa: E402  needs Django to be set up

application = ProtocolTypeRouter(
    {"http": ASGIStaticFilesHandler(http_application), "websocket": websocket_application}
)
