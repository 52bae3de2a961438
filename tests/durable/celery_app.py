"""The Celery application of the test site, as a site would write it."""

from __future__ import annotations

from celery import Celery
from django.conf import settings

from tests.environment import REDIS_URL

app = Celery("tests")
app.conf.broker_url = REDIS_URL
app.conf.task_default_queue = "agentui"
app.conf.broker_transport_options = {
    "global_keyprefix": settings.CHANNEL_LAYERS["default"].get("CONFIG", {}).get("prefix", ""),
    "visibility_timeout": 2,
}
app.conf.broker_connection_retry_on_startup = True
app.conf.worker_hijack_root_logger = False
app.set_default()
