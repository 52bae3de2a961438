"""A browser tool runs exactly once: two tabs, a reload, no network, a killed server, another page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import message_field, open_chat, say, sign_in
from tests.flow.demo_server import DemoServer

pytestmark = [pytest.mark.browser, pytest.mark.flow]

#: In every page of the browser: a tool that counts its runs for all tabs, and sockets to be cut.
PAGE = """
window.__sockets = [];
window.WebSocket = class extends WebSocket {
    constructor(...given) {
        if (window.__cut) throw new Error("no network");
        super(...given);
        window.__sockets.push(this);
    }
};
customElements.whenDefined("agentui-chat").then(() => {
    const chat = document.querySelector("agentui-chat");
    const count = () => {
        const runs = Number(localStorage.getItem("runs") ?? 0) + 1;
        localStorage.setItem("runs", runs);
        return runs;
    };
    if (!chat || window.__without_tools) return;
    chat.registry.registerTool({ name: "count", handler: () => count() });
    chat.registry.registerTool({
        name: "count_slowly",
        handler: () => new Promise((done) => {
            const runs = count();
            window.__finish = () => done(runs);
        }),
    });
    chat.registry.registerTool({
        name: "ask",
        renderAndWaitForResponse: ({ respond, result }) => {
            const button = document.createElement("button");
            button.textContent = respond ? "Answer it" : `Answered ${JSON.stringify(result)}`;
            button.onclick = () => respond?.({ yes: true });
            return button;
        },
    });
});
"""
LAST = """() => {
    const store = document.querySelector("agentui-chat")?.shadowRoot?.querySelector("agentui-thread")?.store;
    const last = store?.messages.at(-1);
    return last?.status.type === "complete" ? (last.parts.at(-1)?.text ?? "") : null;
}"""


@pytest.fixture
def ada(context: BrowserContext, server: DemoServer) -> Page:
    sign_in(context, server, "ada")
    context.add_init_script(PAGE)
    page = context.new_page()
    open_chat(page, server, "/agentui/?agent=pilot")
    page.evaluate("localStorage.clear()")
    return page


def second_tab(ada: Page) -> Page:
    """The same thread once more."""
    say(ada, "hello")
    ada.wait_for_url("**/t/*/")
    tab = ada.context.new_page()
    tab.goto(ada.url)
    expect(tab.get_by_text("You said: hello").first).to_be_visible()
    return tab


def runs(page: Page) -> int:
    return int(page.evaluate("Number(localStorage.getItem('runs') ?? 0)"))


def wait_for_answer(page: Page, text: str) -> None:
    wanted = f"(text) => ({LAST})() === text"
    page.wait_for_function(wanted, arg=text, timeout=60_000)


def calls(server: DemoServer, page: Page) -> Any:
    thread = page.url.rstrip("/").rpartition("/")[2]
    return eval(
        server.query(
            "[(c.tool_name, c.status) for c in"
            f" ToolCall.objects.filter(thread='{thread}').order_by('created_at')]"
        )
    )


def test_two_tabs_run_a_call_once(ada: Page, server: DemoServer) -> None:
    other = second_tab(ada)
    for run, page in enumerate((ada, other, ada), 1):
        say(page, "call count")
        for tab in (ada, other):
            wait_for_answer(tab, f"Answers: [{run}]")
    assert runs(ada) == 3
    assert calls(server, ada) == [("count", "complete")] * 3


def test_calls_of_one_answer_run_in_their_order_in_whichever_tab(ada: Page) -> None:
    other = second_tab(ada)
    say(ada, "call count\ncall count\ncall count")
    for page in (ada, other):
        wait_for_answer(page, "Answers: [1, 2, 3]")


def test_a_reload_while_the_tool_runs_offers_it_to_the_same_tab_again(ada: Page) -> None:
    say(ada, "call count_slowly")
    ada.wait_for_function("() => window.__finish")
    ada.wait_for_url("**/t/*/")
    ada.reload()
    ada.wait_for_function("() => window.__finish")
    ada.evaluate("window.__finish()")
    wait_for_answer(ada, "Answers: [2]")
    ada.reload()
    expect(message_field(ada)).to_be_editable()
    ada.wait_for_timeout(1_000)
    assert runs(ada) == 2  # the second time is the handler's to know, by `attempt`


def test_without_network_the_answer_waits_and_the_tool_does_not_run_again(ada: Page) -> None:
    say(ada, "call count_slowly")
    ada.wait_for_function("() => window.__finish")
    ada.evaluate("window.__cut = true; window.__sockets.at(-1).close()")
    expect(ada.get_by_text("Connection lost").first).to_be_visible()
    ada.evaluate("window.__finish()")
    ada.wait_for_timeout(500)
    ada.evaluate("window.__cut = false")
    wait_for_answer(ada, "Answers: [1]")
    assert runs(ada) == 1


def test_the_server_is_killed_while_the_tool_runs(ada: Page, server: DemoServer) -> None:
    say(ada, "call count_slowly")
    ada.wait_for_function("() => window.__finish")
    server.kill()
    ada.evaluate("window.__finish()")
    ada.wait_for_timeout(500)
    server.start()
    wait_for_answer(ada, "Answers: [1]")
    assert runs(ada) == 1
    assert calls(server, ada) == [("count_slowly", "complete")]


def test_the_server_is_killed_and_the_page_reloaded_before_the_answer_is_heard(
    ada: Page, server: DemoServer
) -> None:
    say(ada, "call count_slowly")
    ada.wait_for_function("() => window.__finish")
    ada.wait_for_url("**/t/*/")
    server.kill()
    ada.evaluate("window.__finish()")
    ada.wait_for_timeout(300)
    server.start()
    ada.reload()
    wait_for_answer(ada, "Answers: [1]")
    assert runs(ada) == 1


def test_a_question_comes_back_after_a_restart_and_is_answered_once(
    ada: Page, server: DemoServer
) -> None:
    other = second_tab(ada)
    say(ada, "call ask")
    for page in (ada, other):
        expect(page.get_by_role("button", name="Answer it")).to_be_visible()
    server.kill()
    server.start()
    ada.reload()
    expect(ada.get_by_role("button", name="Answer it")).to_be_visible()
    other.get_by_role("button", name="Answer it").click()
    for page in (ada, other):
        wait_for_answer(page, 'Answers: [{"yes": true}]')
        expect(page.get_by_role("button", name="Answer it")).to_have_count(0)
    assert calls(server, ada) == [("ask", "complete")]


def test_a_tab_without_the_tool_leaves_the_call_to_one_that_has_it(
    ada: Page, server: DemoServer
) -> None:
    say(ada, "hello")
    ada.wait_for_url("**/t/*/")
    bare = ada.context.new_page()
    bare.add_init_script("window.__without_tools = true")
    bare.goto(ada.url)
    expect(message_field(bare)).to_be_editable()
    say(ada, "call ask")
    expect(ada.get_by_role("button", name="Answer it")).to_be_visible()
    ada.wait_for_timeout(7_000)  # longer than a page may take to register its tools
    ada.get_by_role("button", name="Answer it").click()
    wait_for_answer(ada, 'Answers: [{"yes": true}]')


def test_a_tab_that_sleeps_gives_its_call_up_and_finds_it_answered(
    ada: Page, server: DemoServer
) -> None:
    say(ada, "call count_slowly")
    ada.wait_for_function("() => window.__finish")
    ada.wait_for_url("**/t/*/")
    ada.evaluate(
        "window.__cut = true; window.__sockets.at(-1).close()"
    )  # it cannot renew its claim
    server.query(
        "ToolCall.objects.filter(status='pending').exclude(claimed_by='')"
        ".update(claim_expires_at='2020-01-01T00:00Z')"
    )
    other = ada.context.new_page()
    other.goto(ada.url)
    other.wait_for_function("() => window.__finish", timeout=60_000)
    other.evaluate("window.__finish()")
    wait_for_answer(other, "Answers: [2]")
    ada.evaluate("window.__finish()")
    ada.evaluate("window.__cut = false")
    wait_for_answer(ada, "Answers: [2]")
    assert runs(ada) == 2


def test_what_the_page_says_of_itself_and_shared_state(ada: Page) -> None:
    ada.evaluate(
        """() => {
            const chat = document.querySelector("agentui-chat");
            window.__forget = chat.registry.addContext({ description: "Basket", value: () => ["tea"] });
        }"""
    )
    # What is written before the thread exists is there for its first tool.
    ada.evaluate(
        """async () => {
            const src = document.querySelector('script[src*="agentui.js"]').src;
            const { SharedState } = await import(src);
            const store = document.querySelector("agentui-chat").shadowRoot.querySelector("agentui-thread").store;
            await new SharedState(store).set(["first"], true);
        }"""
    )
    say(ada, "call state")
    wait_for_answer(ada, 'Answers: [{"first": true}]')
    say(ada, "what do you know")
    expect(ada.get_by_text('Basket: ["tea"]')).to_be_visible()
    ada.evaluate("window.__forget()")
    say(ada, 'call note {"text": "from the agent"}')
    wait_for_answer(ada, 'Answers: ["noted"]')
    found = ada.evaluate(
        """async () => {
            const src = document.querySelector('script[src*="agentui.js"]').src;
            const { SharedState } = await import(src);
            const store = document.querySelector("agentui-chat").shadowRoot.querySelector("agentui-thread").store;
            const state = new SharedState(store);
            const seen = [];
            state.subscribe((value) => seen.push(structuredClone(value)));
            await state.set(["page"], { n: 1 });
            await state.append(["note"], "!");
            return { seen, value: state.value };
        }"""
    )
    assert found["seen"][0]["note"] == "from the agent"
    assert found["value"] == {"first": True, "note": "from the agent!", "page": {"n": 1}}
    ada.reload()
    expect(message_field(ada)).to_be_editable()
    ada.wait_for_function(
        """() => document.querySelector("agentui-chat").shadowRoot.querySelector("agentui-thread")
            .store?.thread?.state?.page?.n === 1"""
    )


def test_a_page_in_the_background_is_sent_the_whole_of_a_long_answer(ada: Page) -> None:
    """It reads, and says so: its timers rest, and the server would wait for it otherwise."""
    ada.evaluate("""() => {
        Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    ada.evaluate(
        "window.__got = 0; for (const s of __sockets) s.addEventListener('message', (e) => (__got += e.data.length))"
    )
    say(ada, "write 600")
    ada.wait_for_function(f"() => (({LAST})() ?? '').length > 3_000", timeout=15_000)
    assert ada.evaluate("__got") > 3 * 8_000
