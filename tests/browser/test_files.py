"""Files in the chat: chosen, dropped and pasted; shown to their owner, as what they are."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.people import message_field, on_both, open_chat, say, sign_in, wait_until_idle
from tests.browser.test_accessibility import serious_findings
from tests.flow.demo_server import DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjm"
    "AAAAAElFTkSuQmCC"
)
HOSTILE = '"><img src=x onerror=alert(1)>\u202egnp.png'

DROP = """async ([element, name, type, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name, { type }));
    for (const kind of ["dragenter", "dragover", "drop"]) {
        const event = new DragEvent(kind, { bubbles: true, composed: true, cancelable: true, dataTransfer: transfer });
        element.dispatchEvent(event);
        await element.updateComplete;
        if (kind === "dragover") window.__wasOver = element.shadowRoot.querySelector(".drop") !== null;
    }
}"""
PASTE = """([element, text, name]) => {
    const transfer = new DataTransfer();
    if (name) transfer.items.add(new File([text], name, { type: "text/plain" }));
    else transfer.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { bubbles: true, composed: true, cancelable: true, clipboardData: transfer });
    element.dispatchEvent(event);
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder: Path = tmp_path_factory.mktemp("files")
    with demo_server(folder, database="sqlite", layer="memory") as server:
        yield server


@pytest.fixture
def ada(context: BrowserContext, server: DemoServer) -> Page:
    sign_in(context, server, "ada")
    page = context.new_page()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    open_chat(page, server)
    return page


def attach(page: Page, *files: tuple[str, str, bytes]) -> None:
    page.locator("agentui-composer input[type=file]").set_input_files(
        [{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in files]
    )


def chips(page: Page) -> Any:
    return page.locator("agentui-upload-chip")


def send_button(page: Page) -> Any:
    return page.get_by_role("button", name="Send", exact=True)


def test_a_picture_is_sent_and_shown_to_its_owner_alone(
    ada: Page, browser: Browser, server: DemoServer
) -> None:
    foreign: list[str] = []
    ada.on(
        "request",
        lambda request: None if request.url.startswith(server.url) else foreign.append(request.url),
    )
    attach(ada, ("cup.png", "image/png", PNG))
    expect(chips(ada)).to_have_attribute("state", "done")
    expect(chips(ada).locator("canvas")).to_be_visible()
    message_field(ada).fill("My cup is broken")
    ada.keyboard.press("Enter")
    wait_until_idle(ada)
    picture = ada.locator("agentui-message").first.get_by_role("img", name="cup.png")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 10
    address = str(picture.get_attribute("src"))
    ada.reload()
    expect(picture).to_be_visible()
    assert [url for url in foreign if not url.startswith(("blob:", "data:"))] == []
    answer = ada.request.get(address)
    assert answer.headers["content-disposition"].startswith("attachment")
    stranger = browser.new_context()
    sign_in(stranger, server, "admin")
    assert stranger.request.get(address).status == 404
    stranger.close()
    nobody = browser.new_context()
    assert nobody.request.get(address).status in (401, 403)
    nobody.close()


def test_files_are_dropped_and_pasted_and_taken_away(ada: Page) -> None:
    thread = ada.locator("agentui-thread").element_handle()
    ada.evaluate(DROP, [thread, "notes.md", "text/markdown", "# Notes"])
    assert ada.evaluate("window.__wasOver")
    expect(ada.locator("agentui-thread .drop")).to_have_count(0)
    field = message_field(ada).element_handle()
    ada.evaluate(PASTE, [field, "from the clipboard", "clip.txt"])
    ada.evaluate(PASTE, [field, "long " * 5000, None])
    expect(chips(ada)).to_have_count(3)
    expect(ada.locator("agentui-upload-chip[state=done]")).to_have_count(3)
    assert serious_findings(ada) == []
    expect(message_field(ada)).to_have_value("")
    ada.get_by_role("button", name="Remove clip.txt").click()
    expect(chips(ada)).to_have_count(2)
    send_button(ada).click()
    wait_until_idle(ada)
    names = ada.locator("agentui-message").first.locator("a.chip")
    expect(names).to_have_text(["notes.md", "pasted text.txt"])
    with ada.expect_download() as download:
        names.first.click()
    assert download.value.suggested_filename == "notes.md"
    assert Path(download.value.path()).read_text() == "# Notes"
    assert serious_findings(ada) == []


def test_what_is_not_accepted_is_said_before_and_after_the_server_has_seen_it(ada: Page) -> None:
    attach(
        ada,
        ("drawing.svg", "image/svg+xml", b"<svg onload=alert(1)>"),
        ("big.txt", "text/plain", b"x" * (5 * 1024 * 1024 + 1)),
        ("page.txt", "text/plain", b"<html><script>alert(1)</script>"),
        ("fine.txt", "text/plain", b"fine"),
    )
    expect(ada.get_by_text("Files of this kind are not accepted (image/svg+xml).")).to_be_visible()
    expect(ada.get_by_text("Too large: at most 5 MB.")).to_be_visible()
    expect(
        ada.get_by_text("Files like this one (text/html) are not accepted here.")
    ).to_be_visible()
    expect(send_button(ada)).to_be_disabled()
    for name in ("drawing.svg", "big.txt", "page.txt"):
        ada.get_by_role("button", name=f"Remove {name}").click()
    send_button(ada).click()
    wait_until_idle(ada)
    expect(ada.locator("agentui-message").first.get_by_text("fine.txt")).to_be_visible()


def test_a_hostile_name_is_only_a_name(ada: Page) -> None:
    attach(ada, (HOSTILE, "image/png", PNG))
    expect(chips(ada)).to_have_attribute("state", "done")
    expect(chips(ada).locator(".name")).to_contain_text("⟨U+202E⟩")
    send_button(ada).click()
    wait_until_idle(ada)
    message = ada.locator("agentui-message").first
    expect(message.locator("img")).to_have_count(1)
    name = str(message.locator("img").get_attribute("alt"))
    assert "<img src=x onerror=alert(1)>" in name
    assert "\u202e" not in name


def test_an_upload_says_how_far_it_is_and_the_message_waits_for_it(ada: Page) -> None:
    held: list[Any] = []
    ada.route("**/api/attachments/", lambda route: held.append(route))
    attach(ada, ("cup.png", "image/png", PNG))
    expect(chips(ada).get_by_role("progressbar", name="Uploading cup.png")).to_be_visible()
    message_field(ada).fill("My cup")
    expect(send_button(ada)).to_be_disabled()
    held[0].continue_()
    expect(chips(ada)).to_have_attribute("state", "done")
    expect(chips(ada).get_by_role("progressbar")).to_have_count(0)
    expect(send_button(ada)).to_be_enabled()


@on_both
def test_an_upload_that_fails_is_tried_again_and_nothing_is_lost(ada: Page) -> None:
    ada.route("**/api/attachments/", lambda route: route.abort())
    attach(ada, ("cup.png", "image/png", PNG))
    expect(chips(ada)).to_have_attribute("state", "refused")
    ada.unroute("**/api/attachments/")
    ada.get_by_role("button", name="Upload cup.png again").click()
    expect(chips(ada)).to_have_attribute("state", "done")
    # Another thread has a draft of its own.
    say(ada, "hello")
    wait_until_idle(ada)
    expect(chips(ada)).to_have_count(0)
    expect(ada.locator("agentui-message").first.locator("img")).to_be_visible()


@on_both
def test_a_message_that_is_refused_comes_back_with_its_files(ada: Page, server: DemoServer) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    ada.wait_for_url("**/t/*/")
    thread = f"Thread.objects.filter(pk='{ada.url.rstrip('/').rpartition('/')[2]}')"
    server.query(f"{thread}.update(status='archived')")
    attach(ada, ("cup.png", "image/png", PNG), ("notes.txt", "text/plain", b"notes"))
    expect(ada.locator("agentui-upload-chip[state=done]")).to_have_count(2)
    say(ada, "My cup is broken")
    expect(ada.get_by_text("Not sent:")).to_be_visible()
    message_field(ada).fill("And my bowl")
    ada.locator("agentui-thread .refusal").get_by_role("button", name="Edit").click()
    expect(ada.get_by_text("Not sent:")).to_have_count(0)
    expect(message_field(ada)).to_have_value("My cup is broken\n\nAnd my bowl")
    expect(ada.locator("agentui-upload-chip[state=done]")).to_have_count(2)
    expect(chips(ada).first.locator("canvas")).to_be_visible()
    server.query(f"{thread}.update(status='regular')")
    send_button(ada).click()
    wait_until_idle(ada)
    sent = ada.locator("agentui-message[data-role=user]").last
    expect(sent.get_by_role("img", name="cup.png")).to_be_visible()
    expect(sent.get_by_text("notes.txt")).to_be_visible()


def test_on_a_phone(browser: Browser, server: DemoServer) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    sign_in(context, server, "ada")
    page = context.new_page()
    open_chat(page, server)
    attach(
        page,
        ("a rather long name of a picture of a cup.png", "image/png", PNG),
        ("two.png", "image/png", PNG),
        ("three.txt", "text/plain", b"x"),
    )
    expect(page.locator("agentui-upload-chip[state=done]")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    say(page, "hello")
    wait_until_idle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_the_end_stays_in_sight_while_a_picture_arrives_and_a_queue_opens(ada: Page) -> None:
    say(ada, "show me code")
    wait_until_idle(ada)
    attach(ada, ("page.png", "image/png", ada.screenshot()))
    expect(chips(ada)).to_have_attribute("state", "done")
    say(ada, "count slowly")
    expect(ada.get_by_text("1, 2, 3").first).to_be_visible()
    say(ada, "hello")
    expect(ada.get_by_role("region", name="Waiting to be sent")).to_be_visible()
    ada.wait_for_timeout(300)
    expect(ada.get_by_role("button", name="Jump to latest")).to_be_hidden()
    wait_until_idle(ada)
