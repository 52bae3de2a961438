"""Approvals as interrupts: the eight rules of the contract, and what else can come between."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agentui import ApprovalPolicy, actions
from agentui.models import Approval, Decision, Thread, ToolCall
from agentui.runtime.database import in_database
from agentui.testing import Call, Gate, Say, approve, settled
from tests.agents import tester
from tests.models import Effect

from .client import Client, Refused, types
from .test_runs import the_same_after_a_reload

pytestmark = pytest.mark.django_db(transaction=True)


def yes(interrupt: dict[str, Any], **payload: Any) -> dict[str, Any]:
    return {
        "interruptId": interrupt["id"],
        "status": "resolved",
        "payload": {"approved": True, **payload},
    }


def no(interrupt: dict[str, Any], **payload: Any) -> dict[str, Any]:
    return {
        "interruptId": interrupt["id"],
        "status": "resolved",
        "payload": {"approved": False, **payload},
    }


def cancelled(interrupt: dict[str, Any]) -> dict[str, Any]:
    return {"interruptId": interrupt["id"], "status": "cancelled"}


def answers(page: Client) -> list[str]:
    return [m["content"] for m in page.messages if m["role"] == "tool"]


async def effects() -> list[str]:
    return await in_database(lambda: [effect.name for effect in Effect.objects.order_by("pk")])


def with_policy(monkeypatch: pytest.MonkeyPatch, policy: ApprovalPolicy) -> None:
    tool = tester.tool("needs_the_user")
    assert tool is not None
    monkeypatch.setitem(tester._tools, tool.name, replace(tool, approval=policy))


async def test_approved(page, open_page, script, running):
    script([Say("May I?"), Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    events = await page.run("go")
    [interrupt] = page.interrupts
    assert interrupt["reason"] == "agentui:approval"
    assert interrupt["toolCallId"] == page.messages[1]["toolCalls"][0]["id"]
    assert interrupt["metadata"]["agentui"]["arguments"] == '{"name": "x"}'
    assert interrupt["responseSchema"]["required"] == ["approved"]
    assert "TOOL_CALL_RESULT" not in types(events)
    assert await effects() == []
    events = await page.run(resume=[yes(interrupt)])
    assert "TOOL_CALL_START" not in types(events)
    assert [e["toolCallId"] for e in events if e["type"] == "TOOL_CALL_RESULT"] == [
        interrupt["toolCallId"]
    ]
    assert page.interrupts == []
    assert answers(page) == ["did x"]
    assert page.texts == ["May I?", "Done."]
    assert await effects() == ["x"]
    decision = await in_database(Decision.objects.get)
    assert (decision.door, decision.verdict) == ("ag-ui", "approve")
    await the_same_after_a_reload(page, open_page)


async def test_denied_with_a_reason_that_reaches_the_model(page, script, running):
    adapter = script([Call("needs_the_user", {"name": "x"})], [Say("All right.")])
    await page.run("go")
    await page.run(resume=[no(page.interrupts[0], reason="not on a Friday")])
    assert "not on a Friday" in answers(page)[0]
    assert "not on a Friday" in str(adapter.requests[1].messages[-1])
    assert await effects() == []


async def test_cancelled_is_a_no(page, script, running):
    script([Call("needs_the_user", {"name": "x"})], [Say("All right.")])
    await page.run("go")
    await page.run(resume=[cancelled(page.interrupts[0])])
    assert page.texts == ["All right."]
    assert await effects() == []


async def test_one_that_is_not_covered_is_asked_again(page, script, running):
    script(
        [Call("needs_the_user", {"name": "x"}), Call("needs_the_user", {"name": "y"})],
        [Say("Both.")],
    )
    await page.run("go")
    first, second = page.interrupts
    events = await page.run(resume=[yes(second)])
    assert [entry["id"] for entry in page.interrupts] == [first["id"]]
    assert types(events).count("RUN_FINISHED") == 1
    assert await effects() in ([], ["y"])
    # Nothing at all covered, and a new message on top: it is not given up, and asked again.
    page.say("and something else")
    await page.run()
    assert [entry["id"] for entry in page.interrupts] == [first["id"]]
    await page.run(resume=[yes(first)])
    assert sorted(await effects()) == ["x", "y"]
    assert page.interrupts == []


async def test_a_message_that_came_with_an_open_question_is_taken_once_it_is_answered(
    page, open_page, script, running
):
    script([Call("needs_the_user", {"name": "x"})], [Say("Done.")], [Say("And that.")])
    await page.run("go")
    [interrupt] = page.interrupts
    await page.run("something else")
    assert page.interrupts == [interrupt]
    assert [m["content"] for m in page.messages if m["role"] == "user"] == ["go"]
    page.say("something else")
    await page.run(resume=[yes(interrupt)])
    assert page.texts == ["Done.", "And that."]
    assert page.messages[-2]["content"] == "something else"
    await the_same_after_a_reload(page, open_page)


async def test_edited_arguments(page, user, script, running, monkeypatch):
    with_policy(monkeypatch, ApprovalPolicy.user(editable=("name",)))
    script([Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    await page.run("go")
    [interrupt] = page.interrupts
    assert "editedArgs" in interrupt["responseSchema"]["properties"]
    with pytest.raises(Refused) as refused:
        await page.run(resume=[yes(interrupt, editedArgs=["y"])])
    assert refused.value.status == 400
    with pytest.raises(Refused):
        await page.run(resume=[yes(interrupt, editedArgs={"name": "y", "amount": 9})])
    await page.run(resume=[yes(interrupt, editedArgs={"name": "y"})])
    assert await effects() == ["y"]


async def test_arguments_that_may_not_be_changed(page, script, running):
    script([Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    await page.run("go")
    with pytest.raises(Refused):
        await page.run(resume=[yes(page.interrupts[0], editedArgs={"name": "y"})])
    await page.run(resume=[yes(page.interrupts[0])])
    assert await effects() == ["x"]


async def test_an_answer_that_says_nothing_is_refused(page, script, running):
    script([Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    await page.run("go")
    for payload in ({"approved": "yes"}, {}, None, "approve", [True]):
        entry = {**yes(page.interrupts[0]), "payload": payload}
        with pytest.raises(Refused) as refused:
            await page.run(resume=[entry])
        assert refused.value.status == 400
    await page.run(resume=[{**yes(page.interrupts[0]), "payload": True}])
    assert await effects() == ["x"]


async def expire(approval_id: str) -> None:
    await in_database(
        Approval.objects.filter(pk=approval_id).update,
        expires_at=timezone.now() - timedelta(minutes=1),
    )


async def test_expired_can_only_be_cancelled(page, script, running):
    script([Call("needs_the_user", {"name": "x"})], [Say("Too late.")])
    await page.run("go")
    [interrupt] = page.interrupts
    await expire(interrupt["id"])
    if page.is_modern:
        with pytest.raises(Refused) as refused:
            await page.run(resume=[yes(interrupt)])
        assert (refused.value.status, refused.value.code) == (409, "approval_expired")
        await page.run(resume=[cancelled(interrupt)])
    else:
        # This client cannot cancel after a deadline it was never told: the call has expired.
        await page.run(resume=[yes(interrupt)])
    assert page.interrupts == []
    assert page.texts == ["Too late."]
    assert "expired" in answers(page)[0] or "time" in answers(page)[0]
    assert await effects() == []


async def test_the_deadline_is_told_to_those_who_can_keep_it(page, script, running, monkeypatch):
    with_policy(monkeypatch, ApprovalPolicy.user(expires_after=timedelta(hours=1)))
    script([Call("needs_the_user", {"name": "x"})])
    await page.run("go")
    assert ("expiresAt" in page.interrupts[0]) is page.is_modern


async def test_decided_elsewhere_while_the_client_waits(page, open_page, user, script, running):
    script([Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    await page.run("go")
    [interrupt] = page.interrupts
    call = await in_database(ToolCall.objects.select_related("approval", "run").get)
    await in_database(approve, call, user)
    await settled(call.run)
    # It answers what has been answered: it is told how it stands.
    events = await page.run(resume=[no(interrupt)])
    assert types(events).count("TOOL_CALL_RESULT") == 1
    assert page.texts == ["Done."]
    assert await effects() == ["x"]
    assert len(answers(page)) == 1
    await the_same_after_a_reload(page, open_page)


async def test_a_reload_brings_the_question_back(page, open_page, script, running):
    script([Say("May I?"), Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    await page.run("go")
    again = open_page(thread=page.thread)
    [event async for event in again.events("/connect")]
    assert again.interrupts == page.interrupts
    await again.run(resume=[yes(again.interrupts[0])])
    assert again.texts == ["May I?", "Done."]
    await the_same_after_a_reload(again, open_page)


async def test_what_others_decide_is_no_interrupt(page, open_page, staff, script, running):
    script([Call("needs_staff", {"name": "x"})], [Say("Anything else?")], [Say("It is done.")])
    await page.run("go")
    assert page.interrupts == []
    [card] = [m for m in page.messages if m["role"] == "activity"]
    assert card["content"]["status"] == "pending"
    # The thread stays usable, and nobody can decide it here.
    call = await in_database(ToolCall.objects.select_related("approval").get)
    await page.run("hello?", resume=[yes({"id": str(call.approval.pk)})])
    assert page.texts == ["Anything else?"]
    assert await effects() == []
    await in_database(approve, call, staff)
    thread = await in_database(Thread.objects.get)
    async with asyncio.timeout(5):
        while (run := await in_database(thread.active_run)) is None:
            await asyncio.sleep(0.02)
        await settled(run)
    again = open_page(thread=page.thread)
    [event async for event in again.events("/connect")]
    assert again.texts[-1] == "It is done."
    cards = [m["content"] for m in again.messages if m["role"] == "activity"]
    assert [card.get("status") for card in cards if "status" in card] == ["approved"]
    assert await effects() == ["x"]


async def test_a_page_that_follows_sees_the_decision_of_others(page, staff, script, running):
    script([Call("needs_staff", {"name": "x"})], [Say("It is done.")])
    task = asyncio.create_task(page.run("go", forwardedProps={"agentui": {"follow": True}}))
    async with asyncio.timeout(10):
        while not (cards := [m for m in page.messages if m["role"] == "activity"]):
            await asyncio.sleep(0.02)
        assert cards[0]["content"]["status"] == "pending"
        call = await in_database(ToolCall.objects.select_related("approval").get)
        await in_database(approve, call, staff)
        events = await task
    assert page.texts == ["It is done."]
    assert types(events).count("RUN_FINISHED") == 1
    [card] = [m for m in page.messages if m["role"] == "activity"]
    assert card["content"]["status"] == "approved"


async def test_a_resume_of_what_is_unknown_goes_on(page, script, running):
    script([Say("one")], [Say("two")])
    await page.run("go")
    await page.run("more", resume=[yes({"id": "nonsense"})])
    assert page.texts == ["one", "two"]


async def test_two_answers_at_once_are_one(page, open_page, script, running):
    gate = Gate()
    script([Call("needs_the_user", {"name": "x"})], [gate, Say("Done.")])
    await page.run("go")
    [interrupt] = page.interrupts
    other = open_page(thread=page.thread)
    [event async for event in other.events("/connect")]
    tasks = [asyncio.create_task(p.run(resume=[yes(interrupt)])) for p in (page, other)]
    await gate.reached()
    gate.open()
    await asyncio.gather(*tasks)
    assert await effects() == ["x"]
    assert page.texts == other.texts == ["Done."]
    assert len(answers(page)) == len(answers(other)) == 1


async def test_a_tool_that_vanished_meanwhile_fails_closed(page, script, running, monkeypatch):
    script([Call("needs_the_user", {"name": "x"})], [Say("I cannot.")])
    await page.run("go")
    monkeypatch.setattr(tester, "_tools", {})
    await page.run(resume=[yes(page.interrupts[0])])
    assert page.texts == ["I cannot."]
    assert await effects() == []


async def test_a_stop_while_it_waits(page, user, script, running):
    script([Call("needs_the_user", {"name": "x"})], [Say("Next.")])
    await page.run("go")
    call = await in_database(ToolCall.objects.get)
    await in_database(actions.cancel_run, user, call.run_id)
    await page.run("go on", resume=[yes(page.interrupts[0])])
    assert await effects() == []
    assert page.texts == ["Next."]


async def test_a_client_may_ask_for_the_reason_it_has_buttons_for(page, open_page, script, running):
    script([Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    page.url += "?approvals=tool_call"
    await page.run("go")
    [asked] = page.interrupts
    assert asked["reason"] == "tool_call"
    assert page.call(asked["toolCallId"])["function"]["name"] == "needs_the_user"
    # A page that has just been opened sees the call in its own stream, where its buttons belong.
    fresh = open_page(thread=page.thread)
    fresh.url += "?approvals=tool_call"
    events = await fresh.run()
    assert "TOOL_CALL_START" in types(events)
    assert fresh.interrupts == page.interrupts
    await fresh.run(resume=[yes(asked)])
    assert fresh.texts == ["Done."]
