"""A page of CopilotKit's, in a real Chromium: Django is its runtime, and there is no Node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .people import decide_elsewhere, stored

pytestmark = [pytest.mark.browser, pytest.mark.flow]


def say(page: Page, text: str) -> None:
    page.get_by_test_id("copilot-chat-textarea").fill(text)
    page.get_by_test_id("copilot-send-button").click()


def answer(page: Page) -> Any:
    return page.get_by_test_id("copilot-assistant-message").last


@pytest.fixture
def opened(open_page: Callable[..., Page]) -> Callable[[str], Page]:
    """A page that has asked what there is in its thread: before that it makes its chat anew."""

    def open(thread: str) -> Page:
        page = open_page("copilotkit", thread)
        page.wait_for_function(
            "performance.getEntriesByType('resource').some((one) => one.name.endsWith('/connect'))"
        )
        return page

    return open


def test_text_and_a_server_tool(opened: Any, site: Any) -> None:
    page = opened("ck-text")
    say(page, "hello copilot")
    expect(answer(page)).to_contain_text("You said: hello copilot")
    say(page, "add")
    expect(answer(page)).to_contain_text("Result: 5")
    page.reload()
    expect(answer(page)).to_contain_text("Result: 5")
    assert len(stored(site, "hello copilot")["messages"]) == 4


def test_a_tool_of_the_page(opened: Any, site: Any) -> None:
    page = opened("ck-place")
    say(page, "page two")
    expect(answer(page)).to_contain_text("Oslo")
    expect(page.get_by_test_id("place")).to_have_text("complete")
    assert page.evaluate("document.body.dataset.ran") == "1"
    [call] = stored(site, "page two")["tool_calls"]
    assert (call["kind"], call["status"]) == ("frontend", "complete")


@pytest.mark.parametrize("verdict", ["Approve", "Deny"])
def test_an_approval_of_the_user(opened: Any, site: Any, verdict: str) -> None:
    page = opened(f"ck-{verdict}")
    say(page, f"deploy ck-{verdict}")
    page.get_by_test_id("approval").get_by_role("button", name=verdict).click()
    expected = f"deployed ck-{verdict}" if verdict == "Approve" else "Too early"
    expect(answer(page)).to_contain_text(expected)
    [call] = stored(site, f"deploy ck-{verdict}")["tool_calls"]
    assert call["status"] == ("complete" if verdict == "Approve" else "denied")


@pytest.mark.parametrize("verdict", ["approve", "deny"])
def test_an_approval_decided_elsewhere_while_the_page_waits(
    opened: Any, site: Any, verdict: str
) -> None:
    name = f"ck-{verdict}-elsewhere"
    page = opened(name)
    say(page, f"refund {name}")
    expect(page.get_by_test_id("staff-approval")).to_contain_text("refund: pending")
    decide_elsewhere(site, name, verdict, "Not today")
    expected = f'"refunded": "{name}"' if verdict == "approve" else "Not today"
    expect(answer(page)).to_contain_text(expected)


def test_a_reload_while_an_approval_waits(opened: Any, site: Any) -> None:
    page = opened("ck-reload")
    say(page, "deploy ck-reload")
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Approve").click()
    expect(answer(page)).to_contain_text("deployed ck-reload")


def test_the_thread_goes_on_after_an_error(opened: Any) -> None:
    page = opened("ck-error")
    say(page, "fail")
    expect(answer(page)).to_contain_text("So far so")
    say(page, "again")
    expect(answer(page)).to_contain_text("You said: again")
