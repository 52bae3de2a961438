"""Fixtures of every test, and the rules that hold for all of them.

- A test that needs what this machine lacks is skipped with the reason; where AGENTUI_REQUIRE names
  that part, the whole run fails instead.
- A connection to anything but this machine is an error, also when the tested code swallows it.
"""

from __future__ import annotations

import ipaddress
import json
import os
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.environment import (
    PARTS,
    REDIS_URL,
    find_chromium,
    postgres_answers,
    redis_answers,
    required_parts,
)

# A busy machine is no reason to fail; what is expected comes, or the test is right to fail.
expect.set_options(timeout=30_000)

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# No deadline: a busy machine is no fault of a function. In CI every run tries the same examples, so
# that what fails there fails for the change; elsewhere each run looks for new ones.
settings.register_profile(
    "agentui",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("agentui")


# --- which tests run -----------------------------------------------------------------------------


def _missing_parts() -> dict[str, str]:
    """Marker -> why its tests cannot run here."""
    missing = {}
    if find_chromium() is None:
        missing["browser"] = "no Chromium found; install it or set AGENTUI_CHROMIUM"
    if os.environ.get("AGENTUI_TEST_DATABASE", "sqlite") != "postgres":
        missing["postgres"] = "runs on PostgreSQL only: AGENTUI_TEST_DATABASE=postgres"
    if not redis_answers():
        missing["redis"] = f"no Redis answers at {REDIS_URL}"
    return missing


def pytest_configure(config: pytest.Config) -> None:
    absent = []
    if "browser" in required_parts() and find_chromium() is None:
        absent.append("Chromium")
    if "postgres" in required_parts() and not postgres_answers():
        absent.append("PostgreSQL")
    if "redis" in required_parts() and not redis_answers():
        absent.append("Redis")
    if absent:
        pytest.exit(f"AGENTUI_REQUIRE asks for what is not here: {', '.join(absent)}", returncode=1)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("AGENTUI_TEST_ONLY") == "database":
        # Another database changes nothing for a test that uses none.
        left_out = [item for item in items if not _uses_database(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _uses_database(item)]
    missing = _missing_parts()
    for item in items:
        for marker, reason in missing.items():
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
    # Playwright's blocking interface keeps an event loop running in this thread from its first use
    # on, and an async test needs to start one of its own: browser tests come last, and so do the
    # files they are in, which stay together when tests run side by side.
    in_browser = {item.path for item in items if item.get_closest_marker("browser")}
    items.sort(key=lambda item: (item.path in in_browser, bool(item.get_closest_marker("browser"))))


def _uses_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(
        fixtures & {"db", "transactional_db"}
        or any(item.get_closest_marker(name) for name in ("django_db", "postgres", "redis"))
    )


_executed: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and not report.skipped:
        _executed["all"] += 1
        _executed.update(name for name in PARTS if name in report.keywords)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell scripts/check.py how many tests of each part really ran; the workers' are in it."""
    if hasattr(session.config, "workerinput"):
        return
    if path := os.environ.get("AGENTUI_TEST_REPORT"):
        Path(path).write_text(json.dumps(_executed))


# --- no network ----------------------------------------------------------------------------------


class NetworkAccessError(RuntimeError):
    """A test tried to reach another machine."""


_refused: list[str] = []


def _check_host(host: Any) -> None:
    if isinstance(host, bytes):
        host = host.decode()
    if host in (None, "", "localhost") or str(host).endswith(".localhost"):
        return
    try:
        if ipaddress.ip_address(str(host).split("%")[0]).is_loopback:
            return
        if str(host) in ("0.0.0.0", "::"):
            return
    except ValueError:
        pass  # a name: finding its address would already be a network call
    _refused.append(str(host))
    raise NetworkAccessError(f"a test tried to reach {host}; only this machine may be reached")


@pytest.fixture(scope="session", autouse=True)
def _network_guard() -> Iterator[None]:
    real_connect, real_connect_ex = socket.socket.connect, socket.socket.connect_ex
    real_getaddrinfo = socket.getaddrinfo

    def check_address(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _check_host(address[0])

    def connect(self: socket.socket, address: Any) -> None:
        check_address(self, address)
        return real_connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        check_address(self, address)
        return real_connect_ex(self, address)

    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        _check_host(host)
        return real_getaddrinfo(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        patch.setattr(socket.socket, "connect_ex", connect_ex)
        patch.setattr(socket, "getaddrinfo", getaddrinfo)
        yield


@pytest.fixture(autouse=True)
def _no_network_call() -> Iterator[None]:
    """Fails the test whose code reached for the network, also when it caught the error."""
    _refused.clear()
    yield
    if _refused:
        hosts, _refused[:] = ", ".join(_refused), []
        pytest.fail(f"network calls were refused: {hosts}")


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    """Rates are counted in the cache, which outlives a test."""
    cache.clear()


@pytest.fixture(autouse=True)
def _no_connection_stays_open() -> Iterator[None]:
    """The runtime's threads end with their test: a test database is dropped when nobody uses it."""
    yield
    from agentui.runtime.database import threads
    from agentui.runtime.tool_threads import tool_threads

    threads.close()
    tool_threads.join(5)


# --- people --------------------------------------------------------------------------------------


@pytest.fixture
def user(db: None, django_user_model: Any) -> Any:
    """The end user who owns the thread of a test."""
    return django_user_model.objects.create_user("ada", "ada@example.com", "password")


@pytest.fixture
def other_user(db: None, django_user_model: Any) -> Any:
    """Somebody who must see nothing of `user`."""
    return django_user_model.objects.create_user("bob", "bob@example.com", "password")


@pytest.fixture
def staff(db: None, django_user_model: Any) -> Any:
    """A superuser who decides in the admin."""
    return django_user_model.objects.create_superuser("grace", "grace@example.com", "password")


# --- a real browser ------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the Chromium to test with."""
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium found; install it or set AGENTUI_CHROMIUM")
    return path


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser process for the run; each test opens contexts of its own."""
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # The loop that Playwright keeps running here makes Django refuse the ORM in plain tests.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        process = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield process
        process.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One person's browser: cookies and storage of its own."""
    context = browser.new_context()
    context.set_default_timeout(30_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
