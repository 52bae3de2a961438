"""What the run loop does next, as a value.

The rules, first match wins:

====================================================  ==========================================
the message                                           next
====================================================  ==========================================
is complete or incomplete                             ``Finish`` with its status
its run was asked to stop                             ``Finish(incomplete/cancelled)``
has server calls that may run                         ``ExecuteTools``, also while others wait
has calls whose approval is undecided                 ``AwaitApproval``
has other calls without an answer                     ``AwaitResult``
requires an action that is no tool call               ``AwaitResult``
its last calls were answered and want no follow-up    ``Finish(complete/stop)``
was overtaken by a newer message (``detached``)       ``Finish(complete/tool_calls)``
has used up its roundtrips                            ``Finish(incomplete/max_roundtrips)``
else                                                  ``Roundtrip``
====================================================  ==========================================

So the model is never asked while a call is unanswered, and no call runs before its approval. A run
that is detached settles its calls and never asks the model: the newer message's run does. A page's
tool may want no follow-up; one call of the roundtrip that does, or that failed, is enough for one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .parts import Message, ToolCallPart
from .should_continue import is_undecided, should_continue
from .statuses import CANCELLED, Reason, RunStatus, Status, ToolCallStatus, ToolKind

_MAY_RUN = frozenset({ToolCallStatus.PENDING, ToolCallStatus.APPROVED})


class Unsettled(ValueError):
    """A call is still streaming: settle the roundtrip, or reset it, before asking for the next step."""


@dataclass(frozen=True, slots=True)
class RunState:
    """All that the next step depends on."""

    message: Message
    roundtrips: int
    max_roundtrips: int
    cancel_requested: bool = False
    detached: bool = False
    without_follow_up: frozenset[str] = frozenset()
    """Names of the page's tools after which the model is not asked again."""


@dataclass(frozen=True, slots=True)
class Roundtrip:
    """Ask the model."""


@dataclass(frozen=True, slots=True)
class ExecuteTools:
    """Run these server calls. Ids are row ids, in the order of the calls."""

    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AwaitApproval:
    """Nothing to do until somebody decides about one of these calls."""

    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AwaitResult:
    """Nothing to do until somebody else answers one of these calls."""

    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finish:
    """The run is over; message and run take this status."""

    status: Status


Step = Roundtrip | ExecuteTools | AwaitApproval | AwaitResult | Finish


def next_step(state: RunState) -> Step:
    """The next step of a run. Raises :class:`Unsettled` while a call is still streaming."""
    message = state.message
    if message.status.is_finished:
        return Finish(message.status)
    if state.cancel_requested:
        return Finish(CANCELLED)
    return _answer_calls(message) or _ask_again(state)


def _answer_calls(message: Message) -> Step | None:
    open_calls = [call for call in message.tool_calls if not call.has_result]
    if any(call.status is ToolCallStatus.STREAMING for call in open_calls):
        raise Unsettled(Unsettled.__doc__)
    undecided = _ids(call for call in open_calls if is_undecided(call))
    if ready := _ids(call for call in open_calls if _may_run(call)):
        return ExecuteTools(ready)
    if undecided:
        return AwaitApproval(undecided)
    if open_calls:
        return AwaitResult(_ids(open_calls))
    return None


def _ask_again(state: RunState) -> Step:
    """Every call has its answer."""
    message = state.message
    if message.status.type is RunStatus.REQUIRES_ACTION and not should_continue(message, None):
        return AwaitResult(())
    if _wants_no_follow_up(state):
        return Finish(Status(RunStatus.COMPLETE, Reason.STOP))
    if state.detached:
        return Finish(Status(RunStatus.COMPLETE, Reason.TOOL_CALLS))
    if state.roundtrips >= state.max_roundtrips:
        return Finish(Status(RunStatus.INCOMPLETE, Reason.MAX_ROUNDTRIPS))
    return Roundtrip()


def _wants_no_follow_up(state: RunState) -> bool:
    steps = state.message.metadata.steps
    last = state.message.parts[steps[-1].start if steps else 0 :]
    calls = [part for part in last if isinstance(part, ToolCallPart)]
    return bool(calls) and all(
        call.kind is ToolKind.FRONTEND
        and call.status is ToolCallStatus.COMPLETE
        and call.tool_name in state.without_follow_up
        for call in calls
    )


def _may_run(call: ToolCallPart) -> bool:
    return call.kind is ToolKind.SERVER and call.status in _MAY_RUN and not is_undecided(call)


def _ids(calls: Iterable[ToolCallPart]) -> tuple[str, ...]:
    return tuple(call.id for call in calls)
