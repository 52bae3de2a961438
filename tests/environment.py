"""What this machine offers the tests: a browser, PostgreSQL, Redis; and what a run must use.

Read by conftest.py (which tests to skip, and why) and by scripts/check.py (which runs to make).
"""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path
from urllib.parse import urlsplit

PARTS = ("browser", "postgres", "redis")

POSTGRES = {
    "HOST": os.environ.get("PGHOST", "127.0.0.1"),
    "PORT": os.environ.get("PGPORT", "5432"),
    "USER": os.environ.get("PGUSER", "postgres"),
    "PASSWORD": os.environ.get("PGPASSWORD", ""),
}
REDIS_URL = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def required_parts() -> set[str]:
    """The parts that must be exercised: missing ones are failures, not skips (AGENTUI_REQUIRE)."""
    names = {name.strip() for name in os.environ.get("AGENTUI_REQUIRE", "").split(",")} - {""}
    if unknown := names - set(PARTS):
        raise ValueError(f"AGENTUI_REQUIRE knows {', '.join(PARTS)}; not {', '.join(unknown)}")
    return names


def find_chromium() -> str | None:
    """The path of the browser to test with; AGENTUI_CHROMIUM, when set, is the only candidate."""
    if chosen := os.environ.get("AGENTUI_CHROMIUM"):
        return shutil.which(chosen)
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def postgres_answers() -> bool:
    if POSTGRES["HOST"].startswith("/"):
        return (Path(POSTGRES["HOST"]) / f".s.PGSQL.{POSTGRES['PORT']}").exists()
    return _answers(POSTGRES["HOST"], int(POSTGRES["PORT"]))


def redis_answers() -> bool:
    url = urlsplit(REDIS_URL)
    return _answers(url.hostname or "127.0.0.1", url.port or 6379)


def _answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=2):
            return True
    except OSError:
        return False
