"""The test site as other processes run it: on the database of the test that started them."""

from __future__ import annotations

import json
import os

from tests.settings import *  # noqa: F403
from tests.settings import AGENTUI, CHANNEL_LAYERS, DATABASES

DATABASES["default"]["NAME"] = os.environ["AGENTUI_DURABLE_DATABASE"]
AGENTUI.update(json.loads(os.environ.get("AGENTUI_DURABLE_SETTINGS", "{}")))
if "CONFIG" in CHANNEL_LAYERS["default"]:
    CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = os.environ["AGENTUI_DURABLE_PREFIX"]
PROCRASTINATE_WORKER_DEFAULTS = {
    "update_heartbeat_interval": 0.5,
    "stalled_worker_timeout": 2,
    "fetch_job_polling_interval": 0.2,
    "shutdown_graceful_timeout": 1,
}
