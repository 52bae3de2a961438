from __future__ import annotations

import os

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES, INSTALLED_APPS

_FOLDER = os.environ["AGENTUI_SITE_FOLDER"]

DATABASES["default"]["NAME"] = f"{_FOLDER}/site.sqlite3"
MEDIA_ROOT = f"{_FOLDER}/media"
ROOT_URLCONF = "tests.clients_ai.site.urls"
# Compression is on, as on many sites; it must not hold a stream back.
MIDDLEWARE = [
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
INSTALLED_APPS = [*INSTALLED_APPS]
AGENTUI = {
    "HEARTBEAT_SECONDS": 0.3,
    "JOURNAL_INTERVAL": 0.02,
    "COALESCE_INTERVAL": 0.005,
    "API_RATES": {"read": None, "write": None, "send": None},
}
