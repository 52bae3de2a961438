"""The site that the tests run in.

AGENTUI_TEST_DATABASE       sqlite (default) or postgres (PGHOST, PGPORT, PGUSER, PGPASSWORD)
AGENTUI_TEST_CHANNEL_LAYER  memory (default) or redis (REDIS_URL)
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from tests.environment import POSTGRES, REDIS_URL

SECRET_KEY = "only for the tests"
DEBUG = False
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "agentui",
    "project.shop",
    "tests",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "tests.urls"
ASGI_APPLICATION = "tests.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [Path(__file__).parent / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Several test runs may go on at once on one machine, so each has a database of its own.
_RUN = os.getpid()


def _database(kind: str) -> dict[str, Any]:
    if kind == "postgres":
        return {
            "ENGINE": "tests.databases.postgresql",
            "NAME": "postgres",
            **POSTGRES,
            "TEST": {"NAME": f"test_agentui_{_RUN}"},
        }
    if kind != "sqlite":
        raise ValueError(f"AGENTUI_TEST_DATABASE is sqlite or postgres, not {kind!r}")
    # A file, not memory: server processes and threads of the tests share it.
    folder = Path(tempfile.gettempdir())
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(folder / f"agentui-{_RUN}.sqlite3"),
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
        "TEST": {"NAME": str(folder / f"test-agentui-{_RUN}.sqlite3")},
    }


def _channel_layer(kind: str) -> dict[str, Any]:
    if kind == "redis":
        return {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": f"agentui-test-{_RUN}"},
        }
    if kind != "memory":
        raise ValueError(f"AGENTUI_TEST_CHANNEL_LAYER is memory or redis, not {kind!r}")
    return {"BACKEND": "channels.layers.InMemoryChannelLayer"}


DATABASES = {"default": _database(os.environ.get("AGENTUI_TEST_DATABASE", "sqlite"))}
CHANNEL_LAYERS = {"default": _channel_layer(os.environ.get("AGENTUI_TEST_CHANNEL_LAYER", "memory"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
LOGIN_URL = "/admin/login/"
MEDIA_ROOT = Path(tempfile.gettempdir()) / f"agentui-media-{_RUN}"

if DATABASES["default"]["ENGINE"].endswith("postgresql"):
    # The task engines that keep their jobs in the database.
    INSTALLED_APPS += ["procrastinate.contrib.django", "django_tasks_db"]
    TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

AGENTUI: dict[str, Any] = {}
