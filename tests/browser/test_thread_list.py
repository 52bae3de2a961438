"""The list of threads: found again, marked, renamed by the model while one looks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.people import (
    fits,
    on_both,
    open_chat,
    open_list,
    open_list_again,
    say,
    sign_in,
    wait_until_idle,
)
from tests.flow.demo_server import DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

#: More threads than a page of the list, the last of them far below.
MANY = """
from datetime import timedelta
from django.contrib.auth import get_user_model
from django.utils import timezone
from agentui.models import Thread
owner = get_user_model().objects.get(username="ada")
Thread.objects.bulk_create(
    Thread(owner=owner, agent="pilot", title=f"Question {n}" if n < 120 else "The lost cup",
        title_source="user", last_activity_at=timezone.now() - timedelta(days=40, hours=n))
    for n in range(121)
)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder: Path = tmp_path_factory.mktemp("list")
    with demo_server(
        folder, database="sqlite", layer="memory", settings="tests.browser.site.settings"
    ) as server:
        server.manage("shell", "-v", "0", "-c", MANY)
        yield server


@pytest.fixture
def ada(context: BrowserContext, server: DemoServer) -> Page:
    sign_in(context, server, "ada")
    page = context.new_page()
    open_chat(page, server, "/agentui/?agent=pilot")
    return page


def items(page: Page) -> Locator:
    return page.locator("agentui-thread-item")


def search(page: Page, words: str) -> None:
    page.get_by_role("searchbox", name="Search chats").fill(words)


@on_both
def test_a_thread_is_found_by_its_title_wherever_it_is(ada: Page) -> None:
    open_list(ada)
    expect(items(ada).first).to_be_visible()
    expect(items(ada).filter(has_text="The lost cup")).to_have_count(0)
    search(ada, "LOST")
    expect(items(ada)).to_have_text(["The lost cup"])
    assert fits(ada)
    items(ada).first.click()
    ada.wait_for_url("**/t/*/")
    expect(ada.locator("agentui-chat h2").first).to_have_text("The lost cup")
    open_list_again(ada)
    search(ada, "nothing of that name")
    expect(ada.get_by_text("No chat matches")).to_be_visible()
    expect(ada.get_by_role("button", name="Show more")).to_have_count(0)
    search(ada, "")
    expect(items(ada).nth(5)).to_be_visible()


def test_older_threads_come_when_they_are_asked_for(ada: Page) -> None:
    expect(items(ada).first).to_be_visible()
    before = items(ada).count()
    ada.locator("agentui-thread-list").get_by_role("button", name="Show more").click()
    expect(items(ada).nth(before)).to_be_attached()


@on_both
def test_a_thread_says_that_it_works_waits_and_has_news(
    ada: Page, context: BrowserContext, server: DemoServer
) -> None:
    """While its reader is elsewhere, and to every page of theirs."""
    (server.folder / "last").unlink(missing_ok=True)
    (server.folder / "second").touch()
    say(ada, "call search")
    expect(ada.get_by_role("progressbar")).to_be_visible()
    ada.wait_for_url("**/t/*/")
    ada.get_by_role("button", name="New chat").last.click()
    other = context.new_page()
    open_chat(other, server, "/agentui/?agent=pilot")
    for page in (ada, other):
        open_list(page)
        expect(items(page).first.get_by_role("img", name="Answering")).to_be_visible()
    (server.folder / "last").touch()
    for page in (ada, other):
        expect(items(page).first.get_by_role("img", name="Something new")).to_be_visible()
    items(ada).first.click()
    expect(ada.get_by_text("Answers:").last).to_be_visible()
    open_list_again(ada)
    expect(items(ada).first.get_by_role("img", name="Something new")).to_have_count(0)
    ada.keyboard.press("Escape")
    say(ada, 'call close_shop {"reason": "late"}')
    expect(ada.locator("agentui-approval-card")).to_be_visible()
    expect(items(other).first.get_by_role("img", name="Waiting for somebody")).to_be_visible()


def test_a_title_changes_in_every_page_at_once(ada: Page, context: BrowserContext) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    ada.wait_for_url("**/t/*/")
    other = context.new_page()
    other.goto(ada.url)
    expect(items(other).locator("xpath=self::*[@selected]")).to_have_text("hello")
    ada.evaluate(
        """() => {
            const { client, thread } = document.querySelector("agentui-chat");
            return client.threads.rename(thread, "A better name");
        }"""
    )
    for page in (ada, other):
        expect(page.locator("agentui-chat h2").first).to_have_text("A better name")
        expect(items(page).first).to_have_text("A better name")
