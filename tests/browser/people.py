"""What a person does on the demo site, in the words of the tests."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.flow.demo_server import DemoServer

DONE = re.compile("Done", re.I)


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
