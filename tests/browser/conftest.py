"""Pages for the tests: with the built bundles and no server behind them, or on the tests' own site."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from tests.browser.people import SIZES, open_chat, sign_in
from tests.flow.demo_server import DemoServer, demo_server

STATIC = Path(__file__).resolve().parents[2] / "agentui" / "static" / "agentui"
ORIGIN = "http://agentui.localhost"

#: As strict as a site can be: whatever the bundles need beyond it would show as an error.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
    " base-uri 'none'; form-action 'none'; require-trusted-types-for 'script';"
    " trusted-types dompurify lit-html"
)


@pytest.fixture
def context(request: pytest.FixtureRequest, browser: Browser) -> Iterator[BrowserContext]:
    """One person's browser, on a screen of the size that the test is marked with (``on_both``)."""
    context = browser.new_context(**SIZES[getattr(request, "param", "desktop")])
    context.set_default_timeout(30_000)
    yield context
    context.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    """The tests' own site (``site/``), with the agent ``pilot``; each file of tests has its own."""
    folder = tmp_path_factory.mktemp("site")
    with demo_server(
        folder, database="sqlite", layer="memory", settings="tests.browser.site.settings"
    ) as server:
        yield server


@pytest.fixture
def ada(context: BrowserContext, server: DemoServer) -> Page:
    """A new chat with ``pilot``."""
    sign_in(context, server, "ada")
    page = context.new_page()
    open_chat(page, server, "/agentui/?agent=pilot")
    return page


Serve = Callable[[str], list[str]]


@pytest.fixture
def serve(page: Page) -> Serve:
    """Open a page with this body; returns the list of requests that leave for another origin."""

    def open_page(body: str) -> list[str]:
        foreign: list[str] = []

        def answer(route: Route) -> None:
            url = route.request.url
            name = url.removeprefix(f"{ORIGIN}/").partition("?")[0]
            file = STATIC / name
            if not url.startswith(f"{ORIGIN}/"):
                foreign.append(url)
                route.abort()
            elif name == "":
                html = f"<!doctype html><meta charset=utf-8><title>Test</title><body>{body}"
                headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html"}
                route.fulfill(body=html, headers=headers)
            elif file.is_file():
                kind = mimetypes.guess_type(name)[0] or "text/plain"
                route.fulfill(body=file.read_bytes(), content_type=kind)
            else:
                route.fulfill(status=404, body="")

        page.route("**/*", answer)
        page.goto(f"{ORIGIN}/")
        return foreign

    return open_page
