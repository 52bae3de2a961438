"""Known faults of this kind of software, over all protocols at once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import AsyncClient

from agentui.models import Approval, ToolCall
from agentui.runtime.database import in_database
from agentui.testing import Call, Say, settled
from tests.story import send

from .ag_ui.client import Client
from .ai.requests import CHAT, CLOUD, DATA, TRANSPORT, chunks_of, page_of, post

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _urls(settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.urls"


async def get(page: AsyncClient, path: str) -> Any:
    answer = await page.get(path)
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


async def test_fault_36_a_question_after_a_reload_is_the_one_that_was_streamed(
    user, script, running
):
    """Stream and dump, in every protocol, name one approval of one call, and it is open."""
    script([Say("May I?"), Call("needs_the_user", {"name": "x"})])
    sent = await send(user)
    await settled(sent.run)
    approval = str((await in_database(Approval.objects.get)).pk)
    call = str((await in_database(ToolCall.objects.get)).pk)
    thread = str(sent.thread.pk)
    page = await page_of(user)

    # What streams say.
    again = {"id": thread, "messages": [], "trigger": "submit-message"}
    streamed = chunks_of((await post(page, CHAT, again))[1])
    asked = [chunk for chunk in streamed if chunk["type"] == "tool-approval-request"]
    assert {(one["approvalId"], one["toolCallId"]) for one in asked} == {(approval, call)}
    body: dict[str, Any] = {"threadId": thread, "messages": []}
    _, lines = await post(page, f"{DATA}?approvals=1", body)
    shown = [json.loads(line.split(":", 1)[1]) for line in lines.splitlines() if "approval" in line]
    assert {(one["toolCallId"], one["approval"]["id"]) for one in shown} == {(call, approval)}
    ag_ui = Client(page)
    ag_ui.thread = thread
    _ = [event async for event in ag_ui.events("/connect")]
    [interrupt] = ag_ui.interrupts
    assert (interrupt["id"], interrupt["toolCallId"]) == (approval, call)

    # What is read back.
    dumped = (await get(page, f"{CHAT}/{thread}/messages"))["messages"][-1]["parts"]
    [part] = [part for part in dumped if part["type"].startswith("tool-")]
    assert (part["state"], part["toolCallId"], part["approval"]["id"]) == (
        "approval-requested",
        call,
        approval,
    )
    base = TRANSPORT.removesuffix("/run")
    state = await get(page, f"{base}/{thread}/state")
    [part] = [p for p in state["messages"][-1]["content"] if p["type"] == "tool-call"]
    assert (part["toolCallId"], part["approval"]["id"]) == (call, approval)
    for form, path in (("ai-sdk/v6", "parts"), ("aui/v0", "content")):
        rows = await get(page, f"{CLOUD}/threads/{thread}/messages?format={form}")
        [part] = [p for p in rows["messages"][0]["content"][path] if "toolCallId" in p]
        assert (part["toolCallId"], part["approval"]["id"]) == (call, approval), form
    rest = await get(page, f"/agentui/api/threads/{thread}/messages/")
    assert [(one["id"], one["status"]) for one in rest["approvals"]] == [(approval, "pending")]
