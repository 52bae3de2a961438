"""The story agentui exists for, with real processes and a real browser.

A customer chats, a tool looks an order up, the page changes its looks, a refund waits for staff. The
customer closes the page. The server is killed and started again. A colleague approves in the admin.
The run goes on by itself. The customer comes back and sees it finished.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.flow.demo_server import DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

OUTCOME = re.compile("refunded|refund .* done|has been", re.I)
STANDS = [
    pytest.param(("sqlite", "memory"), id="sqlite-memory"),
    pytest.param(("sqlite", "redis"), id="sqlite-redis", marks=[pytest.mark.redis]),
    pytest.param(("postgres", "memory"), id="postgres-memory"),
    pytest.param(("postgres", "redis"), id="postgres-redis", marks=[pytest.mark.redis]),
]


@pytest.fixture(params=STANDS)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DemoServer]:
    database, layer = request.param
    with demo_server(tmp_path, database=database, layer=layer) as server:
        yield server


def sign_in(page: Page, server: DemoServer, username: str, path: str) -> None:
    page.goto(f"{server.url}/sign-in/?next={path}")
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill(f"{username}-demo")
    page.get_by_role("button", name=re.compile("sign in", re.I)).click()
    page.wait_for_url(f"**{path}")


def say(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Message").fill(text)
    page.keyboard.press("Enter")


def approve_refund(admin: Page, server: DemoServer) -> None:
    sign_in(admin, server, "sam", "/admin/agentui/approval/")
    admin.locator("#result_list tbody th a").click()
    expect(admin.get_by_text("the cup was broken").first).to_be_visible()
    admin.get_by_text("Approve…").click()
    admin.get_by_role("button", name="Yes, approve").click()
    expect(admin.get_by_role("button", name="Yes, approve")).to_have_count(0)


def test_the_main_job(browser: Browser, server: DemoServer) -> None:
    customer = browser.new_context()
    page = customer.new_page()
    sign_in(page, server, "ada", "/account/")

    say(page, "Where is my order 1002?")
    expect(page.get_by_text("was delivered").last).to_be_visible()

    say(page, "Make the page dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    say(page, "Refund order 1002 20 because the cup was broken")
    expect(
        page.get_by_role("region", name="Refund order").get_by_text("Waiting for staff")
    ).to_be_visible()
    server.wait_for("Run.objects.filter(status='requires_action').count()", "1")
    assert server.query("Refund.objects.count()") == "0"
    customer.close()

    server.kill()
    server.start()

    colleague = browser.new_context()
    approve_refund(colleague.new_page(), server)
    server.wait_for("Run.objects.filter(status='complete').count()", "3")

    customer = browser.new_context()
    page = customer.new_page()
    sign_in(page, server, "ada", "/account/")
    page.get_by_role("button", name="Chats", exact=True).click()
    page.locator("agentui-thread-list").get_by_text("Where is my order 1002?").click()
    expect(page.get_by_text(OUTCOME).last).to_be_visible()
    assert server.query("Refund.objects.count()") == "1"
    assert server.query("Refund.objects.get().amount") == "20.00"
    call = "ToolCall.objects.get(tool_name='refund_order')"
    assert server.query(f"{call}.idempotency_key == Refund.objects.get().idempotency_key") == "True"
    customer.close()
    colleague.close()


@pytest.mark.redis
def test_the_main_job_on_three_processes(browser: Browser, tmp_path: Path) -> None:
    """The page on one process, the run on a worker, the admin on a third."""
    with (
        demo_server(
            tmp_path, database="postgres", layer="redis", launcher="procrastinate"
        ) as server,
        server.worker(),
    ):
        office = server.another()
        office.start()
        try:
            customer = browser.new_context()
            page = customer.new_page()
            sign_in(page, server, "ada", "/account/")
            say(page, "Refund order 1002 20 because the cup was broken")
            card = page.get_by_role("region", name="Refund order")
            expect(card.get_by_text("Waiting for staff")).to_be_visible()

            colleague = browser.new_context()
            approve_refund(colleague.new_page(), office)
            # The page is told, though neither the decision nor the run was in its process.
            expect(page.get_by_text(OUTCOME).last).to_be_visible()
            owners = "{run.lease_owner for run in Run.objects.all()}"
            assert server.query(owners) == "{''}"
            assert server.query("Refund.objects.count()") == "1"
            customer.close()
            colleague.close()
        finally:
            office.kill()
