"""What a person does in the chat, in a real browser against the demo site's own process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.people import (
    fits,
    message_field,
    on_both,
    open_chat,
    open_list,
    open_list_again,
    say,
    sign_in,
    thread_text,
    wait_until_idle,
)
from tests.flow.demo_server import DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

#: Chromium's emulated loss of the network spares sockets: these can be cut and kept from opening.
CUTTABLE = """
window.__sockets = [];
window.WebSocket = class extends WebSocket {
    constructor(...given) {
        if (window.__cut) throw new Error("no network");
        super(...given);
        window.__sockets.push(this);
    }
};
"""
COUNTING_TOOL = """() => {
    window.__runs = 0;
    document.querySelector("agentui-chat").registry.registerTool({
        name: "set_theme",
        parameters: [{ name: "theme" }],
        handler: () => ++window.__runs,
    });
}"""
ALL_NUMBERS = ", ".join(str(number) for number in range(1, 301)) + "."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder: Path = tmp_path_factory.mktemp("chat")
    with demo_server(folder, database="sqlite", layer="memory") as server:
        yield server


@pytest.fixture
def ada(context: BrowserContext, server: DemoServer) -> Page:
    """The customer's page, with an empty new thread."""
    sign_in(context, server, "ada")
    page = context.new_page()
    page.add_init_script(CUTTABLE)
    open_chat(page, server)
    return page


@on_both
def test_an_answer_streams_and_stands_there_as_markdown(ada: Page) -> None:
    say(ada, "show me a table")
    expect(ada.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    wait_until_idle(ada)
    expect(ada.locator("agentui-message").last.locator("table")).to_be_visible()
    assert fits(ada)
    expect(ada).to_have_title(re.compile("Chat"))
    assert re.search(r"/t/[0-9a-f-]{36}/$", ada.url)


def test_a_new_thread_begins_in_the_middle_of_the_page(ada: Page) -> None:
    def height() -> float:
        box, size = message_field(ada).bounding_box(), ada.viewport_size
        assert box
        assert size
        return box["y"] / size["height"]

    expect(ada.get_by_role("heading", name="How can I help?")).to_be_visible()
    assert 0.4 < height() < 0.7
    say(ada, "hello")
    wait_until_idle(ada)
    assert height() > 0.85


def test_two_tabs_show_the_same_and_a_reload_loses_nothing(
    ada: Page, context: BrowserContext
) -> None:
    say(ada, "count slowly")
    expect(ada.get_by_text("1, 2, 3").first).to_be_visible()
    ada.wait_for_url("**/t/*/")
    other = context.new_page()
    other.goto(ada.url)
    expect(other.get_by_text("1, 2, 3").first).to_be_visible()
    other.reload()
    expect(other.get_by_text("1, 2, 3").first).to_be_visible()
    for page in (ada, other):
        expect(page.get_by_text("298, 299, 300.")).to_be_visible(timeout=20_000)
    assert thread_text(ada) == thread_text(other)
    assert thread_text(ada)[-1] == ["assistant", ALL_NUMBERS]


@on_both
def test_the_network_is_lost_in_the_middle_of_an_answer(ada: Page) -> None:
    say(ada, "count slowly")
    expect(ada.get_by_text("1, 2, 3").first).to_be_visible()
    ada.evaluate("window.__cut = true; window.__sockets.at(-1).close()")
    expect(ada.get_by_text("Connection lost").first).to_be_visible()
    say(ada, "thanks")
    expect(ada.get_by_text("thanks").first).to_be_visible()
    ada.evaluate("window.__cut = false")
    expect(ada.get_by_text("298, 299, 300.")).to_be_visible(timeout=30_000)
    expect(ada.get_by_text("You are welcome").first).to_be_visible(timeout=15_000)
    expect(ada.get_by_text("Connection lost")).to_have_count(0)
    answers = [text for role, text in thread_text(ada) if role == "assistant"]
    assert answers[0] == ALL_NUMBERS
    assert [text for role, text in thread_text(ada) if role == "user"][1].count("thanks") == 1


def test_the_server_is_killed_in_the_middle_of_a_thread(ada: Page, server: DemoServer) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    server.kill()
    expect(ada.get_by_text("Connection lost").first).to_be_visible(timeout=15_000)
    say(ada, "thanks")
    server.start()
    expect(ada.get_by_text("You are welcome").first).to_be_visible(timeout=30_000)
    assert len([role for role, _ in thread_text(ada) if role == "user"]) == 2


@on_both
def test_stop_keeps_what_was_written(ada: Page) -> None:
    say(ada, "count slowly")
    expect(ada.get_by_text("1, 2, 3").first).to_be_visible()
    ada.get_by_role("button", name="Stop", exact=True).click()
    expect(ada.get_by_text("Stopped").first).to_be_visible()
    wait_until_idle(ada)
    assert thread_text(ada)[-1][1].startswith("1, 2, 3")
    assert "300" not in thread_text(ada)[-1][1]


@on_both
def test_edit_makes_a_branch_and_the_picker_goes_between_them(ada: Page) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    ada.locator("agentui-message").first.hover()
    ada.get_by_role("button", name="Edit", exact=True).first.click()
    field = message_field(ada).first
    field.fill("thanks")
    field.press("Enter")
    expect(ada.get_by_text("You are welcome").first).to_be_visible()
    wait_until_idle(ada)
    assert [role for role, _ in thread_text(ada)] == ["user", "assistant"]
    ada.locator("agentui-message").first.hover()
    ada.get_by_role("button", name="Previous version").first.click()
    expect(ada.get_by_text("hello").first).to_be_visible()
    expect(ada.get_by_text("You are welcome")).to_have_count(0)
    ada.get_by_role("button", name="Next version").first.click()
    expect(ada.get_by_text("You are welcome").first).to_be_visible()


@on_both
def test_an_answer_that_failed_can_be_tried_again(ada: Page) -> None:
    say(ada, "please fail")
    expect(ada.get_by_role("alert").get_by_text("The demo model failed")).to_be_visible()
    ada.get_by_role("button", name="Try again").first.click()
    expect(ada.get_by_text("2/2")).to_be_visible()


@on_both
def test_a_message_sent_meanwhile_waits_and_can_be_taken_back(ada: Page) -> None:
    say(ada, "count slowly")
    expect(ada.get_by_text("1, 2, 3").first).to_be_visible()
    say(ada, "thanks")
    say(ada, "hello")
    queue = ada.get_by_role("region", name="Waiting to be sent").get_by_role("listitem")
    expect(queue).to_have_count(2)
    queue.last.get_by_role("button", name="Discard").click()
    expect(queue).to_have_count(1)
    expect(ada.get_by_text("You are welcome").first).to_be_visible(timeout=20_000)
    wait_until_idle(ada)
    assert [role for role, _ in thread_text(ada)] == ["user", "assistant"] * 2


@on_both
def test_a_question_is_answered_by_a_click(ada: Page) -> None:
    say(ada, "ask me something")
    card = ada.locator("agentui-human-card")
    expect(card.get_by_role("heading")).to_be_visible()
    card.get_by_role("button").first.click()
    expect(card).to_have_count(0)
    wait_until_idle(ada)
    expect(ada.locator("agentui-tool-card").get_by_text("Done")).to_be_visible()


def test_a_tool_of_the_page_runs_once_in_two_tabs(
    ada: Page, context: BrowserContext, server: DemoServer
) -> None:
    ada.evaluate(COUNTING_TOOL)
    say(ada, "hello")
    wait_until_idle(ada)
    other = context.new_page()
    open_chat(other, server, ada.url.removeprefix(server.url))
    other.evaluate(COUNTING_TOOL)
    say(ada, "make the page dark")
    expect(other.locator("agentui-tool-card").get_by_text("Done")).to_be_visible()
    wait_until_idle(ada)
    assert ada.evaluate("window.__runs") + other.evaluate("window.__runs") == 1
    other.reload()
    expect(other.locator("agentui-tool-card").get_by_text("Done")).to_be_visible()
    assert other.evaluate("window.__runs ?? 0") == 0


@on_both
def test_a_thread_is_renamed_archived_and_deleted(ada: Page) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    open_list(ada)
    item = ada.locator("agentui-thread-item[selected]")
    item.hover()
    item.get_by_role("button", name=re.compile("^Options for")).click()
    item.get_by_role("menuitem", name="Rename").click()
    ada.keyboard.type("A better name")
    ada.keyboard.press("Enter")
    expect(ada.locator("agentui-chat h2").first).to_have_text("A better name")
    item.get_by_role("button", name=re.compile("^Options for")).click()
    item.get_by_role("menuitem", name="Archive").click()
    expect(ada.get_by_role("button", name="A better name")).to_have_count(0)
    open_list_again(ada)
    ada.get_by_role("button", name="Archived chats").click()
    archived = ada.locator("agentui-thread-item").filter(has_text="A better name")
    archived.hover()
    archived.get_by_role("button", name=re.compile("^Options for")).click()
    archived.get_by_role("menuitem", name="Delete").click()
    archived.get_by_role("button", name="Delete").click()
    expect(archived).to_have_count(0)
    assert fits(ada)
    ada.reload()
    expect(message_field(ada)).to_be_editable()
    expect(ada.locator("agentui-thread-item").filter(has_text="A better name")).to_have_count(0)


@on_both
def test_a_draft_is_kept_for_its_thread(ada: Page) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    message_field(ada).fill("half a thought")
    ada.get_by_role("button", name="New chat").first.click()
    expect(message_field(ada)).to_have_value("")
    ada.go_back()
    expect(message_field(ada)).to_have_value("half a thought")
    ada.reload()
    expect(message_field(ada)).to_have_value("half a thought")


def test_the_reader_is_left_alone_while_an_answer_grows(ada: Page) -> None:
    ada.set_viewport_size({"width": 700, "height": 420})
    say(ada, "tell me something long")
    wait_until_idle(ada)
    scroller = ada.locator("agentui-thread .scroller")
    at_end = "box => box.scrollHeight - box.scrollTop - box.clientHeight < 4"
    assert scroller.evaluate(at_end)
    say(ada, "count slowly")
    expect(ada.get_by_text("1, 2, 3").first).to_be_visible()
    scroller.hover()
    ada.mouse.wheel(0, -400)
    ada.wait_for_timeout(300)
    before = scroller.evaluate("box => box.scrollTop")
    ada.wait_for_timeout(700)
    assert scroller.evaluate("box => box.scrollTop") == before
    ada.get_by_role("button", name="Jump to latest").click()
    wait_until_idle(ada)
    ada.wait_for_timeout(100)
    assert scroller.evaluate(at_end)


def test_on_a_phone_the_list_is_a_drawer(browser: Browser, server: DemoServer) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    sign_in(context, server, "ada")
    page = context.new_page()
    open_chat(page, server)
    say(page, "hello")
    wait_until_idle(page)
    expect(page.get_by_role("searchbox", name="Search chats")).to_be_hidden()
    page.get_by_role("button", name="Chats", exact=True).click()
    expect(page.get_by_role("searchbox", name="Search chats")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("searchbox", name="Search chats")).to_be_hidden()
    page.get_by_role("button", name="Chats", exact=True).click()
    page.locator("agentui-thread-list").get_by_role("button", name="New chat").click()
    expect(page.get_by_role("heading", name="How can I help?")).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    context.close()
