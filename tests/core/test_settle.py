"""However a message ends, no call in it is left without an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core import events as ev
from agentui.core import texts
from agentui.core.accumulator import Accumulator, accumulate
from agentui.core.history import build_history
from agentui.core.next_step import RunState, next_step
from agentui.core.parts import ApprovalState, Message, Metadata, Step, TextPart, ToolCallPart
from agentui.core.settle import close_call, interrupt_call, settle_cut, settle_roundtrip
from agentui.core.statuses import (
    COMPLETE,
    REQUIRES_TOOL_CALLS,
    ApprovalStatus,
    IllegalTransition,
    Reason,
    Role,
    RunStatus,
    Status,
    ToolCallStatus,
)

from .generate import STREAMS

EMPTY = Message("m", Role.ASSISTANT)
CUT = ["length", "content_filter", "error", "other"]


def stream(*events: ev.StreamEvent, finish: ev.FinishReason | None) -> Message:
    ending = [ev.MessageFinish(finish)] if finish else []
    accumulator = Accumulator(EMPTY)
    for event in [ev.StepStart(), *events, *ending]:
        accumulator.apply(event)
    accumulator.finish()
    return settle_roundtrip(accumulator.message)


def written(text: str = "{}", *, whole: bool = True) -> list[ev.StreamEvent]:
    call = ToolCallPart("row", "call", "write_file")
    events: list[ev.StreamEvent] = [ev.PartStart(call), ev.TextDelta((0,), text)]
    return [*events, ev.ToolCallArgsFinish((0,))] if whole else events


@given(STREAMS, st.booleans())
def test_any_stream_settles_and_stays_settled(events: list[ev.StreamEvent], ended: bool) -> None:
    accumulator = Accumulator(EMPTY)
    for event in events:
        accumulator.apply(event)
    if ended:
        accumulator.finish()
    message = settle_roundtrip(accumulator.message)
    assert settle_roundtrip(message) == message
    assert all(call.status is not ToolCallStatus.STREAMING for call in message.tool_calls)
    next_step(RunState(message, 1, 8))
    if message.status.is_finished:
        assert all(call.has_result for call in message.tool_calls)


@given(STREAMS, st.sampled_from([Reason.CANCELLED, Reason.ERROR, Reason.INTERRUPTED]))
def test_a_cut_answers_every_call(events: list[ev.StreamEvent], reason: Reason) -> None:
    message = settle_cut(accumulate(EMPTY, events), reason)
    assert message.status.is_finished
    for call in message.tool_calls:
        assert call.has_result
        if call.approval and call.status is ToolCallStatus.CANCELLED:
            assert call.approval.status is not ApprovalStatus.PENDING
    assert settle_cut(message, Reason.CANCELLED) == message


@pytest.mark.parametrize("finish", ["stop", "tool_calls", "unknown", None])
def test_the_calls_decide_not_the_label(finish: ev.FinishReason | None) -> None:
    message = stream(*written(), finish=finish)
    assert message.status == REQUIRES_TOOL_CALLS
    assert message.tool_calls[0].status is ToolCallStatus.PENDING


def test_the_end_of_a_stream_is_the_end_of_the_arguments() -> None:
    message = stream(*written(whole=False), finish="stop")
    assert message.tool_calls[0].status is ToolCallStatus.PENDING


@pytest.mark.parametrize("finish", CUT)
@pytest.mark.parametrize("whole", [True, False])
def test_a_cut_roundtrip_runs_nothing_however_whole_it_looks(
    finish: ev.FinishReason, whole: bool
) -> None:
    message = stream(*written('{"path":"a.txt","con', whole=whole), finish=finish)
    assert message.status == Status(RunStatus.INCOMPLETE, Reason(finish))
    (call,) = message.tool_calls
    assert call.status is ToolCallStatus.CANCELLED
    assert call.is_error
    assert call.result == texts.not_run(Reason(finish))
    assert "Nothing was done" in call.result
    build_history([message], model=None)


def test_the_label_tool_calls_without_a_call_is_an_answer() -> None:
    events = [ev.PartStart(TextPart("")), ev.TextDelta((0,), "Hi")]
    assert stream(*events, finish="tool_calls").status == COMPLETE


def test_calls_that_the_provider_answered_itself_go_on() -> None:
    message = stream(*written(), ev.ToolCallResult((0,), "found"), finish="tool_calls")
    assert message.status == REQUIRES_TOOL_CALLS
    stopped = stream(*written(), ev.ToolCallResult((0,), "found"), finish="stop")
    assert stopped.status == COMPLETE


def test_calls_of_an_earlier_roundtrip_do_not_count() -> None:
    done = ToolCallPart("r", "c", "f", status=ToolCallStatus.COMPLETE, result=1)
    message = Message(
        "m",
        Role.ASSISTANT,
        (done, TextPart("Bye")),
        REQUIRES_TOOL_CALLS,
        Metadata(steps=(Step(0, "finished"), Step(1, "finished"))),
    )
    assert settle_roundtrip(message).status == COMPLETE


def test_an_error_without_words_gets_some() -> None:
    message = stream(finish="error")
    assert message.status == Status(RunStatus.INCOMPLETE, Reason.ERROR)
    assert message.error
    assert message.error["code"] == "model_error"


def test_stop_tells_apart_what_began_and_what_did_not() -> None:
    calls = tuple(
        ToolCallPart(status.value, status.value, "f", status=status)
        for status in (
            ToolCallStatus.EXECUTING,
            ToolCallStatus.PENDING,
            ToolCallStatus.APPROVED,
            ToolCallStatus.STREAMING,
        )
    )
    done = ToolCallPart("done", "done", "f", status=ToolCallStatus.COMPLETE, result="10:00")
    stopped = settle_cut(Message("m", Role.ASSISTANT, (*calls, done)), Reason.CANCELLED)
    statuses = [call.status.value for call in stopped.tool_calls]
    assert statuses == ["interrupted", "cancelled", "cancelled", "cancelled", "complete"]
    assert stopped.tool_calls[0].result == texts.INTERRUPTED
    assert stopped.tool_calls[-1] == done
    assert stopped.status == Status(RunStatus.INCOMPLETE, Reason.CANCELLED)


def test_a_call_closes_with_the_words_it_is_given_and_its_approval_is_withdrawn() -> None:
    waiting = ToolCallPart(
        "r", "c", "f", status=ToolCallStatus.AWAITING_APPROVAL, approval=ApprovalState("a")
    )
    closed = close_call(waiting, texts.CANCELLED_BY_MESSAGE)
    assert closed.result == texts.CANCELLED_BY_MESSAGE
    assert closed.approval
    assert closed.approval.status is ApprovalStatus.CANCELLED
    assert close_call(closed, "again") == closed


def test_only_what_runs_can_be_interrupted() -> None:
    pending = ToolCallPart("r", "c", "f", status=ToolCallStatus.PENDING)
    with pytest.raises(IllegalTransition):
        interrupt_call(pending)
    lost = interrupt_call(replace(pending, status=ToolCallStatus.EXECUTING))
    assert lost.status is ToolCallStatus.INTERRUPTED
