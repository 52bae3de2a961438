"""What an answer is made of, and what can be done with it, on a desktop and a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.people import (
    fits,
    on_both,
    say,
    thread_text,
    wait_until_idle,
)

pytestmark = [pytest.mark.browser, pytest.mark.flow]


def last(page: Page) -> Locator:
    return page.locator("agentui-message").last


@on_both
def test_reasoning_is_folded_and_sources_are_links_if_they_may_be(ada: Page) -> None:
    say(ada, "think and cite")
    wait_until_idle(ada)
    thought = last(ada).locator("details.thought")
    expect(thought.get_by_text("Which **cup**?")).to_be_hidden()
    thought.locator("summary").click()
    expect(thought.get_by_text("Which **cup**?")).to_be_visible()
    sources = last(ada).locator("[part=sources] li")
    expect(sources).to_have_text(["All cups", "Bad cups", "Cups.pdf"])
    expect(sources.locator("a")).to_have_count(1)
    assert sources.locator("a").get_attribute("href") == "https://example.com/cups"
    assert sources.locator("a").get_attribute("rel") == "noopener noreferrer"
    assert fits(ada)


@on_both
def test_an_answer_and_a_question_are_copied_as_they_were_written(
    ada: Page, context: BrowserContext
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    say(ada, "say Some **bold** words and `code`.")
    wait_until_idle(ada)
    last(ada).get_by_role("button", name="Copy", exact=True).click()
    assert ada.evaluate("navigator.clipboard.readText()") == "Some **bold** words and `code`."
    question = ada.locator("agentui-message").first
    question.hover()
    question.get_by_role("button", name="Copy", exact=True).click()
    copied = ada.evaluate("navigator.clipboard.readText()")
    assert copied == "say Some **bold** words and `code`."


@on_both
def test_an_answer_is_given_again_and_both_stay(ada: Page) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    last(ada).get_by_role("button", name="Try again").click()
    expect(last(ada).get_by_role("group", name="2 of 2")).to_be_visible()
    wait_until_idle(ada)
    assert [role for role, _ in thread_text(ada)] == ["user", "assistant"]
    last(ada).get_by_role("button", name="Previous version").click()
    expect(last(ada).get_by_role("group", name="1 of 2")).to_be_visible()
    ada.reload()
    expect(last(ada).get_by_role("group", name="1 of 2")).to_be_visible()


@on_both
def test_the_end_is_one_touch_away(ada: Page) -> None:
    for _ in range(2):
        say(ada, "write 400")
        wait_until_idle(ada)
    jump = ada.get_by_role("button", name="Jump to latest")
    expect(jump).to_be_hidden()
    scroller = ada.locator("agentui-thread .scroller")
    scroller.evaluate("box => box.scrollTo(0, 0)")
    expect(jump).to_be_visible()
    jump.click()
    expect(jump).to_be_hidden()
    ada.wait_for_function(
        "box => box.scrollHeight - box.scrollTop - box.clientHeight < 4",
        arg=scroller.element_handle(),
    )
