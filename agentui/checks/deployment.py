from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import connections, router

from ..conf import app_settings

#: Set by servers that fork workers by themselves.
_SEVERAL = ("WEB_CONCURRENCY", "UVICORN_WORKERS")


def _is_asgi() -> bool:
    return bool(getattr(settings, "ASGI_APPLICATION", None))


@register("agentui")
def check_processes(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Do several processes of this site hear of one another?"""
    layers = getattr(settings, "CHANNEL_LAYERS", None) or {}
    backend = str((layers.get("default") or {}).get("BACKEND", ""))
    count = max((_number(os.environ.get(name)) for name in _SEVERAL), default=0)
    if count > 1 and backend.endswith("InMemoryChannelLayer"):
        return [
            Warning(
                f"{count} server processes are asked for, and the channel layer stays inside one: "
                "a page sees what happens in another process only when it looks by itself.",
                hint='Use channels_redis (pip install "agentui[redis]").',
                id="agentui.W017",
            )
        ]
    return []


@register("agentui")
def check_streams(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Does anything hold event streams back?"""
    middleware = [str(name) for name in getattr(settings, "MIDDLEWARE", ())]
    return [
        Warning(
            f"{name} compresses answers. Agentui's event streams ask to be left alone; others may "
            "be held back until they are whole.",
            hint="Compress static files and pages in the web server in front, and remove it.",
            id="agentui.W018",
        )
        for name in middleware
        if name.endswith("GZipMiddleware")
    ]


@register(Tags.database, "agentui", deploy=True)
def check_pool(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Are connections to PostgreSQL kept? Only with ``check --deploy``."""
    return list(_pool())


def _pool() -> Iterator[CheckMessage]:
    from ..models import Thread

    alias = router.db_for_write(Thread)
    database = connections.settings[alias]
    options = database.get("OPTIONS") or {}
    if "postgresql" not in str(database.get("ENGINE", "")) or not _is_asgi():
        return
    pool = options.get("pool")
    if not pool:
        yield Warning(
            f"DATABASES[{alias!r}] has no pool, so each request under ASGI opens a connection.",
            hint='OPTIONS = {"pool": True} (pip install "agentui[postgres]"), or pgbouncer.',
            id="agentui.W019",
        )
    elif isinstance(pool, dict):
        most = _number(pool.get("max_size") or pool.get("min_size") or 4)
        needed = app_settings.DATABASE_THREADS + app_settings.TOOL_THREADS
        if most < needed:
            yield Warning(
                f"The pool of DATABASES[{alias!r}] has {most} connections, and a process that "
                f"carries out runs uses up to {needed}: DATABASE_THREADS and TOOL_THREADS.",
                hint=f'OPTIONS = {{"pool": {{"max_size": {needed + 4}}}}}.',
                id="agentui.W020",
            )


def _number(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        return 0
