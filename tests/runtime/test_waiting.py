"""A thread stays usable while staff decide, and every outcome is told, truly and once."""

from __future__ import annotations

import pytest

from agentui import actions
from agentui.exceptions import ApprovalClosed, ThreadBusy
from agentui.models import Approval, Message, Run, ToolCall
from agentui.runtime.database import in_database
from agentui.testing import Call, Gate, Say, approve, deny, settled
from tests.models import Effect

from .conftest import send

pytestmark = pytest.mark.django_db(transaction=True)


async def all_settled(thread) -> list[Run]:
    """Every run of the thread, once nothing is active or queued in it."""

    def look() -> list[Run] | None:
        runs = list(Run.objects.filter(thread=thread).order_by("created_at", "pk"))
        active = any(run.status in ("queued", "running") for run in runs)
        waiting = Message.objects.queued().filter(thread=thread).exists()
        return None if active or waiting else runs

    import asyncio

    async with asyncio.timeout(30):
        while (runs := await in_database(look)) is None:
            await asyncio.sleep(0.02)
    return runs


async def approval_of(name: str) -> Approval:
    return await in_database(
        lambda: Approval.objects.select_related("tool_call").get(tool_call__args__name=name)
    )


def answers(request) -> list[str]:
    return [part.content for m in request.messages if m.role == "tool" for part in m.parts]


async def test_the_user_goes_on_talking_and_is_told_the_outcome(user, staff, script, running):
    adapter = script(
        [Call("needs_staff", {"name": "refund"})],
        [Say("It is sunny.")],
        [Say("Your refund has been approved.")],
    )
    first = await settled((await send(user, "Refund me")).run)
    second = await settled((await send(user, "Weather?", thread_id=first.thread_id)).run)
    assert second.status == "complete"
    told = answers(adapter.requests[1])
    assert len(told) == 1
    assert "waits for approval" in told[0]

    await in_database(approve, await approval_of("refund"), staff)
    runs = await all_settled(first.thread_id)
    assert [run.status for run in runs] == ["complete"] * 3
    assert await in_database(Effect.objects.count) == 1
    event = await in_database(Message.objects.get, role="event")
    answer = await in_database(Message.objects.get, parent=event)
    assert event.parent_id == second.message_id
    assert answer.parts == [{"type": "text", "text": "Your refund has been approved."}]
    # What the model was told is never rewritten; the outcome comes after it.
    third = adapter.requests[2]
    assert answers(third) == told
    assert "now complete" in third.messages[-1].parts[0].text


async def test_three_open_approvals_decided_in_any_order_give_three_true_outcomes(
    user, staff, script, running
):
    gate = Gate()
    adapter = script(
        [Call("needs_staff", {"name": name}) for name in ("a", "b", "c")],
        [gate, Say("Hello.")],
        [Say("One.")],
        [Say("Two.")],
        [Say("Three.")],
    )
    first = await settled((await send(user)).run)
    sent = await send(user, "Still there?", thread_id=first.thread_id)
    await gate.reached()
    await in_database(deny, await approval_of("b"), staff, "no b")
    gate.open()
    await settled(sent.run)
    await in_database(approve, await approval_of("c"), staff)
    await all_settled(first.thread_id)
    await in_database(approve, await approval_of("a"), staff)
    runs = await all_settled(first.thread_id)
    assert all(run.status == "complete" for run in runs)
    calls = await in_database(lambda: list(ToolCall.objects.order_by("position")))
    assert [call.status for call in calls] == ["complete", "denied", "complete"]
    events = await in_database(lambda: list(Message.objects.filter(role="event").order_by("seq")))
    assert len(events) == 3
    assert sorted(
        await in_database(lambda: list(Effect.objects.values_list("name", flat=True)))
    ) == [
        "a",
        "c",
    ]
    adapter.assert_finished()


async def test_a_new_message_withdraws_what_the_user_left_unanswered(user, script, running):
    adapter = script(
        [Call("needs_the_user", {"name": "x"}), Call("ask", {"question": "Sure?"})],
        [Say("Fine.")],
    )
    first = await settled((await send(user)).run)
    approval = await approval_of("x")
    second = await settled((await send(user, "Never mind", thread_id=first.thread_id)).run)
    first = await settled(first)
    assert (first.status, first.reason, second.status) == ("incomplete", "cancelled", "complete")
    assert [answer.split(":")[0] for answer in answers(adapter.requests[1])] == ["Not run"] * 2
    with pytest.raises(ApprovalClosed):
        await in_database(approve, approval, user)
    assert await in_database(Effect.objects.count) == 0


async def test_an_edit_replaces_the_open_request_in_the_same_moment(user, staff, script, running):
    script([Call("needs_staff", {"name": "x"})], [Say("Other.")])
    sent = await send(user, "Do x")
    await settled(sent.run)
    approval = await approval_of("x")
    edited = await in_database(
        actions.edit_message, user, sent.message.pk, parts=[{"type": "text", "text": "Do y"}]
    )
    await settled(edited.run)
    approval = await in_database(Approval.objects.get, pk=approval.pk)
    assert approval.status == "superseded"
    with pytest.raises(ApprovalClosed):
        await in_database(approve, approval, staff)
    assert await in_database(Effect.objects.count) == 0
    siblings = await in_database(lambda: list(Message.objects.filter(role="user", parent=None)))
    assert len(siblings) == 2


async def test_a_human_tool_waits_for_the_persons_answer(user, script, running):
    adapter = script([Call("ask", {"question": "Which?"})], [Say("Blue it is.")])
    run = await settled((await send(user)).run)
    assert run.status == "requires_action"
    call = await in_database(ToolCall.objects.get)
    _, accepted = await in_database(
        actions.submit_tool_result, user, call.pk, tab="t1", result="blue"
    )
    assert accepted
    run = await settled(run)
    assert run.status == "complete"
    assert answers(adapter.requests[1]) == ["blue"]
    call, accepted = await in_database(
        actions.submit_tool_result, user, call.pk, tab="t2", result="red"
    )
    assert (call.result, accepted) == ("blue", False)


async def test_steering_stops_the_run_and_goes_on_with_the_new_message(user, script, running):
    gate = Gate()
    adapter = script([Say("Blah"), gate, Say(" blah")], [Say("Yes?")])
    first = await send(user, "Talk")
    await gate.reached()
    await send(user, "Stop, other thing", thread_id=first.thread.pk, on_active="steer")
    runs = await all_settled(first.thread.pk)
    assert [(run.status, run.reason) for run in runs] == [
        ("incomplete", "cancelled"),
        ("complete", "stop"),
    ]
    assert adapter.requests[1].messages[-1].parts[0].text == "Stop, other thing"


async def test_with_reject_a_busy_thread_takes_no_message(user, script, running):
    gate = Gate()
    script([gate, Say("x")])
    first = await send(user)
    await gate.reached()
    with pytest.raises(ThreadBusy):
        await send(user, "Hello?", thread_id=first.thread.pk, on_active="reject")
    gate.open()
    await settled(first.run)
    assert await in_database(Message.objects.filter(role="user").count) == 1


async def test_an_edited_argument_is_what_runs_and_the_model_is_told(user, staff, script, running):
    adapter = script([Call("needs_staff", {"name": "x", "amount": 9})], [Say("Done.")])
    run = await settled((await send(user)).run)
    await in_database(
        approve, await approval_of("x"), staff, args_text='{"name": "x", "amount": 5}'
    )
    await settled(run)
    effect = await in_database(Effect.objects.get)
    assert effect.value == 5
    assert '"amount": 5' in answers(adapter.requests[1])[0]
    call = await in_database(ToolCall.objects.get)
    assert '"amount":9' in call.args_text.replace(" ", "")
