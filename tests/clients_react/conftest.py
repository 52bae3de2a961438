from __future__ import annotations

from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from tests.clients_react import built_pages
from tests.protocols.live import live_site


@pytest.fixture(scope="session")
def site() -> Iterator[dict[str, Any]]:
    """A site in a process of its own, which serves the built pages as static files."""
    with live_site(built_pages()) as site:
        yield site


@pytest.fixture
def open_page(context: BrowserContext, site: dict[str, Any]) -> Callable[..., Page]:
    """``open_page("copilotkit", "thread")``: ada's browser, at one of the pages."""
    cookies = SimpleCookie(site["people"]["ada"]["headers"]["cookie"])
    context.add_cookies(
        [{"name": name, "value": one.value, "url": site["url"]} for name, one in cookies.items()]
    )

    def only_here(route: Route) -> None:
        is_here = urlsplit(route.request.url).hostname == "127.0.0.1"
        return route.continue_() if is_here else route.abort()

    context.route("**/*", only_here)

    def open(name: str, thread: str) -> Page:
        page = context.new_page()
        page.goto(f"{site['url']}/static/clients_react/{name}.html#{thread}")
        return page

    return open
