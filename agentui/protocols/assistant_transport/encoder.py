"""A run's items as operations on the page's state. Pure.

The first operations set the whole state; those that follow touch only what changed: text grows by
``append-text``, and so do arguments. Frames are made from operations: chunks of the assistant
transport, or lines of the data stream.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...core import events as ev
from ...core.partial_json import args_so_far
from ...core.statuses import ApprovalStatus
from .. import aui
from .. import items as it
from .state import new_part

Operation = dict[str, Any]


class StateEncoder:
    """Operations for one run's message, which is ``messages[index]`` of the state."""

    def __init__(self, index: int) -> None:
        self._path = ["messages", str(index)]
        self._parts: list[Operation] = []
        self._pieces: dict[int, list[str]] = {}
        self._approvals: dict[str, it.Row] = {}

    def encode(self, item: it.Item) -> Iterator[Operation]:
        """The operations for the next item."""
        match item:
            case it.Started():
                self._parts = []
                self._approvals = {row["id"]: row for row in item.approvals}
                yield _set([*self._path, "content"], [])
                yield _set(["agentState"], item.thread["state"])
            case ev.PartStart(part=part):
                self._parts.append(new_part(part))
                yield _set(self._at(len(self._parts) - 1), self._parts[-1])
            case ev.TextDelta(path=(index,), text_delta=text):
                yield from self._on_text(index, text)
            case ev.ToolCallArgsFinish(path=(index,)):
                call = self._whole(index)
                call["args"] = args_so_far(call["argsText"])
                yield _set([*self._at(index), "args"], call["args"])
            case ev.ToolCallResult(path=(index,)):
                yield from self._on_result(index, item)
            case ev.ApprovalRequest(path=(index,), approval=approval):
                row = self._approvals.get(approval.id)
                state = aui.approval_row(row) if row else aui.approval_state(approval)
                yield from self._put(index, "approval", state)
            case ev.ApprovalDecision(path=(index,), approval=approval):
                if approval.status is not ApprovalStatus.PENDING:
                    yield from self._put(index, "approval", aui.approval_state(approval))
            case it.Progress(path=(index,), value=value):
                yield from self._put(index, "progress", value)
            case it.StateChanged(operations=operations) if operations:
                for operation in operations:
                    yield {**operation, "path": ["agentState", *map(str, operation["path"])]}
            case it.StateChanged(state=state):
                yield _set(["agentState"], state)
            case ev.StepReset(start=start):
                del self._parts[start:]
                self._pieces = {at: new for at, new in self._pieces.items() if at < start}
                whole = [self._whole(at) for at in range(len(self._parts))]
                yield _set([*self._path, "content"], whole)
            case it.Ended():
                yield from self._on_ended(item)
            case _:
                return

    def _on_text(self, index: int, text: str) -> Iterator[Operation]:
        name = "argsText" if self._parts[index]["type"] == "tool-call" else "text"
        self._pieces.setdefault(index, []).append(text)
        yield {"type": "append-text", "path": [*self._at(index), name], "value": text}

    def _on_result(self, index: int, event: ev.ToolCallResult) -> Iterator[Operation]:
        part = self._whole(index)
        if "argsText" in part:
            part["args"] = args_so_far(part["argsText"])
        part["result"] = event.result
        if event.is_error:
            part["isError"] = True
        if event.artifact is not None:
            part["artifact"] = event.artifact
        part.pop("progress", None)
        # Set whole: a result may be null, and the progress goes.
        yield _set(self._at(index), part)

    def _on_ended(self, item: it.Ended) -> Iterator[Operation]:
        indexes = {part.get("toolCallId"): at for at, part in enumerate(self._parts)}
        for row in item.approvals:
            if (index := indexes.get(row["tool_call"])) is not None:
                yield from self._put(index, "approval", aui.approval_row(row))
        ended = {"type": item.status.type, "reason": item.status.reason}
        yield _set([*self._path, "status"], aui.status(ended, item.error))
        yield _set(["isRunning"], False)

    def _whole(self, index: int) -> Operation:
        """The part with all its text; joined only when it is needed, so that growing is cheap."""
        part = self._parts[index]
        if (pieces := self._pieces.pop(index, None)) is not None:
            name = "argsText" if part["type"] == "tool-call" else "text"
            part[name] = "".join([part[name], *pieces])
        return part

    def _put(self, index: int, name: str, value: Any) -> Iterator[Operation]:
        self._parts[index][name] = value
        yield _set([*self._at(index), name], value)

    def _at(self, index: int) -> list[str]:
        return [*self._path, "content", str(index)]


def _set(path: list[str], value: Any) -> Operation:
    # A copy: the part goes on growing here after it was said.
    return {"type": "set", "path": path, "value": json.loads(json.dumps(value))}
