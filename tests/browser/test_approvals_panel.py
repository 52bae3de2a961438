"""What staff decide beside their own chat, and on a page of their own: `<agentui-approvals>`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.people import open_chat, sign_in
from tests.flow.demo_server import ROOT, DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

AXE = ROOT / "agentui" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
#: What waits when the tests begin: a name of each request is its account.
PAYMENTS = ("approve", "deny", "edit", "always", "race", "faster", "keys", "axe")


def ask(server: DemoServer, *accounts: str, note: str = "A long story. " * 40) -> None:
    """Let the customer cause a payment from each of these accounts, in threads of their own."""
    before = int(server.query("Approval.objects.count()"))
    lines = [
        "call pay " + json.dumps({"account": account, "cents": 500, "note": note})
        for account in accounts
    ]
    send(server, *lines)
    server.wait_for("Approval.objects.count()", str(before + len(accounts)), 60)


def send(server: DemoServer, *texts: str) -> None:
    code = (
        "from django.contrib.auth import get_user_model; from agentui import actions;"
        "ada = get_user_model().objects.get(username='ada');"
        f"[actions.send_message(ada, agent='clerk', parts=[{{'type': 'text', 'text': text}}])"
        f" for text in {texts!r}]"
    )
    server.manage("shell", "-v", "0", "-c", code)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder: Path = tmp_path_factory.mktemp("panel")
    with demo_server(
        folder, database="sqlite", layer="memory", settings="tests.browser.site.settings"
    ) as server:
        ask(server, *PAYMENTS)
        yield server


@pytest.fixture
def sam(context: BrowserContext, server: DemoServer) -> Iterator[Page]:
    """A colleague's page. Whatever the browser complains about fails the test."""
    sign_in(context, server, "sam")
    page = context.new_page()
    problems: list[str] = []
    page.on(
        "console",
        lambda message: problems.append(message.text) if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    assert [text for text in problems if "status of 4" not in text] == []


def open_panel(page: Page, server: DemoServer) -> Any:
    open_chat(page, server)
    page.get_by_role("button", name=re.compile("Approvals: ")).click()
    panel = page.locator("agentui-approvals")
    expect(panel.get_by_role("heading", name="Approvals")).to_be_focused()
    return panel


def card(panel: Any, account: str) -> Any:
    found = panel.locator("agentui-waiting-card").filter(has_text=f"Account{account}")
    expect(found).to_be_visible()
    return found


def approval(account: str) -> str:
    return f"Approval.objects.get(tool_call__args_text__contains='{account}', tool_name='pay')"


def test_approve_beside_the_chat(sam: Page, server: DemoServer) -> None:
    panel = open_panel(sam, server)
    mine = card(panel, "approve")
    expect(mine).to_contain_text("Ada Bell (ada) asks")
    expect(mine).to_contain_text("Pay out from an account of the shop.")
    expect(mine).to_contain_text("call pay")  # what the person wrote
    mine.get_by_role("button", name="Approve", exact=True).click()
    # One click decides nothing: what is under the pointer may have been something else a moment ago.
    expect(mine).to_contain_text("It runs at once, with exactly what stands above.")
    assert server.query(f"{approval('approve')}.status") == "pending"
    mine.get_by_role("button", name="Yes, approve").click()
    line = panel.locator(".line").filter(has_text="Pay for Ada Bell (ada): approved")
    expect(line).to_be_focused()
    server.wait_for(f"{approval('approve')}.tool_call.status", "complete")
    decided = f"list({approval('approve')}.decisions.values_list('username', 'verdict', 'door'))"
    assert server.query(decided) == "[('sam', 'approve', 'api')]"
    line.get_by_role("link").click()
    expect(sam.locator("#inbox-status")).to_have_text("approved")


def test_deny_with_a_reason(sam: Page, server: DemoServer) -> None:
    panel = open_panel(sam, server)
    mine = card(panel, "deny")
    mine.get_by_role("button", name="Deny").click()
    reason = mine.get_by_role("textbox", name="Reason")
    expect(reason).to_be_focused()
    mine.get_by_role("button", name="Deny").click()  # without one it goes nowhere
    reason.fill("No receipt, no money.")
    mine.get_by_role("button", name="Deny").click()
    expect(panel.locator(".line").filter(has_text="Pay for Ada Bell (ada): denied")).to_be_visible()
    server.wait_for(f"{approval('deny')}.tool_call.status", "denied")
    told = f"'No receipt, no money.' in str({approval('deny')}.tool_call.result)"
    assert server.query(told) == "True"


def test_change_the_arguments_and_approve(sam: Page, server: DemoServer) -> None:
    panel = open_panel(sam, server)
    mine = card(panel, "edit")
    mine.get_by_role("button", name="Change").click()
    mine.get_by_role("textbox", name="Cents").fill("1")
    mine.get_by_role("button", name="Approve", exact=True).click()
    mine.get_by_role("button", name="Yes, approve").click()
    expect(mine).to_have_count(0)
    server.wait_for(f"{approval('edit')}.tool_call.result", "paid 1 from edit")


def test_always_says_how_far_it_reaches(sam: Page, server: DemoServer) -> None:
    panel = open_panel(sam, server)
    mine = card(panel, "always")
    reach = "for this person with the same account for 7 days"
    mine.get_by_role("button", name=f"Always allow {reach}").click()
    expect(mine).to_contain_text(f"From then on nobody is asked {reach}.")
    mine.get_by_role("button", name="Yes, approve").click()
    expect(mine).to_have_count(0)
    assert server.query("Grant.objects.get().arguments") == "{'account': 'always'}"


def test_what_a_colleague_decides_and_what_comes_in_appears_by_itself(
    sam: Page, server: DemoServer
) -> None:
    panel = open_panel(sam, server)
    mine = card(panel, "race")
    mine.get_by_role("button", name="Deny").click()
    mine.get_by_role("textbox", name="Reason").fill("I am still thinking")
    code = (
        "from agentui import actions; from agentui.models import Approval;"
        "from django.contrib.auth import get_user_model;"
        "admin = get_user_model().objects.get(username='admin');"
        f"actions.decide_approval(admin, {approval('race')}.pk, verdict='approve', door='admin')"
    )
    server.manage("shell", "-v", "0", "-c", code)
    expect(panel.locator(".line").filter(has_text="approved by admin")).to_be_visible()
    expect(mine).to_have_count(0)
    ask(server, "fresh")
    expect(card(panel, "fresh")).to_be_visible()
    # What is new comes last, so that nothing moves under the pointer.
    expect(panel.locator(".entry").last).to_contain_text("fresh")
    expect(panel.get_by_role("status")).to_have_text("New request: Pay")


def test_a_refusal_is_said_in_the_card(sam: Page, server: DemoServer) -> None:
    """Somebody is faster, and this page has not looked since."""
    panel = open_panel(sam, server)
    mine = card(panel, "faster")
    sam.route("**/approvals/waiting/**", lambda route: route.fulfill(status=429))
    mine.get_by_role("button", name="Approve", exact=True).click()
    code = (
        "from agentui import actions; from agentui.models import Approval;"
        "from django.contrib.auth import get_user_model;"
        "admin = get_user_model().objects.get(username='admin');"
        f"actions.decide_approval(admin, {approval('faster')}.pk, verdict='deny', reason='No.',"
        " door='admin')"
    )
    server.manage("shell", "-v", "0", "-c", code)
    mine.get_by_role("button", name="Yes, approve").click()
    expect(mine.get_by_role("alert")).to_contain_text("Already decided: admin said deny on")
    expect(panel).to_contain_text("The list cannot be brought up to date.")
    sam.unroute("**/approvals/waiting/**")


def test_the_keyboard_does_it_all(sam: Page, server: DemoServer) -> None:
    panel = open_panel(sam, server)
    card(panel, "keys").get_by_role("button", name="Approve", exact=True).focus()
    sam.keyboard.press("Enter")
    sam.keyboard.press("Enter")
    expect(panel.locator(".line").filter(has_text="approved")).to_be_focused()
    sam.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(sam.get_by_role("button", name=re.compile("Approvals: "))).to_be_focused()


def test_a_question_to_staff_leads_to_its_page_and_is_answered_there(
    sam: Page, server: DemoServer
) -> None:
    send(server, 'call ship {"order": 1002}')
    server.wait_for("Approval.objects.filter(tool_name='ship').count()", "1")
    panel = open_panel(sam, server)
    mine = panel.locator("agentui-waiting-card").filter(has_text="Ship")
    expect(mine).to_contain_text("It is answered on its page.")
    expect(mine.get_by_role("button")).to_have_count(0)
    mine.get_by_role("link", name="Everything about it").click()
    sam.get_by_text("Answer…").click()
    parcels = sam.get_by_label("Parcels")
    sam.get_by_label("Carrier").select_option(label="bike")
    parcels.fill("two")
    sam.get_by_role("button", name="Send this answer").click()
    expect(sam.get_by_text("Write a number")).to_be_visible()
    parcels.fill("0")
    sam.get_by_role("button", name="Send this answer").click()
    expect(sam.get_by_role("alert")).to_contain_text("does not fit the form")
    expect(sam.get_by_label("Carrier")).to_have_value('"bike"')
    parcels.fill("2")
    sam.get_by_role("button", name="Send this answer").click()
    expect(sam.locator("#inbox-status")).to_have_text("approved")
    server.wait_for(
        "ToolCall.objects.get(tool_name='ship').result", "{'carrier': 'bike', 'parcels': 2}"
    )


def test_a_customer_is_shown_none_of_it(
    context: BrowserContext, server: DemoServer, page: Page
) -> None:
    sign_in(context, server, "ada")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_chat(page, server)
    expect(page.get_by_role("button", name=re.compile("Approvals"))).to_have_count(0)
    page.goto(f"{server.url}/pages/work/")
    expect(page.locator("agentui-approvals")).to_have_count(0)
    assert [url for url in asked if "approvals" in url] == []


def serious_findings(page: Page, where: str) -> list[Any]:
    page.evaluate(AXE.read_text())
    found: list[Any] = page.evaluate(
        """async (where) => {
            const { violations } = await axe.run(where, { resultTypes: ["violations"] });
            return violations
                .filter(({ impact }) => impact === "serious" || impact === "critical")
                .map(({ id, nodes }) => [id, nodes.map((node) => [node.target, node.failureSummary])]);
        }""",
        where,
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious(
    browser: Browser, server: DemoServer, scheme: Any, width: int
) -> None:
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}, reduced_motion="reduce"
    )
    context.set_default_timeout(30_000)
    sign_in(context, server, "sam")
    page = context.new_page()
    panel = open_panel(page, server)
    mine = card(panel, "axe")
    assert serious_findings(page, "agentui-chat") == []
    mine.get_by_role("button", name="Approve", exact=True).click()
    assert serious_findings(page, "agentui-chat") == []
    mine.get_by_role("button", name="Cancel").click()
    mine.get_by_role("button", name="Deny").click()
    assert serious_findings(page, "agentui-chat") == []
    page.goto(f"{server.url}/pages/work/")
    expect(card(page.locator("agentui-approvals"), "axe")).to_be_visible()
    assert serious_findings(page, "main") == []
    context.close()
