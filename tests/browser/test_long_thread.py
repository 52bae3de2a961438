"""Ten thousand messages: read from the end to the beginning and back with few of them on the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import open_chat, say, sign_in, wait_until_idle
from tests.flow.demo_server import DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]

MESSAGES = 10_000
MAKE = f"""
from django.contrib.auth import get_user_model
from agentui.models import Message, Thread
from agentui.models.base import uuid7
owner = get_user_model().objects.get(username="ada")
thread = Thread.objects.create(owner=owner, agent="support", title="Long", title_source="user")
rows, parent = [], None
for seq in range(1, {MESSAGES} + 1):
    role = "user" if seq % 2 else "assistant"
    text = f"Message {{seq}}. " + "Some words of an answer. " * (seq % 7)
    rows.append(Message(id=uuid7(), thread=thread, parent_id=parent, seq=seq, role=role, version=1,
        parts=[{{"type": "text", "text": text}}]))
    parent = rows[-1].pk
Message.objects.bulk_create(rows, batch_size=500)
Thread.objects.filter(pk=thread.pk).update(head=parent, last_seq={MESSAGES}, version=1)
print(thread.pk)
"""
FIRST_SEEN = """box => {
    const edge = box.getBoundingClientRect().top;
    const messages = [...box.querySelectorAll("agentui-message")];
    const seen = messages.find((message) => message.getBoundingClientRect().bottom > edge + 1);
    return [seen.message.seq, Math.round(seen.getBoundingClientRect().top - edge)];
}"""
COUNT = """() => {
    const count = (root) => [...root.querySelectorAll("*")].reduce(
        (sum, element) => sum + 1 + (element.shadowRoot ? count(element.shadowRoot) : 0), 0);
    return count(document);
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder: Path = tmp_path_factory.mktemp("long")
    with demo_server(folder, database="sqlite", layer="memory") as server:
        yield server


@pytest.fixture(scope="module")
def thread(server: DemoServer) -> str:
    return server.manage("shell", "-v", "0", "-c", MAKE).strip().splitlines()[-1]


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["desktop", "phone"])
def test_it_is_read_up_and_down_with_few_messages_on_the_page(
    browser: Browser, server: DemoServer, thread: str, size: tuple[int, int]
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    sign_in(context, server, "ada")
    page = context.new_page()
    open_chat(page, server, f"/agentui/t/{thread}/")
    box = page.locator("agentui-thread .scroller")
    shown = page.locator("agentui-message")
    expect(shown.last).to_contain_text(f"Message {MESSAGES}.")
    box.hover()
    most, nodes, earliest = 0, 0, MESSAGES
    for _ in range(120):
        seq, _ = box.evaluate(FIRST_SEEN)
        earliest = min(earliest, seq)
        most, nodes = max(most, shown.count()), max(nodes, page.evaluate(COUNT))
        if earliest < MESSAGES - 500:
            break
        page.mouse.wheel(0, -1500)
        page.wait_for_timeout(60)
    assert earliest < MESSAGES - 500
    assert most <= 160
    assert nodes < 12_000
    # What comes in at the end does not move what is read.
    before = box.evaluate(FIRST_SEEN)
    page.wait_for_timeout(400)
    assert box.evaluate(FIRST_SEEN) == before
    for _ in range(120):
        if box.evaluate(FIRST_SEEN)[0] > MESSAGES - 200:
            break
        page.mouse.wheel(0, 1500)
        page.wait_for_timeout(40)
    assert box.evaluate(FIRST_SEEN)[0] > MESSAGES - 200
    assert shown.count() <= 160
    context.close()


def test_putting_more_on_the_page_moves_nothing_the_reader_sees(
    browser: Browser, server: DemoServer, thread: str
) -> None:
    page = _open(browser, server, thread)
    box = page.locator("agentui-thread .scroller")
    box.hover()
    page.mouse.wheel(0, -2500)
    page.wait_for_timeout(500)
    seen, _ = box.evaluate(FIRST_SEEN)
    jumps = page.evaluate(
        """async ([box, steps]) => {
            // Small steps: every message must be where the step took it, whatever came above.
            const edge = () => box.getBoundingClientRect().top;
            const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            const jumps = [];
            for (let step = 0; step < steps; step++) {
                const messages = [...box.querySelectorAll("agentui-message")];
                const mark = messages.find((message) => message.getBoundingClientRect().bottom > edge() + 100);
                const before = mark.getBoundingClientRect().top;
                box.scrollTop -= 150;
                await frame();
                await new Promise((done) => setTimeout(done, 25));
                await frame();
                if (!mark.isConnected) jumps.push("gone");
                else {
                    const moved = mark.getBoundingClientRect().top - before;
                    if (Math.abs(moved - 150) > 3) jumps.push(Math.round(moved));
                }
            }
            return jumps;
        }""",
        [box.element_handle(), 60],
    )
    assert jumps == []
    assert box.evaluate(FIRST_SEEN)[0] < seen
    page.context.close()


def test_jump_to_latest_and_sending_lead_back_to_the_end(
    browser: Browser, server: DemoServer, thread: str
) -> None:
    page = _open(browser, server, thread)
    box = page.locator("agentui-thread .scroller")
    box.hover()
    for _ in range(30):
        page.mouse.wheel(0, -2000)
        page.wait_for_timeout(40)
    expect(page.get_by_text(f"Message {MESSAGES}.")).to_have_count(0)
    page.get_by_role("button", name="Jump to latest").click()
    expect(page.locator("agentui-message").last).to_contain_text(f"Message {MESSAGES}.")
    at_end = "box => box.scrollHeight - box.scrollTop - box.clientHeight < 4"
    page.wait_for_timeout(200)
    assert box.evaluate(at_end)
    for _ in range(10):
        page.mouse.wheel(0, -2000)
        page.wait_for_timeout(40)
    say(page, "hello")
    wait_until_idle(page)
    page.wait_for_timeout(200)
    assert box.evaluate(at_end)
    page.context.close()


def _open(browser: Browser, server: DemoServer, thread: str) -> Page:
    context = browser.new_context(viewport={"width": 1100, "height": 700})
    sign_in(context, server, "ada")
    page = context.new_page()
    open_chat(page, server, f"/agentui/t/{thread}/")
    expect(page.locator("agentui-message").last).to_be_visible()
    return page
