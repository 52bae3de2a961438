"""Writing an answer costs the same in a long thread as in a short one. Counted, not timed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.long_thread import COUNT, load_all, make_thread, renders
from tests.browser.people import message_field, say, sign_in, wait_until_idle
from tests.flow.demo_server import DemoServer, demo_server

pytestmark = [pytest.mark.browser, pytest.mark.flow]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    folder: Path = tmp_path_factory.mktemp("cost")
    with demo_server(
        folder, database="sqlite", layer="memory", settings="tests.browser.site.settings"
    ) as server:
        yield server


def counted(page: Page, server: DemoServer, messages: int) -> dict[str, Any]:
    thread = make_thread(server, messages)
    page.goto(f"{server.url}/agentui/t/{thread}/")
    expect(message_field(page)).to_be_editable()
    load_all(page, messages)
    page.wait_for_timeout(500)
    page.evaluate(COUNT)
    say(page, "write 300")
    page.wait_for_timeout(1_000)
    wait_until_idle(page)
    return renders(page)


def test_only_the_message_that_is_written_is_drawn(
    context: BrowserContext, server: DemoServer
) -> None:
    sign_in(context, server, "ada")
    page = context.new_page()
    short, long = counted(page, server, 2), counted(page, server, 200)
    # The new question, its answer, and whichever stops being the last one. No other is touched
    # more than once or twice (when a run begins and ends, their buttons change).
    assert max(long["messages"][1:]) <= 8
    assert long["agentui-markdown"] <= 1.5 * short["agentui-markdown"] + 20
    written = long["messages"][0]
    assert written > 20  # it does stream
    assert sum(long["messages"]) - written <= 4 * 200 + 20
