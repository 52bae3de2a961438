"""What a person does on the demo site, in the words of the tests."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.flow.demo_server import DemoServer

SIZES: dict[str, Any] = {
    "desktop": {},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}

#: The test is carried out on a desktop and on a phone: a screen of 390 x 844 that is touched.
on_both = pytest.mark.parametrize("context", SIZES, indirect=True)


def sign_in(context: BrowserContext, server: DemoServer, username: str) -> None:
    """Sign in by a session made on the server, so that each test begins where it matters."""
    code = (
        "from importlib import import_module; from django.conf import settings;"
        "from django.contrib.auth import get_user_model, SESSION_KEY, BACKEND_SESSION_KEY,"
        " HASH_SESSION_KEY;"
        f"u = get_user_model().objects.get(username={username!r});"
        "s = import_module(settings.SESSION_ENGINE).SessionStore();"
        "s[SESSION_KEY] = str(u.pk); s[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0];"
        "s[HASH_SESSION_KEY] = u.get_session_auth_hash(); s.save(); print(s.session_key)"
    )
    key = server.manage("shell", "-v", "0", "-c", code).strip().splitlines()[-1]
    context.add_cookies([{"name": "sessionid", "value": key, "url": server.url}])


def open_chat(page: Page, server: DemoServer, path: str = "/agentui/") -> None:
    page.goto(f"{server.url}{path}")
    expect(message_field(page)).to_be_editable()


def message_field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message", exact=True)


def say(page: Page, text: str) -> None:
    message_field(page).fill(text)
    page.keyboard.press("Enter")


def wait_until_idle(page: Page) -> None:
    """Until what was said has arrived and its answer is complete."""
    expect(page.locator("agentui-thread .pending")).to_have_count(0)
    last = page.locator("agentui-message").last
    expect(last).to_have_attribute("data-role", "assistant", timeout=20_000)
    expect(last.locator(".assistant")).to_have_attribute("aria-busy", "false", timeout=20_000)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)


def fits(page: Page) -> bool:
    """Nothing of the page is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def is_phone(page: Page) -> bool:
    return page.viewport_size is not None and page.viewport_size["width"] < 736


def open_list(page: Page) -> None:
    """The list of threads: on a phone it is a drawer."""
    if is_phone(page):
        page.get_by_role("button", name="Chats", exact=True).click()
    expect(page.get_by_role("searchbox", name="Search chats")).to_be_visible()


def open_list_again(page: Page) -> None:
    """After a thread was opened from it: on a phone the drawer has closed by itself."""
    if is_phone(page):
        expect(page.get_by_role("searchbox", name="Search chats")).to_be_hidden()
    open_list(page)


def thread_text(page: Page) -> list[Any]:
    """The messages as they stand in the page: role and text of each."""
    shown: list[Any] = page.evaluate(
        """() => {
            const chat = document.querySelector("agentui-chat");
            const thread = chat.shadowRoot.querySelector("agentui-thread");
            return [...thread.shadowRoot.querySelectorAll("agentui-message")].map((message) => {
                const markdown = [...message.shadowRoot.querySelectorAll("agentui-markdown")];
                const text = markdown.length
                    ? markdown.map((part) => part.shadowRoot.textContent).join("|")
                    : message.shadowRoot.textContent;
                return [message.dataset.role, text.replace(/\\s+/g, " ").trim()];
            });
        }"""
    )
    return shown
