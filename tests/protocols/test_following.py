"""Following a run: the same message for everybody, whenever they come."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from agentui import actions
from agentui.core.accumulator import accumulate
from agentui.core.events import (
    ApprovalDecision,
    ApprovalRequest,
    PartFinish,
    PartStart,
    StepFinish,
    StepReset,
    StepStart,
    TextDelta,
    ToolCallArgsFinish,
    ToolCallResult,
    UpdateState,
)
from agentui.core.parts import Message, ToolCallPart
from agentui.core.statuses import Role, ToolCallStatus
from agentui.exceptions import NotFound
from agentui.protocols.following import (
    CallStarted,
    Ended,
    Heartbeat,
    Item,
    Started,
    StateChanged,
    follow_run,
    seen_now,
)
from agentui.runtime.database import in_database
from agentui.testing import Call, Event, Fail, Gate, Say, Think, deny, settled
from tests.story import send

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = " ".join(f"word{n}" for n in range(200))
OURS = (CallStarted, Ended, Heartbeat, Started, StateChanged)


async def followed(run: Any, user: Any, **options: Any) -> list[Item]:
    async with asyncio.timeout(20):
        return [item async for item in follow_run(run, user, **options)]


def check_order(items: list[Item]) -> None:
    """The promises of the module's docstring."""
    assert isinstance(items[0], Started)
    assert isinstance(items[-1], Ended)
    parts: list[bool] = []
    is_step_open = False
    answered: set[int] = set()
    for item in items[1:-1]:
        match item:
            case PartStart():
                assert is_step_open
                parts.append(True)
            case TextDelta(path=(index,), text_delta=text):
                assert text
                assert parts[index]
            case ToolCallArgsFinish(path=(index,)):
                assert parts[index]
            case PartFinish(path=(index,)):
                assert parts[index]
                parts[index] = False
            case StepStart():
                assert not is_step_open
                assert not any(parts)
                is_step_open = True
            case StepFinish():
                assert is_step_open
                assert not any(parts)
                is_step_open = False
            case StepReset(start=start):
                assert not any(parts)
                del parts[start:]
                is_step_open = False
            case ToolCallResult(path=(index,)):
                assert index not in answered
                answered.add(index)
    assert not any(parts)
    assert not is_step_open


def folded(items: list[Item]) -> list[dict[str, Any]]:
    events = [item for item in items if not isinstance(item, OURS)]
    message = accumulate(Message("m", Role.ASSISTANT), events)  # type: ignore[arg-type]
    return [
        {key: value for key, value in part.to_json().items() if key not in ("approval", "kind")}
        for part in message.parts
    ]


async def stored(run: Any) -> list[dict[str, Any]]:
    def read() -> list[dict[str, Any]]:
        run.refresh_from_db()
        calls = {str(call.pk): call for call in run.tool_calls.all()}
        found = []
        for part in run.message.parts:
            if part["type"] == "tool_call":
                call = calls[part["id"]]
                part = ToolCallPart(
                    part["id"],
                    call.tool_call_id,
                    call.tool_name,
                    args_text=call.args_text,
                    status=ToolCallStatus(call.status),
                    result=call.result,
                    is_error=call.is_error,
                    artifact=call.artifact,
                ).to_json()
            found.append(part)
        return found

    return await in_database(read)


async def test_who_comes_at_once_and_who_comes_late_get_the_same(user, script, running):
    gate = Gate()
    script(
        [Think("hm"), Say(WORDS), Call("add", {"a": 1, "b": 2}), Call("echo", {"value": [1]})],
        [Say("So "), gate, Say("it is 3.")],
        delay=0.0005,
    )
    sent = await send(user)
    first = asyncio.create_task(followed(sent.run, user))
    await gate.reached()
    second = asyncio.create_task(followed(sent.run, user))
    await asyncio.sleep(0.1)
    gate.open()
    early, middle = await first, await second
    late = await followed(sent.run, user)
    want = await stored(sent.run)
    for items in (early, middle, late):
        check_order(items)
        assert folded(items) == want
    assert [part["type"] for part in want] == [
        "reasoning", "text", "tool_call", "tool_call", "text", "text"
    ]  # fmt: skip
    assert len(late) < len(early)
    ended = late[-1]
    assert isinstance(ended, Ended)
    assert ended.status.type == "complete"
    assert [call["status"] for call in ended.calls] == ["complete", "complete"]


async def test_an_approval_ends_the_following_and_a_cursor_goes_on_after_it(
    user, staff, script, running
):
    script([Say("May I?"), Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    sent = await send(user)
    items = await followed(sent.run, user)
    check_order(items)
    asked = [item for item in items if isinstance(item, ApprovalRequest)]
    ended = items[-1]
    assert isinstance(ended, Ended)
    assert ended.status.type == "requires_action"
    assert [approval["id"] for approval in ended.approvals] == [asked[0].approval.id]
    assert ended.open_calls == ()

    seen = await in_database(seen_now, sent.run.pk)
    await in_database(
        actions.decide_approval, user, asked[0].approval.id, verdict="approve", door="test"
    )
    more = await followed(sent.run, user, cursor=seen)
    assert not [item for item in more if isinstance(item, ApprovalRequest)]
    assert [item.path for item in more if isinstance(item, ApprovalDecision)] == [(1,)]
    assert [item.path for item in more if isinstance(item, ToolCallResult)] == [(1,)]
    assert [item.part.type for item in more if isinstance(item, PartStart)] == ["text"]
    whole = await followed(sent.run, user)
    check_order(whole)
    assert folded(whole) == await stored(sent.run)


async def test_following_on_while_it_waits(user, staff, script, running):
    script([Call("needs_staff", {"name": "x"})], [Say("No, then.")])
    sent = await send(user)
    ends = []
    heartbeats = 0
    async with (
        asyncio.timeout(10),
        aclosing(follow_run(sent.run, user, follow=True, heartbeat=0.05)) as items,
    ):
        async for item in items:
            if isinstance(item, Heartbeat):
                heartbeats += 1
            if isinstance(item, Ended):
                ends.append(item.status.type)
                if ends == ["requires_action"]:
                    await asyncio.sleep(0.2)
                    call = await in_database(lambda: sent.run.tool_calls.get())
                    await in_database(deny, call, staff, "too much")
    assert ends == ["requires_action", "complete"]
    assert heartbeats < 40


async def test_silence_makes_heartbeats(user, script, running):
    gate = Gate()
    script([Say("a"), gate])
    sent = await send(user)
    seen = 0
    async with asyncio.timeout(10), aclosing(follow_run(sent.run, user, heartbeat=0.03)) as items:
        async for item in items:
            if isinstance(item, Heartbeat):
                seen += 1
                if seen == 3:
                    gate.open()
            if isinstance(item, Ended):
                break
    assert seen >= 3


async def test_a_frontend_call_is_open_at_the_end(user, script, running):
    script([Call("ask", {"question": "?"})], [Say("I see.")])
    sent = await send(user)
    items = await followed(sent.run, user)
    ended = items[-1]
    assert isinstance(ended, Ended)
    assert [call["tool_name"] for call in ended.open_calls] == ["ask"]
    assert ended.approvals == ()


async def test_a_stream_that_breaks_leaves_nothing_open(user, script, running):
    script([Say("Half"), Call("add", '{"a": 1', is_whole=False), Fail("gone", code="down")])
    sent = await send(user)
    await settled(sent.run)
    items = await followed(sent.run, user)
    check_order(items)
    ended = items[-1]
    assert isinstance(ended, Ended)
    assert ended.error == {"code": "down", "message": "gone"}
    assert [item.status for item in items if isinstance(item, ToolCallResult)] == ["cancelled"]


async def test_a_stop_while_it_streams(user, script, running):
    gate = Gate()
    script([Say(WORDS), gate, Say("never")])
    sent = await send(user)
    task = asyncio.create_task(followed(sent.run, user))
    await gate.reached()
    await in_database(actions.cancel_run, user, sent.run.pk)
    items = await task
    check_order(items)
    assert items[-1].status.reason == "cancelled"  # type: ignore[union-attr]


async def test_a_retry_voids_what_was_told(user, script, running):
    script([Fail("busy", retryable=True)], [Say("Now.")])
    sent = await send(user)
    items = await followed(sent.run, user)
    check_order(items)
    assert folded(items) == await stored(sent.run)


async def test_others_runs_do_not_exist(user, other_user, script, running):
    script([Say("secret")])
    sent = await send(user)
    with pytest.raises(NotFound):
        await followed(sent.run, other_user)
    await settled(sent.run)


async def test_closing_the_following_leaves_the_run_alone(user, script, running):
    gate = Gate()
    script([Say("a"), gate, Say("b")])
    sent = await send(user)
    async with aclosing(follow_run(sent.run, user)) as items:
        async for item in items:
            if isinstance(item, TextDelta):
                break
    gate.open()
    assert (await settled(sent.run)).status == "complete"


@pytest.mark.parametrize("seed", range(3))
async def test_nothing_is_lost_when_the_layer_drops_and_reorders(
    user, script, running, settings, seed
):
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "agentui.testing.chaos.ChaosChannelLayer",
            "CONFIG": {"drop": 0.3, "double": 0.1, "delay": 0.05, "seed": seed},
        }
    }
    settings.AGENTUI = {**settings.AGENTUI, "FEED_POLL_INTERVAL": 0.2, "COALESCE_INTERVAL": 0.002}
    script(
        [Say(WORDS), Call("add", {"a": 1, "b": 2}), Call("echo", {"value": "x"})],
        [Say(WORDS[::-1]), Call("add", {"a": 1, "b": 2})],
        [Say("end")],
        delay=0.0005,
    )
    sent = await send(user)
    items = await followed(sent.run, user)
    check_order(items)
    assert folded(items) == await stored(sent.run)
    assert not [item for item in items if isinstance(item, StepReset)]


def updated(*operations: dict[str, Any]) -> Event:
    return Event(UpdateState(operations))


def put(*path: str, value: Any) -> dict[str, Any]:
    return {"type": "set", "path": list(path), "value": value}


def appended(*path: str, value: str) -> dict[str, Any]:
    return {"type": "append-text", "path": list(path), "value": value}


async def test_state_that_an_answer_streams_is_told_at_once_and_once(user, script, running):
    gate = Gate()
    script(
        [updated(put("plan", value="a")), updated(appended("plan", value="b")), gate, Say("x")],
    )
    thread = await in_database(actions.create_thread, user, agent="tester", state={"mine": 1})
    sent = await send(user, thread_id=thread.pk)
    told: list[Any] = []
    async with aclosing(follow_run(sent.run, user)) as items, asyncio.timeout(20):
        async for item in items:
            if isinstance(item, Started):
                assert item.thread["state"] == {"mine": 1}
            if isinstance(item, StateChanged):
                told.append((item.state, item.operations))
                if len(told) == 2:
                    # It is here before the answer is over, and so before it is stored.
                    gate.open()
    assert told == [
        ({"mine": 1, "plan": "a"}, (put("plan", value="a"),)),
        ({"mine": 1, "plan": "ab"}, (appended("plan", value="b"),)),
    ]
    late = await followed(sent.run, user)
    assert [item for item in late if isinstance(item, StateChanged)] == []
    assert late[0].thread["state"] == {"mine": 1, "plan": "ab"}  # type: ignore[union-attr]


async def test_what_another_page_sets_meanwhile_is_kept_and_both_are_told(user, script, running):
    gate = Gate()
    script([updated(put("plan", value="a")), Say("x"), gate, Say("y")])
    sent = await send(user)
    states: list[Any] = []
    async with aclosing(follow_run(sent.run, user)) as items, asyncio.timeout(20):
        async for item in items:
            if isinstance(item, StateChanged):
                states.append(item.state)
                if len(states) == 1:
                    await in_database(
                        actions.set_state, user, sent.thread.pk, [put("mine", value=1)]
                    )
                else:
                    gate.open()
    assert states[0] == {"plan": "a"}
    assert states[-1] == {"mine": 1, "plan": "a"}


async def test_operations_that_do_not_fit_are_not_passed_on(user, script, running):
    script([updated(put("plan", "x", value=1), put("ok", value=2)), Say("x")])
    thread = await in_database(actions.create_thread, user, agent="tester", state={"plan": "text"})
    items = await followed((await send(user, thread_id=thread.pk)).run, user)
    [changed] = [item for item in items if isinstance(item, StateChanged)]
    assert (changed.state, changed.operations) == ({"plan": "text", "ok": 2}, ())


async def test_state_that_is_not_kept_is_taken_back(user, script, running, settings):
    settings.AGENTUI = {**settings.AGENTUI, "MAX_STATE_BYTES": 50}
    gate = Gate()
    script([updated(put("plan", value="x" * 100)), gate, Say("x")])
    thread = await in_database(actions.create_thread, user, agent="tester", state={"mine": 1})
    sent = await send(user, thread_id=thread.pk)
    states = []
    async with aclosing(follow_run(sent.run, user)) as items, asyncio.timeout(20):
        async for item in items:
            if isinstance(item, StateChanged):
                states.append(item.state)
                gate.open()
    assert states == [{"mine": 1, "plan": "x" * 100}, {"mine": 1}]
