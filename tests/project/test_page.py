"""The account page in a real browser: the agent's browser tools do what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.flow.demo_server import DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

#: Milliseconds for an answer of the agent, on a busy machine.
ANSWERED = 20_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder = tmp_path_factory.mktemp("demo")
    with demo_server(folder, database="sqlite", layer="memory") as server:
        yield server


@pytest.fixture
def problems() -> list[str]:
    """What the browser complained of, and requests to other places."""
    return []


def open_account(browser: Browser, server: DemoServer, problems: list[str], *, width: int) -> Page:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme="light")
    page = context.new_page()
    page.on(
        "console", lambda m: problems.append(m.text) if m.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda r: None if r.url.startswith(server.url) else problems.append(r.url))
    page.goto(f"{server.url}/sign-in/?next=/account/")
    page.get_by_role("button", name=re.compile("ada-demo")).click()
    page.wait_for_url("**/account/")
    return page


def say(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Message").fill(text)
    page.keyboard.press("Enter")


def test_the_agent_changes_the_page(
    browser: Browser, server: DemoServer, problems: list[str]
) -> None:
    page = open_account(browser, server, problems, width=1280)
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)

    say(page, "make the page dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark", timeout=ANSWERED)
    expect(page.get_by_text("The page is dark now.")).to_be_visible(timeout=ANSWERED)
    assert page.evaluate(background) != light

    say(page, "fill in my phone number 555-1234 and the note: two pieces")
    expect(page.get_by_label("Phone")).to_have_value("555-1234", timeout=ANSWERED)
    expect(page.get_by_label("Anything we should know?")).to_have_value(
        "two pieces", timeout=ANSWERED
    )

    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    # The tools stand in the page's HTML: what the model is told of the form is what the page shows.
    tools = page.evaluate(
        """() => Object.fromEntries(document.querySelector("agentui-chat").registry.definitions()
            .map((tool) => [tool.name, Object.keys(tool.parameters.properties)]))"""
    )
    fields = ["order", "reason", "phone", "note"]
    assert tools == {"set_theme": ["theme"], "fill_return": fields, "send_return": fields}
    assert problems == []
    page.context.close()


def test_a_field_the_form_does_not_have_is_an_error_the_agent_tells(
    browser: Browser, server: DemoServer, problems: list[str]
) -> None:
    page = open_account(browser, server, problems, width=1280)
    say(page, "fill in order 1005")
    expect(page.get_by_text(re.compile("That did not work.*order.*1002.*1001"))).to_be_visible(
        timeout=ANSWERED
    )
    expect(page.get_by_label("Order", exact=True)).to_have_value("")
    assert problems == []
    page.context.close()


def test_on_a_phone_the_desk_covers_the_page_and_gives_it_back(
    browser: Browser, server: DemoServer, problems: list[str]
) -> None:
    page = open_account(browser, server, problems, width=390)
    composer = page.get_by_role("textbox", name="Message")
    expect(composer).to_be_hidden()

    page.get_by_role("button", name="Ask about this order").last.click()
    expect(composer).to_be_visible()
    expect(page.get_by_text(re.compile("Order 1001 was delivered"))).to_be_visible(timeout=ANSWERED)
    expect(page.locator("#content")).to_have_js_property("inert", True)

    page.get_by_role("button", name="Close the support desk").click()
    expect(composer).to_be_hidden()
    expect(page.get_by_role("button", name="Support desk")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert problems == []
    page.context.close()
