"""Cards of tool calls in every state, and what a person does with them, on a desktop and a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.people import fits, on_both, open_chat, say, sign_in, wait_until_idle
from tests.browser.test_accessibility import serious_findings, tab_to
from tests.flow.demo_server import DemoServer

pytestmark = [pytest.mark.browser, pytest.mark.flow]


@pytest.fixture
def ada(context: BrowserContext, server: DemoServer) -> Page:
    sign_in(context, server, "ada")
    for step in ("second", "last"):
        (server.folder / step).unlink(missing_ok=True)
    page = context.new_page()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    open_chat(page, server, "/agentui/?agent=pilot")
    return page


def card(page: Page) -> Locator:
    return page.locator("agentui-tool-card").last


def approval(page: Page) -> Locator:
    return page.locator("agentui-approval-card")


@on_both
def test_a_long_tool_shows_how_far_it_is_and_what_it_has(ada: Page, server: DemoServer) -> None:
    say(ada, "call search")
    bar = card(ada).get_by_role("progressbar", name="Reading page 1 of 4")
    expect(bar).to_have_attribute("value", "0.25")
    expect(card(ada).get_by_role("group", name="So far").get_by_role("listitem")).to_have_text(
        ["Cups"]
    )
    box = bar.bounding_box()
    assert box
    assert (box["width"] > 40, box["height"] > 3) == (True, True)
    ada.wait_for_url("**/t/*/")
    ada.reload()
    expect(bar).to_be_visible()
    (server.folder / "second").touch()
    expect(card(ada).get_by_role("progressbar", name="Reading page 3 of 4")).to_be_visible()
    expect(card(ada).get_by_role("listitem")).to_have_text(["Cups", "Bowls"])
    assert fits(ada)
    (server.folder / "last").touch()
    expect(card(ada).get_by_text("Done")).to_be_visible()
    expect(ada.get_by_role("progressbar")).to_have_count(0)


@on_both
def test_what_a_sub_agent_does_is_seen_in_the_call_and_stays(ada: Page, server: DemoServer) -> None:
    foreign: list[str] = []
    ada.on("request", lambda r: None if r.url.startswith(server.url) else foreign.append(r.url))
    say(ada, 'call delegate {"end": "It is the *white* one. <img src=https://attacker.example/x>"}')
    nested = card(ada).get_by_role("list", name="Steps").get_by_role("listitem")
    expect(nested).to_have_text(["Find the cheapest cup"])
    expect(nested.locator("strong")).to_have_text("cheapest")
    (server.folder / "second").touch()
    expect(nested).to_have_count(2)
    expect(nested.last).to_contain_text("Look up")
    expect(nested.last).to_contain_text("cup → 3 cups")
    (server.folder / "last").touch()
    wait_until_idle(ada)
    ada.reload()
    expect(nested.last).to_contain_text("It is the white one. <img")
    expect(ada.locator("agentui-tool-card img")).to_have_count(0)
    assert fits(ada)
    assert foreign == []


@on_both
def test_the_raw_view_shows_what_was_written_letter_by_letter(ada: Page) -> None:
    say(ada, 'call repeat {"text": "a\\u202eb <i>c</i>", "big": 12345678901234567890}')
    wait_until_idle(ada)
    expect(card(ada).get_by_text("Failed")).to_be_visible()
    say(ada, 'call repeat {"text": "a\\u202eb <i>c</i>"}')
    wait_until_idle(ada)
    card(ada).get_by_text("Done").click()
    card(ada).get_by_text("Details", exact=True).click()
    raw = card(ada).locator(".raw pre")
    expect(raw.first).to_contain_text('"text": "a')
    expect(raw.last).to_have_text("a⟨U+202E⟩b <i>c</i>")
    assert fits(ada)
    assert serious_findings(ada) == []


@on_both
def test_a_call_is_changed_allowed_and_run_in_the_chat(ada: Page, server: DemoServer) -> None:
    say(ada, 'call rename_shop {"name": "Kiln", "city": "Graz"}')
    expect(approval(ada).get_by_role("heading")).to_have_text("Rename shop")
    assert fits(ada)
    approval(ada).get_by_role("button", name="Change").click()
    approval(ada).get_by_role("textbox").fill("Bowl")
    approval(ada).get_by_role("button", name="Approve").click()
    wait_until_idle(ada)
    expect(ada.get_by_text("It is called Bowl now.").last).to_be_visible()
    expect(approval(ada)).to_have_count(0)


@on_both
def test_a_call_is_denied_with_a_reason_that_everybody_reads(ada: Page) -> None:
    say(ada, 'call rename_shop {"name": "Kiln"}')
    approval(ada).get_by_role("button", name="Deny").click()
    approval(ada).get_by_role("textbox").fill("Not <b>today</b>")
    approval(ada).get_by_role("button", name="Deny").click()
    wait_until_idle(ada)
    expect(card(ada).get_by_text("Denied", exact=True)).to_be_visible()
    expect(card(ada)).to_contain_text("Not <b>today</b>")


def test_what_waits_for_staff_says_for_whom_and_has_no_buttons(ada: Page) -> None:
    say(ada, 'call close_shop {"reason": "It is late"}')
    expect(approval(ada)).to_contain_text("It is late")
    expect(approval(ada)).to_contain_text("Waiting for")
    expect(approval(ada).locator("time")).to_contain_text("in 24 hours")
    expect(approval(ada).get_by_role("button")).to_have_count(0)


def test_arguments_are_seen_as_they_are_written(ada: Page, server: DemoServer) -> None:
    open_chat(ada, server, "/agentui/?agent=writer")
    say(ada, "write arguments")
    expect(card(ada).locator(".summary")).to_contain_text("word3")
    expect(card(ada).locator(".state")).to_have_text("Preparing")
    expect(card(ada).locator(".summary")).not_to_contain_text("word149")
    expect(card(ada).locator(".state")).to_have_text("Done")
    expect(card(ada).locator(".summary")).to_contain_text("word149")


def test_a_page_shows_calls_in_its_own_way_by_name_and_for_the_rest(
    ada: Page,
) -> None:
    ada.evaluate(
        """() => {
            const { registry } = document.querySelector("agentui-chat");
            const view = (who) => ({ status, args, result }) => {
                const node = document.createElement("output");
                node.textContent = `${who}: ${status} ${JSON.stringify(args)} ${JSON.stringify(result ?? null)}`;
                return node;
            };
            registry.registerRenderer("repeat", view("mine"));
            registry.registerRenderer("*", view("rest"));
        }"""
    )
    say(ada, 'call repeat {"text": "a"}\ncall note {"text": "b"}')
    wait_until_idle(ada)
    shown = ada.locator("agentui-tool-card output")
    expect(shown).to_have_text(
        ['mine: complete {"text":"a"} "a"', 'rest: complete {"text":"b"} "noted"']
    )


#: Status of the row, its words on the card, and what else has to be said at once.
ENDED = [
    ("failed", "Failed", "The <i>cup</i> fell."),
    ("denied", "Denied", ""),
    ("expired", "Expired", ""),
    ("cancelled", "Cancelled", ""),
    (
        "interrupted",
        "Interrupted",
        "It may have had effects. Please check before it is tried again.",
    ),
]


def test_every_way_that_a_call_ends_is_said_on_its_card(ada: Page, server: DemoServer) -> None:
    say(ada, "\n".join(f'call repeat {{"text": "{status}"}}' for status, *_ in ENDED))
    wait_until_idle(ada)
    for status, *_ in ENDED:
        server.query(
            f"ToolCall.objects.filter(args_text__contains='\"{status}\"')"
            f".update(status='{status}', is_error=True, result='The <i>cup</i> fell.')"
        )
    ada.reload()
    for at, (_, word, more) in enumerate(ENDED):
        shown: Any = ada.locator("agentui-tool-card").nth(at)
        expect(shown.locator(".state")).to_have_text(word)
        if more:
            expect(shown.locator(".note")).to_have_text(more)
    assert serious_findings(ada) == []


def test_calls_are_decided_opened_and_answers_rated_by_keyboard(ada: Page) -> None:
    say(ada, 'call rename_shop {"name": "Kiln"}')
    expect(approval(ada).get_by_role("button", name="Approve")).to_be_visible()
    tab_to(ada, "Change", back=True)
    ada.keyboard.press("Enter")
    expect(approval(ada).get_by_role("textbox")).to_be_focused()
    ada.keyboard.press("Control+a")
    ada.keyboard.type("Bowl")
    tab_to(ada, "Approve")
    ada.keyboard.press("Enter")
    wait_until_idle(ada)
    tab_to(ada, "Rename shop", back=True)
    ada.keyboard.press("Enter")
    tab_to(ada, "Details")
    ada.keyboard.press("Enter")
    expect(card(ada).locator(".raw pre").first).to_contain_text("Kiln")
    tab_to(ada, "Good answer")
    ada.keyboard.press("Space")
    expect(ada.get_by_role("button", name="Good answer")).to_have_attribute("aria-pressed", "true")
    tab_to(ada, "Try again", back=True)
    ada.keyboard.press("Enter")
    approve = approval(ada).get_by_role("button", name="Deny")
    expect(approve).to_be_visible()
    tab_to(ada, "Deny", back=True)
    ada.keyboard.press("Enter")
    ada.keyboard.type("No")
    tab_to(ada, "Deny")
    ada.keyboard.press("Enter")
    wait_until_idle(ada)
    tab_to(ada, "Previous version", back=True)
    ada.keyboard.press("Enter")
    expect(ada.get_by_text("It is called Bowl now.").last).to_be_visible()
