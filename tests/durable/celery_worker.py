"""What ``celery -A tests.durable.celery_worker worker`` loads: Django first, then the application."""

from __future__ import annotations

import django

django.setup()

import tests.durable.agents  # noqa: E402, F401
from tests.durable.celery_app import app  # noqa: E402

__all__ = ["app"]
