"""Items of a run as AG-UI events. Pure; one encoder for each run that is followed.

Text and reasoning open with their first words, so there is no empty message. What is open is closed
before its step ends, because following promises the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ag_ui.core import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    BaseEvent,
    CustomEvent,
    ReasoningEndEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from ...core.events import (
    ApprovalDecision,
    PartFinish,
    PartStart,
    StepFinish,
    StepReset,
    StepStart,
    TextDelta,
    ToolCallResult,
)
from ...core.parts import ReasoningPart, TextPart, ToolCallPart
from ...runtime.rows import Row
from ..items import Item, Progress, Seen, Started, StateChanged
from .json_patch import json_patch
from .messages import (
    APPROVAL_ACTIVITY,
    PROGRESS_ACTIVITY,
    activity_id,
    approval_activity,
    content_text,
    part_id,
    result_id,
)
from .wire import Wire, args_delta, reasoning_delta, text_delta


@dataclass(slots=True)
class _Part:
    id: str
    kind: str
    is_open: bool = False


class RunEncoder:
    """``answered`` are the calls whose answers the client gave itself: they are not repeated.
    ``state`` is the thread's as the client was told."""

    def __init__(
        self, *, answered: frozenset[str], cursor: Seen | None, is_modern: bool, state: Any = None
    ) -> None:
        self._answered = answered
        self._is_modern = is_modern
        self._step = cursor.steps if cursor else 0
        self._next = cursor.parts if cursor else 0
        self._is_step_open = False
        self._message = ""
        self._parts: dict[int, _Part] = {}
        self._calls: dict[int, Row] = {}
        self._approvals: dict[str, Row] = {}
        self._group: str | None = None
        self._progress: dict[str, Any] = {}
        self.state = state

    def events(self, item: Item) -> Iterator[Wire]:
        """What the client is told of an item."""
        match item:
            case TextDelta(path=(index,), text_delta=text):
                yield from self._delta(self._parts[index], text)
            case PartStart(part=part):
                yield from self._open(part)
            case PartFinish(path=(index,)):
                yield from self._close(self._parts[index])
            case ToolCallResult(path=(index,)):
                yield from self._result(index, item)
            case StepStart():
                self._step += 1
                self._group, self._is_step_open = None, True
                yield StepStartedEvent(step_name=self._step_name)
            case StepFinish():
                self._is_step_open = False
                yield StepFinishedEvent(step_name=self._step_name)
            case StepReset(start=start):
                yield from self._reset(start)
            case Progress(call=call, value=value):
                yield from self._report(call, value)
            case StateChanged(state=state):
                yield from self._change_state(state)
            case ApprovalDecision(approval=approval):
                if row := self._approvals.get(approval.id):
                    yield approval_event(row, approval.status)
            case Started():
                self._begin(item)
                # It may have changed since the client was told.
                yield from self._change_state(item.thread["state"])

    def note_approvals(self, rows: Sequence[Row]) -> Iterator[BaseEvent]:
        """Show approvals that wait; their decisions will be shown as well."""
        for row in rows:
            self._approvals[row["id"]] = row
            yield approval_event(row, row["status"])

    @property
    def _step_name(self) -> str:
        return f"roundtrip {self._step}"

    def _begin(self, item: Started) -> None:
        self._message = item.message["id"]
        self._approvals = {row["id"]: row for row in item.approvals}
        self._calls = {call["position"]: call for call in item.calls}

    # Parts

    def _open(self, part: Any) -> Iterator[BaseEvent]:
        index, self._next = self._next, self._next + 1
        id = part.id if isinstance(part, ToolCallPart) else part_id(self._message, index)
        self._parts[index] = opened = _Part(id, part.type)
        match part:
            case TextPart() | ReasoningPart():
                return
            case ToolCallPart(tool_name=name):
                opened.is_open = True
                parent, self._group = self._group, self._group or id
                yield ToolCallStartEvent(
                    tool_call_id=id, tool_call_name=name, parent_message_id=parent
                )
            case _:
                # Sources, files and data of the site: AG-UI has no message for them.
                yield CustomEvent(name=f"agentui:{part.type}", value=part.to_json())

    def _delta(self, part: _Part, text: str) -> Iterator[Wire]:
        match part.kind:
            case "tool_call":
                yield args_delta(part.id, text)
            case "text":
                if not part.is_open:
                    part.is_open, self._group = True, part.id
                    yield TextMessageStartEvent(message_id=part.id, role="assistant")
                yield text_delta(part.id, text)
            case "reasoning":
                if not part.is_open:
                    part.is_open = True
                    yield ReasoningStartEvent(message_id=part.id)
                    yield ReasoningMessageStartEvent(message_id=part.id, role="reasoning")
                yield reasoning_delta(part.id, text)

    def _close(self, part: _Part) -> Iterator[BaseEvent]:
        if not part.is_open:
            return
        part.is_open = False
        match part.kind:
            case "tool_call":
                yield ToolCallEndEvent(tool_call_id=part.id)
            case "text":
                yield TextMessageEndEvent(message_id=part.id)
            case "reasoning":
                yield ReasoningMessageEndEvent(message_id=part.id)
                yield ReasoningEndEvent(message_id=part.id)

    def _reset(self, start: int) -> Iterator[BaseEvent]:
        self._parts = {index: part for index, part in self._parts.items() if index < start}
        self._next, self._group = start, None
        if self._is_step_open:
            self._is_step_open = False
            yield StepFinishedEvent(step_name=self._step_name)
            self._step -= 1

    # Calls

    def _result(self, index: int, item: ToolCallResult) -> Iterator[BaseEvent]:
        part = self._parts.get(index)
        call = self._calls.get(index)
        id = part.id if part else call["id"] if call else None
        if id is None or id in self._answered:
            return
        yield ToolCallResultEvent(
            message_id=result_id(id),
            tool_call_id=id,
            content=content_text(item.result),
            role="tool",
            metadata=self._status(str(item.status), item.is_error),
        )

    def _status(self, status: str, is_error: bool) -> dict[str, Any] | None:
        if not self._is_modern:
            return None
        return {"agentui": {"status": status, "isError": is_error}}

    def _report(self, call: Row, value: Any) -> Iterator[BaseEvent]:
        id = activity_id(call["id"], PROGRESS_ACTIVITY)
        known, self._progress[id] = id in self._progress, value
        if known:
            patch: Any = [{"op": "replace", "path": "/progress", "value": value}]
            yield ActivityDeltaEvent(message_id=id, activity_type=PROGRESS_ACTIVITY, patch=patch)
            return
        content = {"toolCallId": call["id"], "toolName": call["tool_name"], "progress": value}
        yield ActivitySnapshotEvent(
            message_id=id, activity_type=PROGRESS_ACTIVITY, content=content, replace=True
        )

    def _change_state(self, state: Any) -> Iterator[BaseEvent]:
        before, self.state = self.state, state
        patch: Any = json_patch(before, state)
        if patch and isinstance(before, dict) and isinstance(state, dict):
            yield StateDeltaEvent(delta=patch)
        elif patch:
            yield StateSnapshotEvent(snapshot=state)


def late_result(call: Row) -> BaseEvent:
    """The answer of a call that was given while this client was not told."""
    return ToolCallResultEvent(
        message_id=result_id(call["id"]),
        tool_call_id=call["id"],
        content=content_text(call["result"]),
        role="tool",
    )


def approval_event(approval: Row, status: str) -> BaseEvent:
    """Where an approval stands."""
    return ActivitySnapshotEvent(
        message_id=activity_id(approval["tool_call"], APPROVAL_ACTIVITY),
        activity_type=APPROVAL_ACTIVITY,
        content=approval_activity(approval, str(status)),
        replace=True,
    )
