"""A thread of many messages, and what the browser does while an answer is written at its end."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.flow.demo_server import DemoServer

MAKE = """
from django.contrib.auth import get_user_model
from agentui import actions
from agentui.core.statuses import Reason, Role, RunStatus
from agentui.runtime.store import add_message
from agentui.runtime.store.changes import changing

user = get_user_model().objects.get(username="ada")
thread = actions.create_thread(user, agent="writer", title="Long")
text = "A paragraph with **bold** words and `code`.\\n\\n- one\\n- two\\n\\n```python\\nprint(1)\\n```\\n"
with changing(thread.pk) as thread:
    parent = None
    for number in range({count}):
        role = Role.USER if number % 2 == 0 else Role.ASSISTANT
        parts = [{{"type": "text", "text": f"{{number}}. " + (text if number % 2 else "Question?")}}]
        message = add_message(
            thread, role=role, parts=parts, parent=parent, status=RunStatus.COMPLETE, reason=Reason.STOP
        )
        parent = message.pk
    if parent:
        thread.move_head(parent)
print(thread.pk)
"""

#: Counts renderings by element name, and those of messages by their position from the end.
COUNT = """() => {
    window.__renders = {};
    window.__messages = new Map();
    for (const name of ["agentui-thread", "agentui-message", "agentui-markdown", "agentui-tool-card"]) {
        const prototype = customElements.get(name).prototype;
        const before = prototype.performUpdate;
        prototype.performUpdate = function () {
            window.__renders[name] = (window.__renders[name] ?? 0) + 1;
            if (name === "agentui-message") {
                window.__messages.set(this.message.id, (window.__messages.get(this.message.id) ?? 0) + 1);
            }
            return before.call(this);
        };
    }
}"""


def make_thread(server: DemoServer, count: int) -> str:
    """The id of a new thread of ada's with so many messages."""
    printed = server.manage("shell", "-v", "0", "-c", MAKE.format(count=count))
    return printed.strip().splitlines()[-1]


def load_all(page: Page, count: int) -> None:
    """Have all messages of the thread on the page."""
    page.evaluate(
        """async (count) => {
            const store = document.querySelector("agentui-chat").shadowRoot.querySelector("agentui-thread").store;
            while (store.hasMore && store.messages.length < count) await store.loadOlder();
        }""",
        count,
    )


def renders(page: Page) -> dict[str, Any]:
    """How often each kind of element was rendered, and how many messages were rendered at all."""
    counted: dict[str, Any] = page.evaluate(
        "() => ({ ...window.__renders, messages: [...window.__messages.values()].sort((a, b) => b - a) })"
    )
    return counted
