"""The chat on a site's own pages: panel, phone, languages, path prefix, hashed files, nonces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.browser.conftest import ORIGIN, STATIC
from tests.browser.people import message_field, say, sign_in
from tests.flow.demo_server import ROOT, DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

AXE = ROOT / "agentui" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


@contextmanager
def site(factory: pytest.TempPathFactory, name: str, **environment: str) -> Iterator[DemoServer]:
    folder: Path = factory.mktemp(name)
    with pytest.MonkeyPatch.context() as patch:
        for key, value in environment.items():
            patch.setenv(key, value)
        with demo_server(
            folder, database="sqlite", layer="memory", settings="tests.browser.site.settings"
        ) as server:
            yield server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    with site(tmp_path_factory, "embedding") as server:
        yield server


@pytest.fixture
def ada(context: BrowserContext, server: DemoServer) -> Page:
    sign_in(context, server, "ada")
    return context.new_page()


def opener(page: Page, name: str = "Open the chat") -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def violations(page: Page) -> Any:
    page.evaluate(AXE.read_text())
    return page.evaluate(
        """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
            .filter(({ impact }) => impact === "serious" || impact === "critical")
            .map(({ id, nodes }) => [id, nodes.map((node) => node.target)])"""
    )


@pytest.mark.parametrize("mode", ["float", "side"])
def test_a_panel_opens_answers_and_stays_open_on_the_next_page(
    ada: Page, server: DemoServer, mode: str
) -> None:
    ada.goto(f"{server.url}/pages/panel/{mode}/")
    expect(ada.locator("agentui-chat")).to_have_count(0)
    toggles = "() => { window.t = []; addEventListener('agentui-panel-toggle', (e) => t.push(e.detail)); }"
    ada.evaluate(toggles)
    opener(ada).focus()
    ada.keyboard.press("Enter")
    expect(message_field(ada)).to_be_focused()
    expect(ada.get_by_role("heading", name="Ask the pilot")).to_be_visible()
    say(ada, "hello")
    expect(ada.get_by_text("You said: hello")).to_be_visible()
    assert violations(ada) == []
    box, width = ada.locator("agentui-panel .panel").bounding_box(), ada.viewport_size
    assert box
    assert width
    assert box["x"] + box["width"] > width["width"] - 40
    assert box["height"] == (width["height"] if mode == "side" else min(640, width["height"] - 40))
    ada.reload()
    expect(ada.get_by_text("You said: hello")).to_be_visible()
    message_field(ada).focus()
    ada.keyboard.press("Escape")
    expect(opener(ada)).to_be_focused()
    expect(message_field(ada)).to_be_hidden()
    ada.reload()
    expect(opener(ada)).to_be_visible()
    # The thread goes on behind the button: a tool of the page can be called.
    expect(ada.locator("agentui-chat")).to_have_count(1)


def test_on_a_phone_the_panel_covers_the_page(ada: Page, server: DemoServer) -> None:
    ada.set_viewport_size({"width": 390, "height": 780})
    ada.goto(f"{server.url}/pages/panel/float/")
    opener(ada).click()
    expect(message_field(ada)).to_be_visible()
    assert ada.locator("agentui-panel .panel").bounding_box() == {
        "x": 0,
        "y": 0,
        "width": 390,
        "height": 780,
    }
    ada.get_by_role("button", name="Close the chat").click()
    expect(opener(ada)).to_be_visible()


def test_from_right_to_left_the_panel_is_at_the_left(ada: Page, server: DemoServer) -> None:
    ada.goto(f"{server.url}/pages/panel/float/")
    ada.evaluate("document.documentElement.dir = 'rtl'")
    opener(ada).click()
    expect(message_field(ada)).to_be_visible()
    box = ada.locator("agentui-panel .panel").bounding_box()
    assert box
    assert box["x"] < 40


def test_properties_and_parts_give_it_the_look_of_the_site(ada: Page, server: DemoServer) -> None:
    ada.goto(f"{server.url}/pages/panel/float/")
    ada.evaluate(
        """() => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(`agentui-panel { --agentui-accent: rgb(1, 2, 3); --agentui-panel-width: 300px }
                agentui-panel::part(composer-input) { letter-spacing: 3px }`);
            document.adoptedStyleSheets = [sheet];
        }"""
    )
    expect(opener(ada)).to_have_css("background-color", "rgb(1, 2, 3)")
    opener(ada).click()
    expect(message_field(ada)).to_have_css("letter-spacing", "3px")
    expect(ada.locator("agentui-panel .panel")).to_have_css("width", "300px")


@pytest.mark.parametrize(
    ("language", "label", "field"),
    [("de", "Chat öffnen", "Nachricht"), ("zh-hans", "打开对话", "消息")],
)
def test_the_words_are_those_of_the_page(
    context: BrowserContext, server: DemoServer, language: str, label: str, field: str
) -> None:
    sign_in(context, server, "ada")
    page = context.new_page()
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(f"{server.url}/pages/panel/float/")
    opener(page, label).click()
    expect(page.get_by_role("textbox", name=field, exact=True)).to_be_editable()


def test_the_inspector_shows_what_travels(ada: Page, server: DemoServer) -> None:
    ada.goto(f"{server.url}/pages/full/")
    expect(message_field(ada)).to_be_editable()
    say(ada, "hello")
    expect(ada.get_by_text("You said: hello")).to_be_visible()
    ada.keyboard.press("Alt+Shift+I")
    inspector = ada.get_by_role("complementary", name="agentui inspector")
    expect(inspector.get_by_text("send_message").first).to_be_visible()
    for tab, word in (
        ("Messages", "assistant"),
        ("Tools", "Sent to the server"),
        ("Timing", "first text"),
    ):
        inspector.get_by_role("tab", name=tab).click()
        expect(inspector.get_by_text(word).first).to_be_visible()
    inspector.get_by_role("button", name="Close").click()
    expect(inspector).to_have_count(0)


def test_below_a_path_prefix(
    context: BrowserContext, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with site(tmp_path_factory, "prefix", SITE_PREFIX="/shop") as server:
        sign_in(context, server, "ada")
        page = context.new_page()
        outside: list[str] = []
        page.on("request", lambda request: outside.append(request.url))
        page.goto(f"{server.url}/shop/pages/full/")
        expect(message_field(page)).to_be_editable()
        say(page, "hello")
        expect(page.get_by_text("You said: hello")).to_be_visible()
        page.goto(f"{server.url}/shop/agentui/?agent=pilot")
        say(page, "again")
        page.wait_for_url("**/shop/agentui/t/*/")
        page.reload()
        expect(page.get_by_text("You said: again")).to_be_visible()
        missing = [url for url in outside if not url.startswith(f"{server.url}/shop/")]
        assert [url for url in missing if not url.endswith("/favicon.ico")] == []


def test_with_hashed_files(
    context: BrowserContext, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with site(tmp_path_factory, "hashed", SITE_HASHED_FILES="1") as server:
        server.manage("collectstatic", "--noinput", "-v", "0")
        server.kill()
        server.start()
        sign_in(context, server, "ada")
        page = context.new_page()
        page.goto(f"{server.url}/pages/full/")
        expect(message_field(page)).to_be_editable()
        sources = page.locator("script[type=module]").evaluate_all(
            "all => all.flatMap((s) => [s.src, ...Object.values(s.dataset)])"
        )
        assert len(sources) == 4
        assert all(re.search(r"\.[0-9a-f]{12}\.js$", source) for source in sources)
        say(page, "write 20")
        expect(page.locator("agentui-markdown strong").first).to_be_visible()


def test_a_policy_of_nonces_alone(page: Page) -> None:
    policy = (
        "default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'; connect-src 'self';"
        " base-uri 'none'; require-trusted-types-for 'script'; trusted-types dompurify lit-html"
    )
    body = (
        '<script type="module" nonce="abc" src="/agentui.js"'
        ' data-agentui-markdown="/agentui-markdown.js"></script>'
        '<script type="module" nonce="abc" src="/agentui-inspector.js"></script>'
    )

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(f"{ORIGIN}/")
        if name == "":
            html = (
                f"<!doctype html><title>Test</title>{body}<agentui-panel open></agentui-panel>"
                '<details><summary>More</summary></details><agentui-tool name="more" click="summary"></agentui-tool>'
            )
            headers = {"Content-Security-Policy": policy, "Content-Type": "text/html"}
            route.fulfill(body=html, headers=headers)
        elif (STATIC / name).is_file():
            route.fulfill(body=(STATIC / name).read_bytes(), content_type="text/javascript")
        else:
            route.fulfill(status=404, body="")

    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.route("**/*", answer)
    page.goto(f"{ORIGIN}/")
    expect(message_field(page)).to_be_visible()
    page.keyboard.press("Alt+Shift+I")
    expect(page.locator("agentui-inspector")).to_be_visible()
    page.evaluate(
        """() => document.body.append(
            Object.assign(document.createElement("agentui-markdown"), { text: "Is **bold**." })
        )"""
    )
    expect(page.locator("agentui-markdown strong")).to_be_visible()
    page.wait_for_function(
        "() => document.querySelector('agentui-panel').registry.names.length === 1"
    )
    assert [
        text for text in complaints if "Content Security" in text or "TrustedScript" in text
    ] == []


def test_without_scripts_the_page_says_so(
    context: BrowserContext, server: DemoServer, browser: Any
) -> None:
    sign_in(context, server, "ada")
    plain = browser.new_context(java_script_enabled=False, storage_state=context.storage_state())
    page = plain.new_page()
    page.goto(f"{server.url}/pages/full/")
    note = page.locator("noscript")
    expect(note).to_be_visible()
    assert "The chat needs JavaScript." in (note.text_content() or "")
    plain.close()
