"""What staff do in the inbox, in a real browser against the demo site with its strict policy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.people import sign_in
from tests.flow.demo_server import ROOT, DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

AXE = ROOT / "agentui" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
LIST = "/admin/agentui/approval/"
#: One request for each test, told apart by its reason.
REASONS = (
    *("approve", "deny", "edit", "stale", "live", "typing"),
    *("row-1", "row-2", "bulk-1", "bulk-2", "bulk-3", "keys", "axe"),
)


def ask(server: DemoServer, *reasons: str) -> None:
    """Let the customer ask for a small refund for each of these reasons, in threads of their own."""
    before = int(server.query("Approval.objects.count()"))
    server.manage(
        "shell",
        "-v",
        "0",
        "-c",
        "from django.contrib.auth import get_user_model; from agentui import actions;"
        "ada = get_user_model().objects.get(username='ada');"
        f"[actions.send_message(ada, agent='support', parts=[{{'type': 'text', 'text':"
        f" 'Refund order 1002 2 because of ' + reason}}]) for reason in {reasons!r}]",
    )
    server.wait_for("Approval.objects.count()", str(before + len(reasons)), 60)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder: Path = tmp_path_factory.mktemp("inbox")
    with demo_server(folder, database="sqlite", layer="memory") as server:
        ask(server, *REASONS)
        yield server


@pytest.fixture
def problems() -> list[str]:
    return []


@pytest.fixture
def desk(context: BrowserContext, server: DemoServer, problems: list[str]) -> Iterator[Page]:
    """Sam's page. Whatever the browser complains about, its policy included, fails the test."""
    sign_in(context, server, "sam")
    page = context.new_page()
    page.on(
        "console",
        lambda message: problems.append(message.text) if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    assert [text for text in problems if "status of 4" not in text] == []


@pytest.fixture
def colleague(browser: Browser, server: DemoServer) -> Iterator[Callable[..., Page]]:
    """Another member of the staff, in a browser of their own."""
    opened = []

    def make(**options: Any) -> Page:
        context = browser.new_context(**options)
        context.set_default_timeout(30_000)
        opened.append(context)
        sign_in(context, server, "admin")
        return context.new_page()

    yield make
    for context in opened:
        context.close()


def open_request(page: Page, server: DemoServer, reason: str) -> None:
    page.goto(f"{server.url}{LIST}?q={reason}")
    page.locator("#result_list tbody th a").first.click()
    expect(page.locator("#inbox-args")).to_contain_text(reason)


def status_of(server: DemoServer, reason: str) -> str:
    return server.query(f"Approval.objects.get(tool_call__args_text__contains='{reason}').status")


def test_approve_and_watch_the_run_go_on(desk: Page, server: DemoServer) -> None:
    open_request(desk, server, "approve")
    desk.get_by_text("Approve…").click()
    desk.get_by_role("button", name="Yes, approve", exact=True).click()
    expect(desk.get_by_text("You approved refund_order.")).to_be_visible()
    # Nobody reloads: what the tool gave back and what the agent says then come by themselves.
    after = desk.locator("#inbox-after")
    expect(after.get_by_role("heading", name="What came of it")).to_contain_text("done")
    expect(after.locator(".agentui-message--assistant").last).to_contain_text("€")
    expect(after.get_by_text("the agent is working")).to_have_count(0)
    call = desk.locator("#inbox-last .agentui-call", has_text="the call of this request")
    expect(call).to_contain_text("done")
    assert status_of(server, "approve") == "approved"


def test_deny_with_a_reason(desk: Page, server: DemoServer) -> None:
    open_request(desk, server, "deny")
    desk.get_by_text("Deny…").click()
    desk.get_by_role("button", name="Yes, deny").click()
    expect(desk.get_by_role("alert")).to_contain_text("Please give a reason")
    desk.get_by_role("textbox", name="Reason").fill("No photo, no refund.")
    desk.get_by_role("button", name="Yes, deny").click()
    expect(desk.get_by_text("You denied refund_order.")).to_be_visible()
    expect(desk.locator("#inbox-after")).to_contain_text("No photo, no refund.")


def test_change_an_argument(desk: Page, server: DemoServer) -> None:
    open_request(desk, server, "edit")
    desk.get_by_text("Approve…").click()
    desk.get_by_text("Change the arguments first").click()
    amount = desk.locator(".agentui-edit input")
    expect(amount).to_have_value(re.compile("2"))
    amount.fill("a lot")
    desk.get_by_role("button", name="Show the changes").click()
    expect(desk.get_by_role("alert").first).to_be_visible()
    desk.locator(".agentui-edit input").fill("1.50")
    desk.get_by_role("button", name="Show the changes").click()
    expect(desk.locator(".agentui-decide ins")).to_have_text("1.50")
    assert status_of(server, "edit") == "pending"
    desk.get_by_role("button", name="Yes, approve with these changes").click()
    expect(desk.get_by_text("this is what runs")).to_be_visible()
    server.wait_for("Refund.objects.filter(reason__contains='edit').count()", "1")
    assert server.query("Refund.objects.get(reason__contains='edit').amount") == "1.50"


def test_two_at_once_without_any_script(
    desk: Page, server: DemoServer, colleague: Callable[..., Page]
) -> None:
    other = colleague(java_script_enabled=False)
    open_request(desk, server, "stale")
    open_request(other, server, "stale")
    desk.get_by_text("Approve…").click()
    desk.get_by_role("button", name="Yes, approve", exact=True).click()
    expect(desk.get_by_text("You approved refund_order.")).to_be_visible()
    other.get_by_text("Deny…").click()
    other.get_by_role("textbox", name="Reason").fill("I was late")
    other.get_by_role("button", name="Yes, deny").click()
    expect(other.get_by_role("alert")).to_contain_text("Already decided: sam approved this on")
    assert server.query("Decision.objects.filter(reason='I was late').count()") == "0"


def test_what_a_colleague_decides_appears_by_itself(
    desk: Page, server: DemoServer, colleague: Callable[..., Page]
) -> None:
    other = colleague()
    open_request(desk, server, "live")
    expect(desk.get_by_text("Approve…")).to_be_visible()
    open_request(other, server, "live")
    other.get_by_text("Deny…").click()
    other.get_by_role("textbox", name="Reason").fill("Not again.")
    other.get_by_role("button", name="Yes, deny").click()
    expect(desk.locator("#inbox-status")).to_have_text("denied")
    expect(desk.get_by_text("Approve…")).to_have_count(0)
    expect(desk.locator("#inbox-decision")).to_contain_text("Not again.")
    expect(desk.locator("#inbox-news")).to_contain_text("has changed meanwhile")


def test_a_form_in_which_somebody_writes_is_left_alone_until_it_is_decided(
    desk: Page, server: DemoServer, colleague: Callable[..., Page]
) -> None:
    open_request(desk, server, "typing")
    desk.get_by_text("Deny…").click()
    reason = desk.get_by_role("textbox", name="Reason")
    reason.fill("I am still thinking")
    # The thread changes: the customer renames it. The form stays, with what was typed.
    code = (
        "from agentui import actions; from agentui.models import Approval;"
        "t = Approval.objects.get(tool_call__args_text__contains='typing').thread;"
        "actions.rename_thread(t.owner, t.pk, 'Another name')"
    )
    with desk.expect_response(lambda answer: answer.url.endswith("/change/")):
        server.manage("shell", "-v", "0", "-c", code)
    desk.wait_for_timeout(300)
    expect(reason).to_have_value("I am still thinking")
    other = colleague()
    open_request(other, server, "typing")
    other.get_by_text("Approve…").click()
    other.get_by_role("button", name="Yes, approve", exact=True).click()
    expect(desk.locator("#inbox-status")).to_have_text("approved")
    expect(reason).to_have_count(0)


def test_the_list_follows_too(
    desk: Page, server: DemoServer, colleague: Callable[..., Page]
) -> None:
    desk.goto(f"{server.url}{LIST}?q=row-")
    rows = desk.locator("#result_list tbody tr")
    expect(rows).to_have_count(2)
    row = rows.filter(has_text="row-1")
    row.locator("input.action-select").check()
    other = colleague()
    open_request(other, server, "row-1")
    other.get_by_text("Deny…").click()
    other.get_by_role("textbox", name="Reason").fill("No.")
    other.get_by_role("button", name="Yes, deny").click()
    expect(row).to_contain_text("Already decided: admin denied this on")
    expect(row.locator("input.action-select")).to_be_disabled()
    expect(row.locator("input.action-select")).not_to_be_checked()
    ask(server, "row-3")
    news = desk.get_by_role("status").filter(has_text="new request")
    expect(news).to_contain_text("1 new request has come in.")
    news.get_by_role("link", name="Show").click()
    expect(desk.locator("#result_list tbody tr").filter(has_text="row-3")).to_be_visible()


def test_many_at_once_and_what_was_skipped_is_said(
    desk: Page, server: DemoServer, colleague: Callable[..., Page]
) -> None:
    desk.goto(f"{server.url}{LIST}?q=bulk-")
    for box in desk.locator("#result_list input.action-select").all():
        box.check()
    desk.get_by_label("Action:").select_option(label="Approve selected requests")
    desk.get_by_role("button", name="Go").click()
    expect(desk.get_by_role("heading", name="Approve 3 requests?")).to_be_visible()
    assert status_of(server, "bulk-1") == "pending"
    # While the page that asks is open, a colleague decides one of them.
    other = colleague()
    open_request(other, server, "bulk-2")
    other.get_by_text("Deny…").click()
    other.get_by_role("textbox", name="Reason").fill("Not this one.")
    other.get_by_role("button", name="Yes, deny").click()
    expect(other.get_by_text("You denied refund_order.")).to_be_visible()
    desk.get_by_role("button", name="Yes, approve 3 requests").click()
    report = desk.get_by_role("status")
    expect(report).to_contain_text("2 requests were approved. 1 was skipped")
    expect(desk.get_by_text("Already decided: admin denied this on")).to_be_visible()
    expect(desk.get_by_role("heading", name="What was decided")).to_be_visible()
    server.wait_for("Refund.objects.filter(reason__contains='bulk-').count()", "2")
    assert server.query("Decision.objects.filter(reason='Not this one.').count()") == "1"


def test_the_keyboard_does_it_all(desk: Page, server: DemoServer) -> None:
    desk.goto(f"{server.url}{LIST}")
    keys = desk.keyboard
    expect(desk.locator("#inbox-keys")).to_be_attached()
    keys.press("/")
    keys.type("keys")
    keys.press("Enter")
    expect(desk.locator("#result_list tbody tr")).to_have_count(1)
    desk.locator("h1").click()
    keys.press("j")
    expect(desk.locator("#result_list tbody th a")).to_be_focused()
    keys.press("x")
    expect(desk.locator("#result_list input.action-select")).to_be_checked()
    keys.press("Enter")
    expect(desk.locator("#inbox-args")).to_contain_text("keys")
    keys.press("e")
    expect(desk.locator(".agentui-edit input")).to_be_focused()
    keys.press("Escape")
    desk.locator("h1").click()
    keys.press("d")
    reason = desk.get_by_role("textbox", name="Reason")
    expect(reason).to_be_focused()
    # While writing, keys are letters.
    keys.type("a d n u")
    expect(reason).to_have_value("a d n u")
    keys.press("Tab")
    expect(desk.get_by_role("button", name="Yes, deny")).to_be_focused()
    keys.press("Enter")
    expect(desk.get_by_text("You denied refund_order.")).to_be_visible()
    first = desk.url
    keys.press("n")
    desk.wait_for_url(lambda url: url != first and "/change/" in url)
    keys.press("u")
    desk.wait_for_url(f"**{LIST}")


def test_keys_can_be_turned_off(desk: Page, server: DemoServer) -> None:
    open_request(desk, server, "axe")
    desk.keyboard.press("?")
    desk.get_by_label("Single keys do something on this page").uncheck()
    desk.reload()
    expect(desk.locator("#inbox-status")).to_be_visible()
    desk.keyboard.press("d")
    expect(desk.get_by_role("textbox", name="Reason")).to_be_hidden()
    desk.locator("#inbox-keys summary").click()
    desk.get_by_label("Single keys do something on this page").check()


def serious_findings(page: Page) -> list[Any]:
    page.evaluate(AXE.read_text())
    found: list[Any] = page.evaluate(
        """async () => {
            const { violations } = await axe.run("#main", { resultTypes: ["violations"] });
            return violations
                .filter(({ impact }) => impact === "serious" || impact === "critical")
                .map(({ id, nodes }) => [id, nodes.map((node) => [node.target, node.failureSummary])]);
        }"""
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious(
    colleague: Callable[..., Page], server: DemoServer, scheme: Any, width: int
) -> None:
    page = colleague(color_scheme=scheme, viewport={"width": width, "height": 900})
    page.goto(f"{server.url}{LIST}")
    assert serious_findings(page) == []
    open_request(page, server, "axe")
    assert serious_findings(page) == []
    page.keyboard.press("e")
    assert serious_findings(page) == []
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("d")
    assert serious_findings(page) == []
    for path in ("report/", "../decision/", "../grant/", "../toolcall/"):
        page.goto(f"{server.url}{LIST}{path}")
        assert serious_findings(page) == []
