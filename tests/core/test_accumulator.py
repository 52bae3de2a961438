"""Events fold into the same message however they are cut, and at a cost that is linear."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core import events as ev
from agentui.core.accumulator import Accumulator, accumulate
from agentui.core.parts import (
    ApprovalState,
    Message,
    TextPart,
    ToolCallPart,
    message_from_json,
)
from agentui.core.statuses import (
    ANSWERED,
    REQUIRES_TOOL_CALLS,
    RUNNING,
    TOOL_CALL_TRANSITIONS,
    ApprovalStatus,
    Role,
    RunStatus,
    ToolCallStatus,
)

from .generate import STREAMS

EMPTY = Message("m", Role.ASSISTANT)
CALL = ev.PartStart(ToolCallPart("row", "call", "refund_order"))


@given(STREAMS)
def test_reading_meanwhile_changes_nothing(events: list[ev.StreamEvent]) -> None:
    read_often = Accumulator(EMPTY)
    for event in events:
        read_often.apply(event)
        assert read_often.message == read_often.message
    assert read_often.message == accumulate(EMPTY, events)


@given(STREAMS, st.integers(0, 25))
def test_it_can_be_laid_down_and_taken_up(events: list[ev.StreamEvent], at: int) -> None:
    """A worker, a tab and a replay from the journal come to the same message."""
    first = accumulate(EMPTY, events[:at])
    stored = message_from_json(json.loads(json.dumps(first.to_json())))
    assert stored == first
    assert accumulate(stored, events[at:]) == accumulate(EMPTY, events)


@given(STREAMS)
def test_events_survive_json(events: list[ev.StreamEvent]) -> None:
    for event in events:
        assert ev.event_from_json(json.loads(json.dumps(ev.event_to_json(event)))) == event


@given(STREAMS, st.data())
def test_splitting_deltas_changes_nothing(
    events: list[ev.StreamEvent], data: st.DataObject
) -> None:
    split: list[ev.StreamEvent] = []
    for event in events:
        if isinstance(event, ev.TextDelta):
            at = data.draw(st.integers(0, len(event.text_delta)))
            split.append(ev.TextDelta(event.path, event.text_delta[:at]))
            split.append(ev.TextDelta(event.path, event.text_delta[at:]))
        else:
            split.append(event)
    assert accumulate(EMPTY, split) == accumulate(EMPTY, events)


@given(STREAMS)
def test_merging_deltas_changes_nothing(events: list[ev.StreamEvent]) -> None:
    merged: list[ev.StreamEvent] = []
    for event in events:
        last = merged[-1] if merged else None
        if (
            isinstance(event, ev.TextDelta)
            and isinstance(last, ev.TextDelta)
            and last.path == event.path
        ):
            merged[-1] = ev.TextDelta(last.path, last.text_delta + event.text_delta)
        else:
            merged.append(event)
    assert accumulate(EMPTY, merged) == accumulate(EMPTY, events)


@given(STREAMS)
def test_an_answer_is_given_once(events: list[ev.StreamEvent]) -> None:
    """Once a call has its answer nothing but the record of an interruption changes it."""
    accumulator = Accumulator(EMPTY)
    for event in events:
        before = accumulator.message.parts
        accumulator.apply(event)
        for old, new in zip(before, accumulator.message.parts, strict=False):
            if isinstance(event, ev.StepReset) or not isinstance(old, ToolCallPart):
                continue
            assert isinstance(new, ToolCallPart)
            assert new.status == old.status or _is_allowed(old.status, new.status)
            if old.status in (ToolCallStatus.COMPLETE, ToolCallStatus.FAILED):
                assert (new.status, new.result) == (old.status, old.result)


def _is_allowed(old: ToolCallStatus, new: ToolCallStatus) -> bool:
    if old is ToolCallStatus.STREAMING:  # The end of the arguments may go unsaid.
        return new in TOOL_CALL_TRANSITIONS[old] | TOOL_CALL_TRANSITIONS[ToolCallStatus.PENDING]
    return new in TOOL_CALL_TRANSITIONS[old]


@given(STREAMS)
def test_the_message_never_runs_once_the_stream_has_ended(events: list[ev.StreamEvent]) -> None:
    accumulator = Accumulator(EMPTY)
    for event in events:
        accumulator.apply(event)
    accumulator.finish()
    assert accumulator.message.status.type is not RunStatus.RUNNING


def test_a_reset_forgets_the_roundtrip_and_its_error() -> None:
    first = [
        ev.StepStart(),
        ev.PartStart(TextPart("")),
        ev.TextDelta((0,), "One."),
        ev.StepFinish("stop"),
    ]
    second = [ev.StepStart(), ev.PartStart(TextPart("")), ev.TextDelta((1,), "Tw"), CALL]
    kept = accumulate(EMPTY, first)
    again = accumulate(kept, [*second, ev.ErrorEvent("broke off"), ev.StepReset(1)])
    assert again == kept
    assert again.status == RUNNING


def test_arguments_that_are_whole_do_not_grow() -> None:
    message = accumulate(
        EMPTY,
        [
            CALL,
            ev.TextDelta((0,), "{}"),
            ev.ToolCallArgsFinish((0,)),
            ev.TextDelta((0,), '{"a":1}'),
        ],
    )
    assert message.tool_calls[0].args_text == "{}"
    assert message.tool_calls[0].status is ToolCallStatus.PENDING


def test_a_result_cannot_walk_around_an_open_approval() -> None:
    waiting = accumulate(EMPTY, [CALL, ev.ApprovalRequest((0,), ApprovalState("a"))])
    for status in (None, ToolCallStatus.COMPLETE, ToolCallStatus.APPROVED, ToolCallStatus.FAILED):
        assert accumulate(waiting, [ev.ToolCallResult((0,), "forged", status=status)]) == waiting


def test_the_first_decision_stands() -> None:
    denied = ApprovalState("a", ApprovalStatus.DENIED, reason="no")
    approved = ApprovalState("a", ApprovalStatus.APPROVED)
    message = accumulate(
        EMPTY,
        [
            CALL,
            ev.ApprovalRequest((0,), ApprovalState("a")),
            ev.ApprovalDecision((0,), denied),
            ev.ToolCallResult((0,), "Denied.", is_error=True, status=ToolCallStatus.DENIED),
            ev.ApprovalDecision((0,), approved),
            ev.ToolCallResult((0,), "again", is_error=True, status=ToolCallStatus.DENIED),
        ],
    )
    call = message.tool_calls[0]
    assert (call.status, call.result, call.approval) == (ToolCallStatus.DENIED, "Denied.", denied)


def test_staff_may_record_what_an_interrupted_call_did() -> None:
    lost = ev.ToolCallResult((0,), "?", is_error=True, status=ToolCallStatus.INTERRUPTED)
    executing = Message(
        "m", Role.ASSISTANT, (ToolCallPart("row", "c", "f", status=ToolCallStatus.EXECUTING),)
    )
    message = accumulate(executing, [lost, ev.ToolCallResult((0,), "it was done")])
    assert message.tool_calls[0].result == "it was done"
    assert not message.tool_calls[0].is_error


def test_a_new_roundtrip_sets_a_waiting_message_running() -> None:
    waiting = Message("m", Role.ASSISTANT, status=REQUIRES_TOOL_CALLS)
    assert accumulate(waiting, [ev.StepStart()]).status == RUNNING


def test_the_metadata_a_provider_wants_back_is_kept_on_its_part() -> None:
    message = accumulate(
        EMPTY,
        [
            ev.PartStart(TextPart("")),
            ev.PartFinish((0,), provider_metadata={"signature": "S"}),
            ev.PartFinish((0,)),
        ],
    )
    part = message.parts[0]
    assert isinstance(part, TextPart)
    assert part.provider_metadata == {"signature": "S"}


# The cost


class Counted(str):
    """A text that counts every character copied when it is joined to another one by one."""

    copied = 0

    def __radd__(self, other: str) -> Counted:
        Counted.copied += len(other) + len(self)
        return Counted(str(other) + str(self))

    def __add__(self, other: str) -> Counted:
        Counted.copied += len(other) + len(self)
        return Counted(str(self) + str(other))


def work(act: Callable[[], Any]) -> int:
    """Calls made and characters copied by ``act``: the same on every machine."""
    calls = 0

    def count(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    Counted.copied = 0
    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return calls + Counted.copied


@pytest.mark.parametrize("opened", [ev.PartStart(TextPart("")), CALL])
def test_the_work_is_linear(opened: ev.PartStart) -> None:
    def stream(length: int) -> Callable[[], Message]:
        deltas = [ev.TextDelta((0,), Counted("x")) for _ in range(length)]
        return lambda: accumulate(EMPTY, [opened, *deltas])

    once, twice = work(stream(5_000)), work(stream(10_000))
    assert twice < 2.1 * once


def test_every_answered_status_is_a_possible_end() -> None:
    reachable = {after for allowed in TOOL_CALL_TRANSITIONS.values() for after in allowed}
    assert reachable >= ANSWERED
