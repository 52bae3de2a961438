from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.db import connections, router
from django.utils.module_loading import import_string

from ..conf import AppSettings, app_settings
from ..runtime.launchers import Launcher, get_launcher

_IN_MEMORY_LAYER = "InMemoryChannelLayer"
_RATE = re.compile(r"[1-9]\d*/(s|m|h|d)[a-z]*")  # as Django REST framework reads it
_WAL = re.compile(r"journal_mode\s*=\s*['\"]?wal", re.IGNORECASE)


@register("agentui")
def check_settings(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """The names and values in ``AGENTUI``."""
    given = getattr(settings, "AGENTUI", {})
    if not isinstance(given, dict):
        return [
            Error(
                f"AGENTUI is a {type(given).__name__}.",
                hint='Write a dict: AGENTUI = {"LAUNCHER": "in_process"}.',
                id="agentui.E010",
            )
        ]
    return [*_unknown_names(given), *_unreadable_values(given)]


def _names() -> list[str]:
    return [name for name, value in vars(AppSettings).items() if isinstance(value, property)]


def _unknown_names(given: dict[Any, Any]) -> Iterator[CheckMessage]:
    names = _names()
    for name in given:
        if name in names:
            continue
        meant = difflib.get_close_matches(str(name).upper(), names, n=1)
        yield Warning(
            f"AGENTUI[{name!r}] is not a setting of agentui, so it does nothing.",
            hint=f"Did you mean {meant[0]!r}?" if meant else f"There are: {', '.join(names)}.",
            id="agentui.W011",
        )


def _unreadable_values(given: dict[Any, Any]) -> Iterator[CheckMessage]:
    for name in _names():
        if name not in given:
            continue
        try:
            value = getattr(app_settings, name)
        except (TypeError, ValueError) as error:
            problem = str(error)
        else:
            problem = _problem(name, value)
        if not problem:
            continue
        yield Error(
            f"AGENTUI[{name!r}] cannot be {given[name]!r}: {problem}.",
            hint=str(getattr(AppSettings, name).__doc__),
            id="agentui.E010",
        )


def _problem(name: str, value: Any) -> str:
    """What is wrong with a value that could be read."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value < 0:
        return "it is below 0"
    if name == "API_RATES":
        wrong = [rate for rate in value.values() if rate is not None and not _is_rate(rate)]
        return f'{wrong[0]!r} is no rate; write "60/min"' if wrong else ""
    if name == "AUTHENTICATION":
        for path in value:
            try:
                import_string(path)
            except ImportError as error:
                return f"{path!r} cannot be imported: {error}"
    return ""


def _is_rate(rate: Any) -> bool:
    return isinstance(rate, str) and bool(_RATE.fullmatch(rate))


def _launcher() -> Launcher | None:
    try:
        return get_launcher()
    except Exception:
        return None


@register("agentui")
def check_launcher(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Can runs be started?"""
    if not isinstance(getattr(settings, "AGENTUI", {}), dict):
        return []
    try:
        get_launcher()
    except Exception as error:
        return [
            Error(
                f"AGENTUI['LAUNCHER'] is {app_settings.LAUNCHER!r}, which cannot be used: {error}",
                hint='Give "in_process", "procrastinate", "celery", "django_tasks", "immediate" (tests), or the dotted path of a Launcher.',
                id="agentui.E012",
            )
        ]
    return []


@register("agentui")
def check_channel_layer(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Do open pages hear of what a run does?"""
    layers = getattr(settings, "CHANNEL_LAYERS", None) or {}
    if "default" not in layers:
        return [
            Warning(
                "There is no channel layer, so open pages see an answer only when they look again.",
                hint=(
                    'Set CHANNEL_LAYERS = {"default": {"BACKEND": '
                    '"channels.layers.InMemoryChannelLayer"}} for one process, or '
                    "channels_redis for several."
                ),
                id="agentui.W013",
            )
        ]
    backend = str(layers["default"].get("BACKEND", ""))
    launcher = _launcher() if isinstance(getattr(settings, "AGENTUI", {}), dict) else None
    if backend.endswith(_IN_MEMORY_LAYER) and launcher is not None and launcher.is_out_of_process:
        return [
            Error(
                f"The launcher {app_settings.LAUNCHER!r} runs agents in other processes, and the "
                "channel layer does not leave this one.",
                hint='Use channels_redis (pip install "agentui[redis]"), or the launcher "in_process".',
                id="agentui.E014",
            )
        ]
    return []


@register("agentui")
def check_database(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Does the database that holds the threads bear several writers? Reads settings only."""
    from ..models import Thread

    alias = router.db_for_write(Thread)
    database = connections.settings[alias]
    messages: list[CheckMessage] = []
    if "sqlite3" in str(database.get("ENGINE", "")):
        messages.extend(_sqlite(alias, database))
    if database.get("CONN_MAX_AGE", 0) != 0:
        messages.append(
            Warning(
                f"DATABASES[{alias!r}] keeps connections open (CONN_MAX_AGE), and under ASGI each "
                "thread would keep its own.",
                hint="Set CONN_MAX_AGE to 0. On PostgreSQL use a pool: OPTIONS = {'pool': True}.",
                id="agentui.W016",
            )
        )
    return messages


def _sqlite(alias: str, database: dict[str, Any]) -> Iterator[CheckMessage]:
    options = database.get("OPTIONS") or {}
    wanted = []
    if str(options.get("transaction_mode", "")).upper() not in ("IMMEDIATE", "EXCLUSIVE"):
        wanted.append('"transaction_mode": "IMMEDIATE"')
    is_file = ":memory:" not in str(database.get("NAME", ""))
    if is_file and not _WAL.search(str(options.get("init_command", ""))):
        wanted.append('"init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"')
    if wanted:
        yield Warning(
            f'DATABASES[{alias!r}] is SQLite as it comes, which fails with "database is locked" '
            "when a run and a page write at the same time.",
            hint=f"Add to its OPTIONS: {', '.join(wanted)}.",
            id="agentui.W015",
        )
