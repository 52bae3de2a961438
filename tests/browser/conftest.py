"""A page of its own for each test, with the built bundles on it and no server behind it."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from tests.browser.people import SIZES

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
