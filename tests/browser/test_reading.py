"""What a reader does with answers: rates them, looks closer, takes up a suggestion, orders the queue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import on_both, open_chat, say, sign_in, thread_text, wait_until_idle
from tests.browser.test_accessibility import serious_findings
from tests.flow.demo_server import DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder: Path = tmp_path_factory.mktemp("reading")
    with demo_server(folder, database="sqlite", layer="memory") as server:
        yield server


@pytest.fixture
def ada(context: BrowserContext, server: DemoServer) -> Page:
    sign_in(context, server, "ada")
    page = context.new_page()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    open_chat(page, server)
    return page


def last(page: Page) -> Any:
    return page.locator("agentui-message").last


@on_both
def test_an_answer_is_rated_with_a_word_and_the_rating_is_there_tomorrow(
    ada: Page, server: DemoServer
) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    good = last(ada).get_by_role("button", name="Good answer")
    bad = last(ada).get_by_role("button", name="Bad answer")
    good.click()
    expect(good).to_have_attribute("aria-pressed", "true")
    bad.click()
    last(ada).get_by_label("What was wrong? (optional)").fill("It does not know me.")
    assert serious_findings(ada) == []
    last(ada).get_by_role("button", name="Send", exact=True).click()
    expect(bad).to_have_attribute("aria-pressed", "true")
    expect(good).to_have_attribute("aria-pressed", "false")
    server.wait_for(
        "Message.objects.exclude(feedback='').values_list('feedback', 'feedback_comment').get()",
        "('negative', 'It does not know me.')",
    )
    ada.reload()
    expect(bad).to_have_attribute("aria-pressed", "true")
    bad.click()
    expect(bad).to_have_attribute("aria-pressed", "false")


@on_both
def test_time_and_tokens_are_a_click_away(ada: Page) -> None:
    say(ada, "where is my order 1002?")
    wait_until_idle(ada)
    last(ada).get_by_role("button", name="Details").click()
    facts = last(ada).locator(".facts")
    expect(facts).to_contain_text("tokens read")
    expect(facts).to_contain_text("2 steps")
    expect(facts).to_contain_text("scripted:shop-demo")


@on_both
def test_what_to_say_next_is_offered_and_one_click_says_it(ada: Page) -> None:
    say(ada, "where is my order 1002?")
    offered = ada.get_by_role("list", name="Suggestions").get_by_role("button")
    expect(offered).to_have_count(2)
    offered.filter(has_text="List my orders").click()
    expect(offered.filter(has_text="List my orders")).to_have_count(0)
    wait_until_idle(ada)
    assert [text for role, text in thread_text(ada) if role == "user"][-1].endswith(
        "List my orders"
    )


def test_a_title_comes_by_itself_and_live(ada: Page) -> None:
    say(ada, "refund order 1002 1 because it is chipped")
    expect(ada.get_by_role("heading", name="Refund for order 1002")).to_be_visible(timeout=15_000)
    expect(ada.locator("agentui-thread-item[selected]")).to_contain_text("Refund for order 1002")


@on_both
def test_code_is_coloured_once_and_copied_as_it_was(ada: Page, context: BrowserContext) -> None:
    asked: list[str] = []
    ada.on("request", lambda request: asked.append(request.url))
    say(ada, "hello")
    wait_until_idle(ada)
    assert not any("agentui-highlight" in url for url in asked)
    say(ada, "show me code")
    wait_until_idle(ada)
    code = last(ada).locator("pre code").first
    expect(code.locator(".tok-keyword").first).to_be_visible()
    assert sum("agentui-highlight" in url for url in asked) == 1
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = code.text_content()
    last(ada).locator(".code").first.get_by_role("button", name="Copy").click()
    assert ada.evaluate("navigator.clipboard.readText()") == text


@on_both
def test_the_queue_is_changed_ordered_and_one_of_it_sent_at_once(ada: Page) -> None:
    say(ada, "count slowly")
    expect(ada.get_by_text("1, 2, 3").first).to_be_visible()
    for text in ("thanks", "show me a table", "hello"):
        say(ada, text)
    queue = ada.get_by_role("region", name="Waiting to be sent")
    waiting = queue.get_by_role("listitem")
    expect(waiting).to_have_text(["thanks", "show me a table", "hello"])
    assert serious_findings(ada) == []
    waiting.nth(2).get_by_role("button", name="Move up").click()
    expect(waiting).to_have_text(["thanks", "hello", "show me a table"])
    waiting.nth(0).get_by_role("button", name="Edit").click()
    queue.get_by_role("textbox", name="Message").fill("thank you")
    queue.get_by_role("button", name="Save").click()
    expect(waiting).to_have_text(["thank you", "hello", "show me a table"])
    waiting.nth(1).get_by_role("button", name="Send now").click()
    expect(queue).to_have_count(0, timeout=20_000)
    wait_until_idle(ada)
    said = [text.removeprefix("You:").strip() for role, text in thread_text(ada) if role == "user"]
    assert said == ["count slowly", "hello", "thank you", "show me a table"]
    assert "300." not in thread_text(ada)[1][1]


@on_both
def test_stopping_lets_the_queue_rest_until_it_is_told_to_go_on(ada: Page) -> None:
    say(ada, "count slowly")
    expect(ada.get_by_text("1, 2, 3").first).to_be_visible()
    say(ada, "hello")
    queue = ada.get_by_role("region", name="Waiting to be sent")
    expect(queue).to_be_visible()
    ada.get_by_role("button", name="Stop", exact=True).click()
    expect(queue.get_by_text("Paused since you stopped the answer.")).to_be_visible()
    queue.get_by_role("button", name="Continue").click()
    expect(queue).to_have_count(0)
    wait_until_idle(ada)
    assert len(thread_text(ada)) == 4


def test_the_outcome_of_an_approval_is_a_line_and_not_the_models_words(
    ada: Page, server: DemoServer
) -> None:
    say(ada, "refund order 1002 2 because the bowl is chipped")
    expect(ada.locator("agentui-approval-card")).to_be_visible()
    say(ada, "thanks")
    expect(ada.get_by_text("You are welcome").first).to_be_visible(timeout=20_000)
    server.manage(
        "shell",
        "-v",
        "0",
        "-c",
        "from agentui import actions; from agentui.models import Approval;"
        "from django.contrib.auth import get_user_model;"
        "a = Approval.objects.filter(status='pending').latest('requested_at');"
        "staff = get_user_model().objects.filter(is_superuser=True).first()"
        " or get_user_model().objects.filter(is_staff=True).first();"
        "actions.decide_approval(staff, a.pk, verdict='approve', reason='ok', door='admin')",
    )
    line = ada.locator("agentui-message[data-role=event]")
    expect(line).to_have_text("Refund order was approved and has run.", timeout=30_000)


def test_the_page_has_one_main_landmark(ada: Page) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    expect(ada.get_by_role("main")).to_have_count(1)
    expect(ada.get_by_role("region", name="Chat", exact=True)).to_have_count(1)


def test_hostile_titles_and_suggestions_stay_text(ada: Page, server: DemoServer) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    ada.wait_for_timeout(500)
    thread = ada.url.rstrip("/").rpartition("/")[2]
    bad = "<img src=x onerror=alert(1)>\\u202e[x](javascript:alert(1))"
    server.manage(
        "shell",
        "-v",
        "0",
        "-c",
        "from agentui.models import Message, Thread; from agentui.runtime.store import changing;"
        f"bad = '{bad}';\n"
        f"with changing('{thread}') as thread:\n"
        "    Thread.objects.filter(pk=thread.pk).update(title=bad)\n"
        "    head = Message.objects.get(pk=thread.head_id)\n"
        "    head.metadata['suggestions'] = [{'prompt': bad}, {'prompt': 'x', 'title': bad}]\n"
        "    head.version = thread.version; head.save()",
    )
    ada.reload()
    offered = ada.get_by_role("list", name="Suggestions").get_by_role("button")
    expect(offered).to_have_count(2)
    expect(offered.first).to_contain_text("<img src=x onerror=alert(1)>⟨U+202E⟩")
    expect(ada.locator("agentui-thread-item[selected]")).to_contain_text("⟨U+202E⟩")
    expect(ada.locator("agentui-chat img")).to_have_count(0)
