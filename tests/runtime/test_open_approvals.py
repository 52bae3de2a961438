"""Three open approvals in one thread, decided in any order, one of them while another run is active:
three true outcomes, each told once, and never a request that a strict provider refuses."""

from __future__ import annotations

from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from django.utils import timezone

from agentui.models import Approval, Message, Thread, ToolCall
from agentui.runtime.database import in_database
from agentui.runtime.store import expire_approval
from agentui.testing import Call, Gate, Say, approve, deny, settled
from tests.core.strict import verify
from tests.models import Effect

from .conftest import send
from .test_waiting import all_settled

pytestmark = pytest.mark.django_db(transaction=True)

REASON = "Not in this quarter."
OUTCOMES = {"a": "complete", "b": "denied", "c": "expired"}


def decide(name: str, staff: Any) -> None:
    approval = Approval.objects.get(tool_call__args__name=name)
    match name:
        case "a":
            approve(approval, staff)
        case "b":
            deny(approval, staff, REASON)
        case "c":
            Approval.objects.filter(pk=approval.pk).update(
                expires_at=timezone.now() - timedelta(seconds=1)
            )
            assert expire_approval(approval.pk)


def told(request: Any) -> list[str]:
    return [
        part.text
        for message in request.messages
        if message.role == "user"
        for part in message.parts
        if part.text.startswith("[Event")
    ]


@pytest.mark.parametrize("order", list(permutations("abc")), ids="".join)
async def test_three_true_outcomes_in_any_order(
    order: tuple[str, ...], user: Any, staff: Any, script: Any, running: None
) -> None:
    gate = Gate()
    adapter = script(
        [Call("needs_staff", {"name": name}) for name in "abc"],
        [gate, Say("It is sunny.")],
        [Say("One.")],
        [Say("Two.")],
        [Say("Three.")],
        [Say("You are welcome.")],
    )
    first = await settled((await send(user, "Do a, b and c")).run)
    thread = first.thread_id
    sent = await send(user, "And the weather?", thread_id=thread)
    await gate.reached()
    # The first one while the other run is writing its answer, the others afterwards.
    await in_database(decide, order[0], staff)
    gate.open()
    await settled(sent.run)
    await all_settled(thread)
    for name in order[1:]:
        await in_database(decide, name, staff)
        await all_settled(thread)
    await settled((await send(user, "Thanks", thread_id=thread)).run)

    calls = await in_database(lambda: {c.args["name"]: c.status for c in ToolCall.objects.all()})
    assert calls == OUTCOMES
    assert await in_database(lambda: list(Effect.objects.values_list("name", flat=True))) == ["a"]
    for request in adapter.requests:
        verify(request.messages)
    events = told(adapter.requests[-1])
    assert len(events) == 3
    for name, status in OUTCOMES.items():
        mine = [
            event for event in events if f'"name": "{name}"' in event or f'"name":"{name}"' in event
        ]
        assert len(mine) == 1
        assert f"is now {status}" in mine[0]
    assert REASON in "".join(events)
    # What the model was told is never taken back: every request begins as the one before it did.
    for before, after in zip(adapter.requests[1:], adapter.requests[2:], strict=False):
        assert after.messages[: len(before.messages)] == before.messages
    adapter.assert_finished()
    roles = await in_database(
        lambda: [m.role for m in Message.objects.branch(Thread.objects.get(pk=thread).head_id, 50)]
    )
    assert roles.count("event") == 3
