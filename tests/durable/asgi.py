"""The web process of these tests, as a site would write it."""

from __future__ import annotations

from django.core.asgi import get_asgi_application

django_app = get_asgi_application()

import tests.durable.agents  # noqa: E402
import tests.durable.celery_app  # noqa: E402, F401
from agentui.routing import get_application  # noqa: E402

application = get_application(django_app)
