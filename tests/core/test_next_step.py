"""The loop never asks the model too early, never runs a call that waits, and comes to an end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core.next_step import (
    AwaitApproval,
    AwaitResult,
    ExecuteTools,
    Finish,
    Roundtrip,
    RunState,
    Unsettled,
    next_step,
)
from agentui.core.parts import ApprovalState, Message, Part, ToolCallPart
from agentui.core.should_continue import is_undecided
from agentui.core.statuses import (
    COMPLETE,
    QUEUED,
    REQUIRES_TOOL_CALLS,
    RUNNING,
    ApprovalStatus,
    Reason,
    Role,
    RunStatus,
    Status,
    ToolCallStatus,
    ToolKind,
)

from .generate import tool_calls

STATUSES = st.sampled_from([QUEUED, RUNNING, REQUIRES_TOOL_CALLS, COMPLETE])


@st.composite
def states(draw: st.DrawFn) -> RunState:
    calls = tuple(
        replace(draw(tool_calls(number)), id=f"row-{number}")
        for number in range(draw(st.integers(0, 4)))
    )
    message = Message("m", Role.ASSISTANT, calls, draw(STATUSES))
    return RunState(
        message,
        roundtrips=draw(st.integers(0, 9)),
        max_roundtrips=draw(st.integers(0, 8)),
        cancel_requested=draw(st.booleans()),
        detached=draw(st.booleans()),
        without_follow_up=draw(st.sampled_from([frozenset(), frozenset({"f"})])),
    )


def by_id(state: RunState) -> dict[str, ToolCallPart]:
    return {call.id: call for call in state.message.tool_calls}


@given(states())
def test_no_call_runs_that_waits_or_is_somebody_elses(state: RunState) -> None:
    step = next_step(state)
    if isinstance(step, ExecuteTools):
        assert step.calls
        for id in step.calls:
            call = by_id(state)[id]
            assert call.kind is ToolKind.SERVER
            assert call.status in (ToolCallStatus.PENDING, ToolCallStatus.APPROVED)
            assert not is_undecided(call)


@given(states())
def test_the_model_is_never_asked_while_a_call_is_unanswered(state: RunState) -> None:
    step = next_step(state)
    if isinstance(step, Roundtrip):
        assert all(call.has_result for call in state.message.tool_calls)
        assert state.roundtrips < state.max_roundtrips
        assert not state.detached
        assert not state.cancel_requested
        assert not state.message.status.is_finished


@given(states())
def test_a_run_waits_only_for_calls_that_are_open(state: RunState) -> None:
    match next_step(state):
        case AwaitApproval(calls):
            assert calls
            assert all(is_undecided(by_id(state)[id]) for id in calls)
        case AwaitResult(calls):
            assert calls
            assert all(not by_id(state)[id].has_result for id in calls)


@given(states())
def test_asking_is_free_of_effects(state: RunState) -> None:
    assert next_step(state) == next_step(state)


@given(states())
def test_a_loop_whose_every_step_is_done_ends(state: RunState) -> None:
    """Tools answer, people approve and answer, and the model calls a tool in every roundtrip."""
    for _ in range(4 * (state.max_roundtrips + 2)):
        match next_step(state):
            case Finish():
                return
            case Roundtrip():
                asked = ToolCallPart(
                    f"new-{state.roundtrips}", "c", "f", status=ToolCallStatus.PENDING
                )
                message = replace(
                    state.message,
                    parts=(*state.message.parts, asked),
                    status=REQUIRES_TOOL_CALLS,
                )
                state = replace(state, message=message, roundtrips=state.roundtrips + 1)
            case ExecuteTools(calls) | AwaitApproval(calls) | AwaitResult(calls):
                state = replace(state, message=answered(state.message, calls))
    pytest.fail("the loop does not end")


def answered(message: Message, calls: tuple[str, ...]) -> Message:
    def answer(part: Part) -> Part:
        if isinstance(part, ToolCallPart) and part.id in calls:
            return replace(part, status=ToolCallStatus.COMPLETE, result="ok", approval=None)
        return part

    return replace(message, parts=tuple(answer(part) for part in message.parts))


# Rule by rule


def state(*calls: ToolCallPart, status: Status = REQUIRES_TOOL_CALLS, **more: object) -> RunState:
    message = Message("m", Role.ASSISTANT, calls, status)
    return replace(RunState(message, 1, 8), **more)


def call(id: str, status: ToolCallStatus, kind: ToolKind = ToolKind.SERVER) -> ToolCallPart:
    return ToolCallPart(id, id, "f", status=status, kind=kind)


PENDING = call("p", ToolCallStatus.PENDING)
AWAITING = call("w", ToolCallStatus.AWAITING_APPROVAL)
APPROVED = call("ok", ToolCallStatus.APPROVED)
IN_BROWSER = call("b", ToolCallStatus.PENDING, ToolKind.FRONTEND)
EXECUTING = call("x", ToolCallStatus.EXECUTING)
DONE = call("d", ToolCallStatus.COMPLETE)
DENIED = call("n", ToolCallStatus.DENIED)
QUIET = call("q", ToolCallStatus.COMPLETE, ToolKind.FRONTEND)
QUIET_FAILED = call("q", ToolCallStatus.FAILED, ToolKind.FRONTEND)


@pytest.mark.parametrize(
    ("given_state", "step"),
    [
        (state(status=QUEUED), Roundtrip()),
        (state(status=RUNNING), Roundtrip()),
        (state(PENDING, AWAITING, IN_BROWSER, APPROVED), ExecuteTools(("p", "ok"))),
        (state(AWAITING, IN_BROWSER, DONE), AwaitApproval(("w",))),
        (state(IN_BROWSER, DONE), AwaitResult(("b",))),
        (state(call("h", ToolCallStatus.APPROVED, ToolKind.HUMAN)), AwaitResult(("h",))),
        (state(EXECUTING), AwaitResult(("x",))),
        (state(EXECUTING, PENDING), ExecuteTools(("p",))),
        (state(DONE, DENIED), Roundtrip()),
        (state(DONE, status=RUNNING), Roundtrip()),
        (state(PENDING, status=QUEUED), ExecuteTools(("p",))),
        (state(PENDING, detached=True), ExecuteTools(("p",))),
        (
            state(DONE, detached=True),
            Finish(Status(RunStatus.COMPLETE, Reason.TOOL_CALLS)),
        ),
        (
            state(DONE, roundtrips=8),
            Finish(Status(RunStatus.INCOMPLETE, Reason.MAX_ROUNDTRIPS)),
        ),
        (state(PENDING, roundtrips=8), ExecuteTools(("p",))),
        (state(QUIET), Roundtrip()),
        (state(QUIET, without_follow_up=frozenset({"f"})), Finish(COMPLETE)),
        (state(QUIET, without_follow_up=frozenset({"f"}), roundtrips=8), Finish(COMPLETE)),
        (state(QUIET, DONE, without_follow_up=frozenset({"f"})), Roundtrip()),
        (state(QUIET_FAILED, without_follow_up=frozenset({"f"})), Roundtrip()),
        (state(without_follow_up=frozenset({"f"})), Roundtrip()),
        (
            state(PENDING, cancel_requested=True),
            Finish(Status(RunStatus.INCOMPLETE, Reason.CANCELLED)),
        ),
        (state(status=COMPLETE, cancel_requested=True), Finish(COMPLETE)),
        (state(status=Status(RunStatus.REQUIRES_ACTION, Reason.OTHER)), AwaitResult(())),
    ],
)
def test_rules(given_state: RunState, step: object) -> None:
    assert next_step(given_state) == step


def test_an_undecided_approval_counts_whatever_the_status_says() -> None:
    odd = replace(PENDING, approval=ApprovalState("a", ApprovalStatus.PENDING))
    assert next_step(state(odd)) == AwaitApproval(("p",))


def test_a_call_that_streams_must_be_settled_first() -> None:
    with pytest.raises(Unsettled):
        next_step(state(call("s", ToolCallStatus.STREAMING)))
    stopped = state(call("s", ToolCallStatus.STREAMING), cancel_requested=True)
    assert isinstance(next_step(stopped), Finish)
