"""Write docs/statuses.md from the tables in agentui/core/statuses.py."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agentui.core.statuses import (  # noqa: E402
    APPROVAL_TRANSITIONS,
    RUN_TRANSITIONS,
    TOOL_CALL_TRANSITIONS,
    ApprovalStatus,
    Reason,
    RunStatus,
    ToolCallStatus,
)

HEAD = """\
# Statuses

Made from the tables in `agentui/core/statuses.py` by `python scripts/status_diagrams.py`. A change
that is not drawn here raises `IllegalTransition` and changes nothing.
"""

RUN_WORDS: dict[StrEnum, str] = {
    RunStatus.QUEUED: "waits for a worker",
    RunStatus.RUNNING: "a worker holds it: the model is asked, or tools run",
    RunStatus.REQUIRES_ACTION: "waits for a person or a browser, and holds nothing meanwhile",
    RunStatus.COMPLETE: "ended as it should",
    RunStatus.INCOMPLETE: "ended early, for the reason given",
}
CALL_WORDS: dict[StrEnum, str] = {
    ToolCallStatus.STREAMING: "the model is still writing its arguments",
    ToolCallStatus.PENDING: "may run, or waits for the browser or the person who answers it",
    ToolCallStatus.AWAITING_APPROVAL: "waits for a decision; it has not run",
    ToolCallStatus.APPROVED: "somebody allowed it; it has not run yet",
    ToolCallStatus.EXECUTING: "claimed by a worker, and begun",
    ToolCallStatus.COMPLETE: "has its result",
    ToolCallStatus.FAILED: "ran or was tried, and has an error as its result",
    ToolCallStatus.DENIED: "somebody refused it; it never ran",
    ToolCallStatus.EXPIRED: "nobody decided in time; it never ran",
    ToolCallStatus.CANCELLED: "was withdrawn before it began; it never ran",
    ToolCallStatus.INTERRUPTED: "began, and its worker died: it may have had effects",
}
APPROVAL_WORDS: dict[StrEnum, str] = {
    ApprovalStatus.PENDING: "waits for the people it needs",
    ApprovalStatus.APPROVED: "enough people approved",
    ApprovalStatus.DENIED: "somebody denied",
    ApprovalStatus.EXPIRED: "the time was over",
    ApprovalStatus.CANCELLED: "its run was stopped, or a new message made it pointless",
    ApprovalStatus.SUPERSEDED: "the message that asked for it was edited or made again",
}


def page() -> str:
    """The whole page."""
    reasons = ", ".join(f"`{reason}`" for reason in Reason if reason)
    return "\n".join(
        [
            HEAD,
            _section("Runs, and the messages they write", RUN_TRANSITIONS, RUN_WORDS),
            f"A status may carry a reason: {reasons}.\n",
            _section("Tool calls", TOOL_CALL_TRANSITIONS, CALL_WORDS),
            _section("Approvals", APPROVAL_TRANSITIONS, APPROVAL_WORDS),
        ]
    )


def _section(title: str, table: Mapping[Any, frozenset[Any]], words: Mapping[StrEnum, str]) -> str:
    order = list(table)
    arrows = [f"    [*] --> {order[0]}"]
    for before in order:
        allowed = sorted(table[before], key=order.index)
        arrows += [f"    {before} --> {after}" for after in allowed or ["[*]"]]
    meaning = [f"| `{status}` | {words[status]} |" for status in order]
    return "\n".join(
        [
            f"## {title}",
            "",
            "```mermaid",
            "stateDiagram-v2",
            *arrows,
            "```",
            "",
            "| status | meaning |",
            "|---|---|",
            *meaning,
            "",
        ]
    )


if __name__ == "__main__":
    (ROOT / "docs" / "statuses.md").write_text(page())
