"""A run's message as a follower has been told it, and what must be said next.

Pure: frames of the feed in, items out. Text comes by events. Rows have the last word: what they add
to what was told is told too, and where the two contradict each other, the part is told again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..core.events import (
    Annotations,
    Data,
    ErrorEvent,
    MessageFinish,
    PartFinish,
    PartStart,
    StepFinish,
    StepReset,
    StepStart,
    StreamEvent,
    TextDelta,
    ToolCallArgsFinish,
    UpdateState,
    event_from_json,
)
from ..core.parts import ReasoningPart, TextPart, ToolCallPart, part_from_json
from ..core.statuses import FINISHED_RUN, Reason, RunStatus, Status, ToolCallStatus
from .call_view import CallView, is_open_elsewhere
from .items import Ended, Item, Row, Seen, Started
from .state_view import StateView


@dataclass(slots=True)
class _Told:
    """One part as it was told."""

    kind: str
    call: CallView | None = None
    pieces: list[str] = field(default_factory=list)
    is_open: bool = True

    @property
    def text(self) -> str:
        self.pieces = ["".join(self.pieces)]
        return self.pieces[0]


class RunView:
    """What was told of one run. ``first`` are the rows it begins with."""

    def __init__(self, first: Row, seen: Seen) -> None:
        self.run: Row = first["runs"][0]
        self.message: Row = first["messages"][0]
        self.has_ended = False
        self._thread: Row = first["thread"]
        self._state = StateView(self._thread["state"])
        self._version: int = first["version"]
        self._calls: dict[str, Row] = {row["id"]: row for row in first["tool_calls"]}
        self._approvals: dict[str, Row] = {row["id"]: row for row in first["approvals"]}
        self._parts: list[_Told] = []
        self._steps = 0
        self._is_step_open = False
        self._noted = {"annotations": seen.annotations, "data": seen.data}
        self._reported: tuple[str, ...] | None = None
        self._skip(seen)

    @property
    def is_waiting(self) -> bool:
        """The run waits for a person or a page."""
        if self.run["status"] != RunStatus.REQUIRES_ACTION:
            return False
        # Nothing is open: it has all it needs and only waits for its turn.
        return any(is_open_elsewhere(call) for call in self._calls.values())

    def first_items(self) -> Iterator[Item]:
        """What there is so far."""
        yield Started(
            self._thread,
            self.run,
            self.message,
            tuple(self._calls.values()),
            tuple(self._approvals.values()),
        )
        yield from self._tell_message(self.message)
        yield from self._tell_calls(self._calls.values())
        yield from self._end()

    def take(self, frame: Row) -> Iterator[Item]:
        """What a frame of the feed adds."""
        match frame["type"]:
            case "events" if frame["run"] == self.run["id"]:
                for data in frame["events"]:
                    yield from self._tell_event(event_from_json(data))
            case "changes":
                yield from self._take_rows(frame)
            case "thread_deleted":
                self.run = {
                    **self.run,
                    "status": RunStatus.INCOMPLETE.value,
                    "reason": Reason.CANCELLED.value,
                    "version": self._version,
                }
                yield from self._end()

    # Rows

    def _take_rows(self, frame: Row) -> Iterator[Item]:
        mine = self.message["id"]
        calls = [row for row in frame["tool_calls"] if row["message"] == mine]
        self._calls.update({row["id"]: row for row in calls})
        self._approvals.update(
            {row["id"]: row for row in frame["approvals"] if row["tool_call"] in self._calls}
        )
        for row in frame["runs"]:
            if row["id"] == self.run["id"]:
                self.run = row
        is_stored = False
        for row in frame["messages"]:
            if row["id"] == mine:
                self.message = {**self.message, **row}
                if "parts" in row:
                    is_stored = True
                    yield from self._tell_message(row)
        yield from self._tell_calls(calls)
        yield from self._state.take(frame["thread"]["state"], is_settled=is_stored)
        self._thread, self._version = frame["thread"], frame["version"]
        yield from self._end()

    def _tell_message(self, row: Row) -> Iterator[Item]:
        parts: Sequence[Row] = row["parts"]
        metadata = row["metadata"]
        steps: Sequence[Row] = metadata.get("steps", ())
        keep = self._agreeing(parts)
        if keep < len(self._parts) or self._steps > len(steps):
            yield from self._reset(keep, steps)
        for index, part in enumerate(parts):
            yield from self._tell_steps(steps, index)
            yield from self._tell_part(index, part)
        yield from self._tell_steps(steps, len(parts))
        yield from self._finish_step(steps)
        yield from self._tell_notes(metadata)

    def _agreeing(self, parts: Sequence[Row]) -> int:
        """How many of the told parts the row still has."""
        for index, (told, part) in enumerate(zip(self._parts, parts, strict=False)):
            if told.kind != part["type"]:
                return index
            if told.call is not None and told.call.id != part["id"]:
                return index
            if told.kind in ("text", "reasoning"):
                text = part["text"] if told.is_open else part["text"][: len(told.text) + 1]
                if not text.startswith(told.text) or (not told.is_open and text != told.text):
                    return index
        return min(len(self._parts), len(parts))

    def _reset(self, start: int, steps: Sequence[Row]) -> Iterator[Item]:
        yield from self._close_parts()
        yield StepReset(start)
        del self._parts[start:]
        kept = [step for step in steps[: self._steps] if _start(step) < start]
        self._steps, self._is_step_open = len(kept), False

    def _tell_steps(self, steps: Sequence[Row], index: int) -> Iterator[Item]:
        while self._steps < len(steps) and _start(steps[self._steps]) <= index:
            yield from self._finish_step(steps)
            # What its calls came to is told before what followed from it.
            yield from self._tell_calls(self._calls.values())
            yield StepStart(steps[self._steps].get("message_id"))
            self._steps, self._is_step_open = self._steps + 1, True

    def _finish_step(self, steps: Sequence[Row]) -> Iterator[Item]:
        """End the open step, if the row says that it is over or the next one has begun."""
        if not self._is_step_open or self._steps > len(steps):
            return
        step = steps[self._steps - 1]
        if self._steps == len(steps) and step.get("state") != "finished":
            return
        yield from self._close_parts()
        self._is_step_open = False
        yield StepFinish(step.get("finish_reason") or "unknown", usage=step.get("usage"))

    def _tell_part(self, index: int, row: Row) -> Iterator[Item]:
        is_call = row["type"] == "tool_call"
        part = part_from_json({**row, **_call_fields(self._calls, row)} if is_call else row)
        if index == len(self._parts):
            yield from self._tell_event(PartStart(_emptied(part)))
        told = self._parts[index]
        if not told.is_open:
            return
        match part:
            case TextPart(text=text) | ReasoningPart(text=text) | ToolCallPart(args_text=text):
                if rest := text[len(told.text) :]:
                    yield from self._tell_event(TextDelta((index,), rest))
            case _:
                yield from self._close_part(index)
        if isinstance(part, ToolCallPart) and part.status is not ToolCallStatus.STREAMING:
            yield ToolCallArgsFinish((index,))
            yield from self._close_part(index)

    def _tell_notes(self, metadata: Row) -> Iterator[Item]:
        for name, event in (("annotations", Annotations), ("data", Data)):
            notes = metadata.get(name, ())
            if fresh := tuple(notes[self._noted[name] :]):
                self._noted[name] = len(notes)
                yield event(fresh)

    def _tell_calls(self, rows: Any) -> Iterator[Item]:
        positions = {told.call.id: at for at, told in enumerate(self._parts) if told.call}
        changed = sorted(rows, key=lambda row: row["position"])
        for row in changed:
            index = positions.get(row["id"])
            if index is None:
                continue
            told = self._parts[index]
            if told.is_open and row["status"] != ToolCallStatus.STREAMING:
                yield from self._tell_part(index, {"type": "tool_call", "id": row["id"]})
            assert told.call is not None
            yield from told.call.items((index,), row, self._approvals.get(row["approval"]))
        # An approval that changed without its call, for example a first vote of two, says nothing.

    # Events

    def _tell_event(self, event: StreamEvent) -> Iterator[Item]:
        match event:
            case MessageFinish() | ErrorEvent():
                return
            case UpdateState(operations=operations):
                yield from self._state.stream(operations)
                return
            case PartStart(part=part):
                call = CallView(part.id) if isinstance(part, ToolCallPart) else None
                self._parts.append(_Told(part.type, call))
                yield event
                if not isinstance(part, TextPart | ReasoningPart | ToolCallPart):
                    yield from self._close_part(len(self._parts) - 1)
                return
            case TextDelta(path=(index,), text_delta=text):
                if not self._is_open(index) or not text:
                    return
                self._parts[index].pieces.append(text)
            case ToolCallArgsFinish(path=(index,)):
                if not self._is_open(index):
                    return
            case PartFinish(path=(index,)):
                if not self._is_open(index):
                    return
                self._parts[index].is_open = False
            case StepStart():
                yield from self._close_parts()
                self._steps, self._is_step_open = self._steps + 1, True
            case StepFinish():
                yield from self._close_parts()
                self._is_step_open = False
            case StepReset(start=start):
                yield from self._close_parts()
                del self._parts[start:]
                if self._is_step_open:
                    self._steps, self._is_step_open = self._steps - 1, False
            case Annotations(annotations=notes):
                self._noted["annotations"] += len(notes)
            case Data(data=notes):
                self._noted["data"] += len(notes)
        yield event

    def _is_open(self, index: int) -> bool:
        return 0 <= index < len(self._parts) and self._parts[index].is_open

    def _close_part(self, index: int) -> Iterator[Item]:
        if self._parts[index].is_open:
            self._parts[index].is_open = False
            yield PartFinish((index,))

    def _close_parts(self) -> Iterator[Item]:
        for index in range(len(self._parts)):
            yield from self._close_part(index)

    # Beginning and end

    def _skip(self, seen: Seen) -> None:
        """Count what the client has as told."""
        known = {row["id"]: row for row in seen.calls}
        for part in self.message["parts"][: seen.parts]:
            call = None
            if part["type"] == "tool_call":
                call = CallView(part["id"])
                if row := known.get(part["id"]):
                    call.count_as_told(row)
            told = _Told(part["type"], call, [part.get("text", "")], is_open=False)
            self._parts.append(told)
        self._steps = min(seen.steps, len(self.message["metadata"].get("steps", ())))

    def _end(self) -> Iterator[Item]:
        """Say how the run ended, or what it waits for: once, and again when that has changed."""
        status = RunStatus(self.run["status"])
        # Rows are not read in one instant. A run that is newer than the rest comes again, with it.
        is_whole = self.run["version"] <= self._version
        self.has_ended = is_whole and (status in FINISHED_RUN or self.is_waiting)
        if not self.has_ended:
            self._reported = None
            return
        calls = tuple(sorted(self._calls.values(), key=lambda row: row["position"]))
        waiting = [row for row in calls if is_open_elsewhere(row)]
        report = (status.value, *(row["id"] for row in waiting))
        if report == self._reported:
            return
        self._reported = report
        yield from self._close_parts()
        if self._is_step_open:
            self._is_step_open = False
            yield StepFinish("error" if self.run["reason"] == Reason.ERROR else "other")
        yield Ended(
            Status(status, Reason(self.run["reason"])),
            self.run,
            self.message,
            calls,
            tuple(row for row in waiting if row["status"] != ToolCallStatus.AWAITING_APPROVAL),
            tuple(
                self._approvals[row["approval"]]
                for row in waiting
                if row["status"] == ToolCallStatus.AWAITING_APPROVAL
            ),
            self.run["error"] or self.message["error"],
        )


def _start(step: Row) -> int:
    start: int = step.get("start", 0)  # Left out of the stored JSON when it is 0.
    return start


def _emptied(part: Any) -> Any:
    """A part as it opens: its text and arguments are still to come."""
    match part:
        case TextPart() | ReasoningPart():
            return replace(part, text="")
        case ToolCallPart():
            return ToolCallPart(
                part.id,
                part.tool_call_id,
                part.tool_name,
                kind=part.kind,
                parent_id=part.parent_id,
            )
        case _:
            return part


def _call_fields(calls: Mapping[str, Row], part: Row) -> Row:
    row = calls.get(part["id"])
    if row is None:
        return {}
    return {
        name: row[name] for name in ("tool_call_id", "tool_name", "kind", "args_text", "status")
    }
