"""Tools declared in HTML: forms, clicks, pages and regions, in a real browser under a strict CSP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import message_field, open_chat, say, sign_in, wait_until_idle
from tests.flow.demo_server import DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

LAST_WORDS = """() => {
    const chat = document.querySelector("agentui-chat");
    const store = chat?.shadowRoot?.querySelector("agentui-thread")?.store;
    const last = store && store.pending.length === 0 ? store.messages.at(-1) : null;
    const text = last?.parts.at(-1)?.text ?? "";
    return last?.status.type === "complete" && text.startsWith("Answers: ") ? text : null;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder: Path = tmp_path_factory.mktemp("declared")
    with demo_server(
        folder, database="sqlite", layer="memory", settings="tests.browser.site.settings"
    ) as server:
        yield server


@pytest.fixture
def ada(context: BrowserContext, server: DemoServer) -> Iterator[Page]:
    sign_in(context, server, "ada")
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    (server.folder / "sent.txt").unlink(missing_ok=True)
    open_chat(page, server, "/pages/form/")
    yield page
    assert [text for text in complaints if "Content Security Policy" in text] == []


def call(page: Page, name: str, **args: Any) -> None:
    say(page, f"call {name} {json.dumps(args)}")


def answers(page: Page) -> Any:
    """What the tools answered to the last message, as the agent was told."""
    text = page.wait_for_function(LAST_WORDS).json_value()
    wait_until_idle(page)
    return json.loads(text.removeprefix("Answers: "))


def sent(server: DemoServer) -> list[str]:
    path = server.folder / "sent.txt"
    return path.read_text().splitlines() if path.exists() else []


def test_the_agent_is_told_what_a_person_sees_of_the_form(ada: Page) -> None:
    definitions = ada.evaluate(
        """() => Object.fromEntries(document.querySelector("agentui-chat").registry.definitions()
            .map((tool) => [tool.name, tool.parameters]))"""
    )
    assert "missing" not in definitions
    filling = definitions["fill_order"]["properties"]
    assert list(filling) == ["city", "size", "paid", "gift", "count"]
    assert filling["city"] == {
        "type": "string",
        "maxLength": 40,
        "description": "City. Where it is sent.",
    }
    assert filling["size"]["enum"] == ["s", "l"]
    assert filling["size"]["description"] == "Size. s: Small; l: Large"
    assert filling["paid"]["description"].startswith("Paid by")
    assert filling["gift"]["type"] == "boolean"
    assert filling["count"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 9,
        "description": "Number",
    }
    assert definitions["fill_order"]["required"] == []
    assert definitions["send_order"]["required"] == ["city", "size"]
    assert definitions["go"]["properties"]["to"]["enum"] == ["Somewhere else"]


def test_filling_touches_the_marked_form_only(ada: Page) -> None:
    call(ada, "fill_order", city="Graz", size="l", paid="bill", gift=True, count=3)
    told = answers(ada)[0]
    assert told["submitted"] is False
    assert told["values"]["city"] == "Graz"
    assert "password" not in json.dumps(told)
    assert ada.locator("#order").evaluate("f => Object.fromEntries(new FormData(f))")["size"] == "l"
    expect(ada.locator("[name=paid][value=bill]")).to_be_checked()
    expect(ada.locator("[name=gift]")).to_be_checked()
    expect(ada.locator("[name=other]")).to_have_value("untouched")
    for name in ("password", "price", "card", "fixed", "other", "csrfmiddlewaretoken"):
        call(ada, "fill_order", **{name: "x"})
        assert f'"{name}" is not an argument' in answers(ada)[0]
    expect(ada.locator("[name=password]")).to_have_value("secret")


def test_sending_asks_first_and_a_no_sends_nothing(ada: Page, server: DemoServer) -> None:
    call(ada, "send_order", city="Graz", size="s")
    card = ada.locator("agentui-confirm-card")
    expect(card.get_by_role("heading", name="Send the form?")).to_be_visible()
    card.get_by_role("button", name="No").click()
    assert answers(ada) == [{"done": False, "reason": "The person said no to this."}]
    assert sent(server) == []
    expect(ada.locator("[name=city]")).to_have_value("")


def test_a_yes_sends_once_and_the_next_page_finishes_the_call(
    ada: Page, server: DemoServer
) -> None:
    call(ada, "send_order", city="Graz", size="s")
    ada.locator("agentui-confirm-card").get_by_role("button", name="Yes").press("Enter")
    ada.wait_for_url("**/pages/sent/")
    assert answers(ada)[0]["submitted"] is True
    assert sent(server) == ["Graz s"]
    ada.reload()
    expect(message_field(ada)).to_be_editable()
    ada.wait_for_timeout(1_000)
    assert sent(server) == ["Graz s"]


def test_what_the_form_does_not_allow_is_not_sent(ada: Page, server: DemoServer) -> None:
    call(ada, "send_order_at_once", city="Graz", size="xl")
    assert "size: should be one of" in answers(ada)[0]
    call(ada, "send_order_at_once", city="Graz")
    assert "size" in answers(ada)[0]
    assert sent(server) == []


def test_clicking_and_reading(ada: Page) -> None:
    call(ada, "show_more")
    assert answers(ada) == [{"clicked": "More"}]
    expect(ada.get_by_text("The small print.")).to_be_visible()
    call(ada, "read_order")
    assert answers(ada) == ["Order 7\nOn its way."]


def test_a_click_that_asks_is_done_once(ada: Page) -> None:
    ada.evaluate(
        "() => { window.clicks = 0; document.querySelector('#danger').onclick = () => window.clicks++; }"
    )
    call(ada, "delete_all")
    card = ada.locator("agentui-confirm-card")
    expect(card.get_by_role("heading", name="Delete everything?")).to_be_visible()
    assert ada.evaluate("window.clicks") == 0
    card.get_by_role("button", name="Yes").click()
    assert answers(ada) == [{"clicked": "Delete everything"}]
    assert ada.evaluate("window.clicks") == 1


def test_going_to_another_page_of_the_site(ada: Page) -> None:
    call(ada, "go", to="Somewhere else")
    ada.wait_for_url("**/pages/away/")
    assert answers(ada) == [{"opened": "/pages/away/"}]
    say(ada, "which tools")
    wait_until_idle(ada)
    expect(ada.locator("agentui-message").last).to_contain_text("note")


def test_another_site_is_never_opened(ada: Page) -> None:
    call(ada, "go", to="Another site")
    assert "should be one of" in answers(ada)[0]
    ada.evaluate(
        """() => {
            const tool = document.createElement("agentui-tool");
            tool.setAttribute("name", "leave");
            tool.setAttribute("navigate", "https://other.example/");
            document.body.append(tool);
        }"""
    )
    call(ada, "leave")
    assert "another site" in answers(ada)[0]
    assert ada.url.endswith("/pages/form/")


def test_calls_of_one_answer_are_done_in_their_order(ada: Page) -> None:
    say(ada, 'call fill_order {"city": "Graz"}\ncall fill_order {"city": "Linz"}\ncall read_order')
    first, second, third = answers(ada)
    assert (first["values"]["city"], second["values"]["city"]) == ("Graz", "Linz")
    assert third.startswith("Order 7")
    expect(ada.locator("[name=city]")).to_have_value("Linz")
