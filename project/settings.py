"""Settings of the demo site: SQLite and one process by default, other servers by environment.

AGENTUI_DEMO_DATABASE  a file for SQLite, or postgres://user:password@host:port/name
REDIS_URL              a Redis server for the channel layer; without it the layer is in memory
AGENTUI_DEMO_DEBUG     0 turns debugging off (and secure cookies on)
AGENTUI_DEMO_HOSTS     host names to answer to, separated by commas
AGENTUI_DEMO_LAUNCHER  procrastinate carries runs out in workers (PostgreSQL and Redis)
AGENTUI_DEMO_VAR       the folder for what the demo writes: its database and its secret key

Which model answers is chosen by AGENTUI_DEMO_MODEL, OPENAI_API_KEY and OPENAI_BASE_URL, see
shop/model_choice.py; without them it is an offline one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import django
from django.core.management.utils import get_random_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("AGENTUI_DEMO_VAR") or BASE_DIR / "project" / "var")


def _secret_key() -> str:
    """The key of this checkout: made at the first start, never committed."""
    path = VAR_DIR / "secret_key"
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(get_random_secret_key())
    except FileExistsError:
        pass
    return path.read_text()


def _database(where: str) -> dict[str, Any]:
    url = urlsplit(where)
    if url.scheme in ("postgres", "postgresql"):
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(url.path.lstrip("/")) or "agentui_demo",
            "USER": unquote(url.username or "postgres"),
            "PASSWORD": unquote(url.password or ""),
            "HOST": url.hostname or "127.0.0.1",
            "PORT": url.port or 5432,
            # The pool bounds the connections, whatever the number of runs and sockets.
            "OPTIONS": {"pool": {"min_size": 1, "max_size": 16}},
        }
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": where,
        "OPTIONS": {
            # A writer takes its lock when the transaction begins, so that it waits instead of
            # failing half-way; WAL lets readers go on meanwhile.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


DEBUG = os.environ.get("AGENTUI_DEMO_DEBUG", "1") != "0"
SECRET_KEY = os.environ.get("AGENTUI_DEMO_SECRET_KEY") or _secret_key()
ALLOWED_HOSTS = os.environ.get("AGENTUI_DEMO_HOSTS", "127.0.0.1,localhost,[::1]").split(",")

INSTALLED_APPS = [
    "daphne",  # first: it replaces `runserver` by one that speaks WebSocket
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "agentui",
    "project.shop",
]

CSP_MIDDLEWARE = (
    "django.middleware.csp.ContentSecurityPolicyMiddleware"
    if django.VERSION >= (6, 0)
    else "project.content_security.content_security"
)

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    CSP_MIDDLEWARE,
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "project.urls"
ASGI_APPLICATION = "project.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
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

DATABASES = {
    "default": _database(os.environ.get("AGENTUI_DEMO_DATABASE") or str(VAR_DIR / "demo.sqlite3"))
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

if redis_url := os.environ.get("REDIS_URL"):
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [redis_url]},
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "account"
LOGOUT_REDIRECT_URL = "home"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
# Uploads of the chat; no address serves this folder.
MEDIA_ROOT = VAR_DIR / "media"
STATIC_ROOT = BASE_DIR / "static-collected"

SESSION_COOKIE_SECURE = not DEBUG
CSRF_COOKIE_SECURE = not DEBUG
X_FRAME_OPTIONS = "DENY"
# Everything comes from this site, and nothing inline: no script, no style.
SECURE_CSP = {
    "default-src": ["'self'"],
    # The admin's icons, and pictures that are looked at before they are sent.
    "img-src": ["'self'", "data:", "blob:"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
}

AGENTUI: dict[str, Any] = {"LAUNCHER": os.environ.get("AGENTUI_DEMO_LAUNCHER", "in_process")}
if AGENTUI["LAUNCHER"] == "procrastinate":
    INSTALLED_APPS.append("procrastinate.contrib.django")
