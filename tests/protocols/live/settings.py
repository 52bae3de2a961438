from __future__ import annotations

import os

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES, MIDDLEWARE

_FOLDER = os.environ["AGENTUI_SITE_FOLDER"]

DATABASES["default"]["NAME"] = f"{_FOLDER}/site.sqlite3"
MEDIA_ROOT = f"{_FOLDER}/media"
ROOT_URLCONF = "tests.protocols.live.urls"
# Compression is on, as on many sites; it must not hold a stream back.
MIDDLEWARE = ["django.middleware.gzip.GZipMiddleware", *MIDDLEWARE]
STATICFILES_DIRS = [path for path in [os.environ.get("AGENTUI_SITE_STATIC")] if path]
AGENTUI = {
    "HEARTBEAT_SECONDS": 0.3,
    "JOURNAL_INTERVAL": 0.02,
    "COALESCE_INTERVAL": 0.005,
    "MCP_AGENTS": ["helper"],
    "MCP_WAIT_SECONDS": 1.5,
    "API_RATES": {"read": None, "write": None, "send": None},
}
