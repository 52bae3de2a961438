"""A tool call as a follower has been told it, and what its row adds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..core.events import ApprovalDecision, ApprovalRequest, Path, ToolCallResult
from ..core.parts import ApprovalState, approval_from_json
from ..core.statuses import ANSWERED, ApprovalStatus, ToolCallStatus, ToolKind
from .items import CallStarted, Item, Progress, Row


def is_open_elsewhere(call: Row) -> bool:
    """The call waits for a person or a page, and not for the server."""
    status = ToolCallStatus(call["status"])
    if status in ANSWERED:
        return False
    return call["kind"] != ToolKind.SERVER or status is ToolCallStatus.AWAITING_APPROVAL


@dataclass(slots=True)
class CallView:
    """What was told of one call beyond its name and arguments; ``id`` is its row's."""

    id: str
    is_asked: bool = False
    is_decided: bool = False
    is_begun: bool = False
    is_answered: bool = False
    progress: Any = None

    def items(self, path: Path, row: Row, approval: Row | None) -> Iterator[Item]:
        """What the row says that was not told yet, in the order in which it happened."""
        if approval is not None and not self.is_asked:
            self.is_asked = True
            yield ApprovalRequest(path, _state(approval, ApprovalStatus.PENDING))
        if approval is not None and not self.is_decided and approval["status"] != "pending":
            self.is_decided = True
            yield ApprovalDecision(path, _state(approval, ApprovalStatus(approval["status"])))
        status = ToolCallStatus(row["status"])
        if status is ToolCallStatus.EXECUTING and row["kind"] == ToolKind.SERVER:
            if not self.is_begun:
                self.is_begun = True
                yield CallStarted(path, row)
            if row["progress"] is not None and row["progress"] != self.progress:
                self.progress = row["progress"]
                yield Progress(path, row, row["progress"])
        if status in ANSWERED and not self.is_answered:
            self.is_answered = True
            yield ToolCallResult(
                path,
                row["result"],
                is_error=row["is_error"],
                artifact=row["artifact"],
                status=status,
            )

    def count_as_told(self, row: Row) -> None:
        """The client has what this row said."""
        status = ToolCallStatus(row["status"])
        self.is_asked = row["approval"] is not None
        self.is_decided = self.is_asked and status is not ToolCallStatus.AWAITING_APPROVAL
        self.is_begun = status is ToolCallStatus.EXECUTING
        self.is_answered = status in ANSWERED
        self.progress = row["progress"]


def _state(approval: Row, status: ApprovalStatus) -> ApprovalState:
    state: Row = {"id": approval["id"], "status": status, "options": approval["options"]}
    if status is not ApprovalStatus.PENDING and approval["decisions"]:
        last = approval["decisions"][-1]
        state |= {"option": last["option"] or None, "reason": last["reason"] or None}
    return approval_from_json(state)
