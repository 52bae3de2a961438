"""What assistive technology finds: axe-core has nothing serious to say, and the keyboard does it all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import message_field, open_chat, say, sign_in, wait_until_idle
from tests.flow.demo_server import ROOT, DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

AXE = ROOT / "agentui" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder: Path = tmp_path_factory.mktemp("accessibility")
    with demo_server(folder, database="sqlite", layer="memory") as server:
        yield server


@pytest.fixture
def ada(context: BrowserContext, server: DemoServer) -> Page:
    sign_in(context, server, "ada")
    page = context.new_page()
    open_chat(page, server)
    return page


def serious_findings(page: Page) -> list[Any]:
    page.evaluate(AXE.read_text())
    found: list[Any] = page.evaluate(
        """async () => {
            const { violations } = await axe.run("agentui-chat", { resultTypes: ["violations"] });
            return violations
                .filter(({ impact }) => impact === "serious" || impact === "critical")
                .map(({ id, nodes }) => [id, nodes.map((node) => [node.target, node.failureSummary])]);
        }"""
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(ada: Page, scheme: Any) -> None:
    ada.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    ada.reload()
    expect(ada.get_by_role("heading", name="How can I help?")).to_be_visible()
    assert serious_findings(ada) == []
    for text in ("show me a table", "show me code", "please fail"):
        say(ada, text)
        wait_until_idle(ada)
    say(ada, "refund order 1002 20 because the cup was broken")
    expect(ada.locator("agentui-approval-card")).to_be_visible()
    say(ada, "ask me something")
    expect(ada.locator("agentui-human-card").get_by_role("heading")).to_be_visible()
    assert serious_findings(ada) == []
    ada.locator("agentui-thread-item").first.hover()
    ada.get_by_role("button", name="Options for").first.click()
    assert serious_findings(ada) == []


def focused(page: Page) -> str:
    name: str = page.evaluate(
        """() => {
            let element = document.activeElement;
            while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
            return element?.getAttribute("aria-label") || element?.textContent.trim() || "";
        }"""
    )
    return name


def tab_to(page: Page, name: str, *, back: bool = False) -> None:
    """Press Tab, or Shift+Tab, until this control has the focus."""
    for _ in range(60):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        if focused(page).startswith(name):
            return
    raise AssertionError(f"the keyboard does not reach {name}")


def test_everything_is_done_by_keyboard(ada: Page) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    ada.locator("body").evaluate("body => body.ownerDocument.activeElement.blur()")
    tab_to(ada, "New chat")
    tab_to(ada, "Options for hello")
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("menuitem", name="Rename")).to_be_focused()
    ada.keyboard.press("ArrowDown")
    expect(ada.get_by_role("menuitem", name="Archive")).to_be_focused()
    ada.keyboard.press("Escape")
    assert focused(ada).startswith("Options for hello")
    tab_to(ada, "Edit")
    ada.keyboard.press("Enter")
    expect(message_field(ada).first).to_be_focused()
    ada.keyboard.press("Escape")
    tab_to(ada, "Message")
    ada.keyboard.type("ask me something")
    ada.keyboard.press("Enter")
    card = ada.locator("agentui-human-card")
    expect(card.get_by_role("heading")).to_be_visible()
    for _ in range(40):
        ada.keyboard.press("Shift+Tab")
        if card.locator("button:focus").count():
            break
    ada.keyboard.press("Enter")
    expect(card).to_have_count(0)
    wait_until_idle(ada)


def test_a_screen_reader_hears_the_state_and_not_each_word(ada: Page) -> None:
    region = ada.locator("agentui-thread #live")
    expect(region).to_be_empty()
    say(ada, "count slowly")
    expect(region).to_have_text("Answering…")
    wait_until_idle(ada)
    expect(region).to_have_text("The answer is complete.")
