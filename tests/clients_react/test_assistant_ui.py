"""A page of assistant-ui's, in a real Chromium, with Django behind it and nothing between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .people import decide_elsewhere, stored

pytestmark = [pytest.mark.browser, pytest.mark.flow]


def say(page: Page, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.get_by_role("button", name="Send").click()


@pytest.fixture
def opened(open_page: Callable[..., Page]) -> Callable[[str], Page]:
    return lambda thread: open_page("assistant-ui", thread)


def test_text_and_a_server_tool(opened: Any, site: Any) -> None:
    page = opened("aui-text")
    say(page, "hello there")
    expect(page.get_by_test_id("text").last).to_have_text("You said: hello there")
    say(page, "add")
    expect(page.get_by_test_id("call")).to_have_text("add: 5")
    expect(page.get_by_test_id("text").last).to_have_text("Result: 5")
    page.reload()
    expect(page.get_by_test_id("message")).to_have_count(4)
    expect(page.get_by_test_id("text").last).to_have_text("Result: 5")
    assert len(stored(site, "hello there")["messages"]) == 4


def test_a_tool_of_the_page(opened: Any, site: Any) -> None:
    page = opened("aui-place")
    say(page, "page one")
    expect(page.get_by_test_id("text").last).to_contain_text("Result: ")
    expect(page.get_by_test_id("text").last).to_contain_text("Oslo")
    assert page.evaluate("document.body.dataset.ran") == "1"
    [call] = stored(site, "page one")["tool_calls"]
    assert (call["kind"], call["status"]) == ("frontend", "complete")


@pytest.mark.parametrize("verdict", ["Approve", "Deny"])
def test_an_approval_of_the_user(opened: Any, site: Any, verdict: str) -> None:
    page = opened(f"aui-{verdict}")
    say(page, f"deploy aui-{verdict}")
    page.get_by_test_id("call").get_by_role("button", name=verdict).click()
    expected = f"deployed aui-{verdict}" if verdict == "Approve" else "Too early"
    expect(page.get_by_test_id("text").last).to_contain_text(expected)
    [call] = stored(site, f"deploy aui-{verdict}")["tool_calls"]
    assert call["status"] == ("complete" if verdict == "Approve" else "denied")


@pytest.mark.parametrize("verdict", ["approve", "deny"])
def test_an_approval_decided_elsewhere_while_the_page_waits(
    opened: Any, site: Any, verdict: str
) -> None:
    name = f"aui-{verdict}-elsewhere"
    page = opened(name)
    say(page, f"refund {name}")
    expect(page.get_by_test_id("call")).to_contain_text("refund: waits")
    decide_elsewhere(site, name, verdict, "Not today")
    expected = f'"refunded": "{name}"' if verdict == "approve" else "Not today"
    expect(page.get_by_test_id("text").last).to_contain_text(expected)


def test_a_reload_while_an_approval_waits(opened: Any, site: Any) -> None:
    page = opened("aui-reload")
    say(page, "deploy aui-reload")
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_test_id("text").last).to_contain_text("deployed aui-reload")


def test_an_error(opened: Any) -> None:
    page = opened("aui-error")
    say(page, "fail")
    expect(page.get_by_test_id("error")).to_be_visible()
    say(page, "again")
    expect(page.get_by_test_id("text").last).to_have_text("You said: again")
