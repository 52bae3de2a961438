"""The one entry of the demo site: pages over HTTP, agent threads over WebSocket."""

from __future__ import annotations

import os

from django.conf import settings
from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
http_application = get_asgi_application()

from agentui.routing import get_application  # noqa: E402  needs Django to be set up

if settings.DEBUG:
    # With debugging off the static files come from the web server in front.
    http_application = ASGIStaticFilesHandler(http_application)

application = get_application(http_application)
