from __future__ import annotations

import os
import sys

from project.settings import *  # noqa: F403
from project.settings import AGENTUI, INSTALLED_APPS, MIDDLEWARE, VAR_DIR

INSTALLED_APPS = [*INSTALLED_APPS, "tests.browser.site"]
ROOT_URLCONF = "tests.browser.site.urls"

#: A page that does not say that it reads gets no further than this.
AGENTUI = {**AGENTUI, "SOCKET_WINDOW_BYTES": 8_000}

#: What the pages were sent, a line each.
SENT = VAR_DIR / "sent.txt"

if prefix := os.environ.get("SITE_PREFIX"):
    FORCE_SCRIPT_NAME = prefix
    STATIC_URL = f"{prefix}/static/"

_hashed = VAR_DIR / "static" / "staticfiles.json"
if os.environ.get("SITE_HASHED_FILES") and (_hashed.exists() or "collectstatic" in sys.argv):
    # As in production: hashed names, served by the site itself only so that a test can fetch them.
    DEBUG = False
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = False
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
    }
    STATIC_ROOT = VAR_DIR / "static"
    MIDDLEWARE = [*MIDDLEWARE]
