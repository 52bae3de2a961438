"""Pictures of the main views, made from the demo site in a real browser, into docs/images.

.venv/bin/python scripts/screenshots.py
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from tests.browser.people import open_chat, say, sign_in, wait_until_idle  # noqa: E402
from tests.environment import CHROMIUM_NAMES  # noqa: E402
from tests.flow.demo_server import DemoServer, demo_server  # noqa: E402

expect.set_options(timeout=30_000)  # a busy machine is no reason to fail

IMAGES = ROOT / "docs" / "images"
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    chromium = next(path for name in CHROMIUM_NAMES if (path := shutil.which(name)))
    with (
        tempfile.TemporaryDirectory() as folder,
        demo_server(Path(folder), database="sqlite", layer="memory") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        thread = _chat(browser, server)
        _again(browser, server, thread, "chat-desktop-dark", DESKTOP, dark=True)
        _again(browser, server, thread, "chat-phone", PHONE)
        _empty(browser, server)
        _busy(browser, server)
        _staff(browser, server)
        with tempfile.TemporaryDirectory() as other:
            _tools(browser, Path(other))
        browser.close()


def _page(
    browser: Browser,
    server: DemoServer,
    size: dict[str, int],
    *,
    dark: bool = False,
    who: str = "ada",
) -> Page:
    context = browser.new_context(
        viewport=size,  # type: ignore[arg-type]
        device_scale_factor=2,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    sign_in(context, server, who)
    return context.new_page()


def _chat(browser: Browser, server: DemoServer) -> str:
    page = _page(browser, server, DESKTOP)
    open_chat(page, server)
    for text in ("Show me a table", "Show me code"):
        say(page, text)
        wait_until_idle(page)
        page.get_by_role("button", name="New chat").first.click()
    say(page, "Where is my order 1002?")
    wait_until_idle(page)
    say(page, "Refund order 1002 20 because the cup was broken")
    expect(page.locator("agentui-approval-card")).to_be_visible()
    _shoot(page, "chat-desktop-light")
    return page.url.removeprefix(server.url)


def _again(
    browser: Browser,
    server: DemoServer,
    path: str,
    name: str,
    size: dict[str, int],
    *,
    dark: bool = False,
) -> None:
    page = _page(browser, server, size, dark=dark)
    open_chat(page, server, path)
    expect(page.locator("agentui-approval-card")).to_be_visible()
    _shoot(page, name)


def _empty(browser: Browser, server: DemoServer) -> None:
    for name, size, dark in (
        ("chat-phone-new-dark", PHONE, True),
        ("chat-desktop-new", DESKTOP, False),
    ):
        page = _page(browser, server, size, dark=dark)
        open_chat(page, server)
        expect(page.get_by_role("heading", name="How can I help?")).to_be_visible()
        _shoot(page, name)


def _tools(browser: Browser, folder: Path) -> None:
    """Tools at work: how far, what so far, what a helper says; and one that its owner decides on."""
    with demo_server(
        folder, database="sqlite", layer="memory", settings="tests.browser.site.settings"
    ) as server:
        page = _page(browser, server, DESKTOP)
        open_chat(page, server, "/agentui/?agent=pilot")
        (folder / "second").touch()
        say(page, "call search\ncall delegate")
        expect(page.get_by_text("Reading page 3 of 4")).to_be_visible()
        expect(page.get_by_role("list", name="Steps").get_by_role("listitem")).to_have_count(2)
        _shoot(page, "chat-tools")
        (folder / "last").touch()
        wait_until_idle(page)


def _busy(browser: Browser, server: DemoServer) -> None:
    page = _page(browser, server, DESKTOP)
    open_chat(page, server)
    say(page, "Show me code")
    wait_until_idle(page)
    expect(page.get_by_role("list", name="Suggestions")).to_be_visible()
    page.locator("agentui-message").last.get_by_role("button", name="Details").click()
    _shoot(page, "chat-code")
    picture = {"name": "cup.png", "mimeType": "image/png", "buffer": page.screenshot()}
    page.locator("agentui-composer input[type=file]").set_input_files([picture])  # type: ignore[list-item]
    expect(page.locator("agentui-upload-chip[state=done]")).to_be_visible()
    say(page, "This is how it looks here. Count slowly.")
    expect(page.get_by_text("1, 2, 3").first).to_be_visible()
    for text in ("Where is my order 1002?", "Thank you!"):
        say(page, text)
    expect(page.get_by_role("region", name="Waiting to be sent")).to_be_visible()
    _shoot(page, "chat-queue")


#: What customers ask the desk for, so that something waits for its staff.
ASKED = (
    "Refund order 1001 12.50 because it came a week late",
    "Refund order 1002 8 because one plate has a crack in the glaze",
    "Refund order 1001 4 because the colour is not the one of the picture",
)
ASK = f"""
from django.contrib.auth import get_user_model
from agentui import actions
ada = get_user_model().objects.get(username="ada")
for text in {ASKED!r}:
    actions.send_message(ada, agent="support", parts=[{{"type": "text", "text": text}}])
"""
#: As if they had been asked over the last hours.
AGED = """
from datetime import timedelta
from django.utils import timezone
from agentui.models import Approval
for number, row in enumerate(Approval.objects.pending().order_by("-pk")):
    asked = timezone.now() - timedelta(minutes=4 + 37 * number)
    left = timedelta(hours=24) - timedelta(hours=7.8 * number)
    Approval.objects.filter(pk=row.pk).update(requested_at=asked, expires_at=timezone.now() + left)
"""


def _staff(browser: Browser, server: DemoServer) -> None:
    """The inbox of those who decide: in the admin, and beside their own chat."""
    waiting = "Approval.objects.filter(status='pending').count()"
    before = int(server.query(waiting))
    server.manage("shell", "-v", "0", "-c", ASK)
    server.wait_for(waiting, str(before + len(ASKED)), 60)
    server.manage("shell", "-v", "0", "-c", AGED)
    page = _page(browser, server, DESKTOP, who="sam")
    page.goto(f"{server.url}/admin/agentui/approval/")
    _shoot(page, "admin-inbox")
    page.locator("#result_list tbody th a").first.click()
    page.get_by_text("Approve…").click()
    _shoot(page, "admin-request")
    phone = _page(browser, server, PHONE, dark=True, who="sam")
    phone.goto(f"{server.url}/admin/agentui/approval/")
    _shoot(phone, "admin-inbox-phone-dark")
    open_chat(page, server)
    page.get_by_role("button", name=re.compile("Approvals: ")).click()
    expect(page.locator("agentui-waiting-card").first).to_be_visible()
    page.mouse.move(640, 600)
    _shoot(page, "approvals-panel")
    open_chat(phone, server)
    phone.get_by_role("button", name=re.compile("Approvals: ")).click()
    expect(phone.locator("agentui-waiting-card").first).to_be_visible()
    phone.mouse.move(2, 800)
    _shoot(phone, "approvals-panel-phone-dark")


def _shoot(page: Page, name: str) -> None:
    page.wait_for_timeout(600)
    page.screenshot(path=str(IMAGES / f"{name}.png"))
    print(f"docs/images/{name}.png")


if __name__ == "__main__":
    main()
