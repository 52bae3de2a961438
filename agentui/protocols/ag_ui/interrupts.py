"""Approvals as AG-UI interrupts, and resume entries as decisions. Sync.

The reason is ``agentui:approval``. With ``tool_call``, which would fit too, CopilotKit answers the call
by itself, with a tool message that it makes from the decision. assistant-ui has buttons of its own for
``tool_call``, so a client may ask for it: ``?approvals=tool_call``.
"""

from __future__ import annotations

import json
import logging
from datetime import datetime
from typing import Any

from django.utils import timezone

from ... import actions
from ...agents import registry
from ...core.statuses import ApprovalStatus, ToolCallStatus
from ...exceptions import (
    AgentUIError,
    AlreadyDecided,
    AlreadyVoted,
    ApprovalClosed,
    ApprovalExpired,
    InvalidInput,
    NotFound,
    NotPermitted,
    ToolChanged,
)
from ...models import Approval, Thread
from ...runtime.rows import Row, approval_row
from ..identity import own_id
from .said import ResumeForm, Said

logger = logging.getLogger("agentui")

REASON = "agentui:approval"
CALL_REASON = "tool_call"
DOOR = "ag-ui"

_DISMISSED = "The person closed the question without deciding."


def open_approvals(thread: Thread) -> list[Approval]:
    """The approvals that runs of this thread stand still for, in the order of their calls.

    Not those of a run that was overtaken by a newer message: the thread has gone on without them.
    """
    return list(
        Approval.objects.pending()
        .filter(
            thread=thread,
            tool_call__status=ToolCallStatus.AWAITING_APPROVAL,
            tool_call__run__is_detached=False,
        )
        .select_related("tool_call", "tool_call__run")
        .prefetch_related("decisions")
        .order_by("tool_call__message__seq", "tool_call__position")
    )


def split(thread: Thread, user: Any) -> tuple[list[Row], list[Row]]:
    """The rows of the open approvals: those this user may decide, and those for somebody else."""
    rows = [approval_row(approval, user) for approval in open_approvals(thread)]
    mine = [row for row in rows if row["may_decide"]]
    return mine, [row for row in rows if not row["may_decide"]]


def interrupt_of(row: Row, said: Said) -> dict[str, Any]:
    """The approval as an interrupt, in the fields of ``ag_ui.core.Interrupt``.

    A deadline is only told to clients that can still cancel after it; the server keeps it anyway.
    """
    interrupt: dict[str, Any] = {
        "id": row["id"],
        "reason": CALL_REASON if said.gates_calls else REASON,
        "message": f"{row['tool_name']} needs your approval.",
        "tool_call_id": row["tool_call"],
        "response_schema": _response_schema(row),
        "metadata": {
            "agentui": {
                "toolName": row["tool_name"],
                "arguments": row["args_text"],
                "digest": row["args_digest"],
                "options": row["options"],
                "editable": row["editable"],
                "reasonRequired": row["reason_required"],
                "required": row["required"],
            }
        },
    }
    if said.is_modern and row["expires_at"]:
        interrupt["expires_at"] = row["expires_at"]
    return interrupt


def take_resume(
    user: Any, thread: Thread, entries: tuple[ResumeForm, ...], *, is_modern: bool
) -> None:
    """Give the decisions that the entries stand for.

    An entry for what is unknown, somebody else's, or decided meanwhile is passed over: the answer
    shows how it stands. Raises :class:`ApprovalExpired` when a client that knows deadlines resolves
    after one; such an interrupt can only be cancelled.
    """
    ids = [pk for entry in entries for pk in own_id(entry.interrupt_id)]
    known = {str(a.pk): a for a in Approval.objects.filter(thread=thread, pk__in=ids)}
    for entry in entries:
        approval = known.get(entry.interrupt_id)
        if approval is None:
            logger.info("A resume names %r, which is no interrupt here", entry.interrupt_id)
            continue
        _take_entry(user, approval, entry, is_modern=is_modern)


def _take_entry(user: Any, approval: Approval, entry: ResumeForm, *, is_modern: bool) -> None:
    is_late = approval.status == ApprovalStatus.EXPIRED or _is_over(approval.expires_at)
    if is_late and entry.status == "resolved" and is_modern:
        raise ApprovalExpired
    if approval.status != ApprovalStatus.PENDING:
        return
    try:
        actions.decide_approval(user, approval.pk, **_decision(approval, entry), door=DOOR)
    except (AlreadyDecided, AlreadyVoted, ApprovalClosed, ApprovalExpired, ToolChanged):
        pass  # The rows say how it stands.
    except (NotPermitted, NotFound) as refusal:
        logger.info("A resume decides what its user may not: %s", refusal.code)


def _is_over(deadline: datetime | None) -> bool:
    return deadline is not None and deadline <= timezone.now()


def _decision(approval: Approval, entry: ResumeForm) -> dict[str, Any]:
    if entry.status == "cancelled":
        return {"verdict": "deny", "reason": _DISMISSED}
    payload = entry.payload if isinstance(entry.payload, dict) else {"approved": entry.payload}
    approved, edited = payload.get("approved"), payload.get("editedArgs")
    if approved is not None and not isinstance(approved, bool):
        raise InvalidInput('A resume answers an approval with {"approved": true or false}.')
    if edited is not None and not isinstance(edited, dict):
        raise InvalidInput("editedArgs must be an object: all arguments, as they shall be.")
    return {
        "verdict": None if approved is None else _verdict(approved),
        "option": _text(payload, "option"),
        "reason": _text(payload, "reason") or "",
        "digest": _text(payload, "digest"),
        "args_text": None if not edited else json.dumps(edited, ensure_ascii=False),
    }


def _verdict(approved: bool) -> str:
    return "approve" if approved else "deny"


def _text(payload: dict[str, Any], name: str) -> str | None:
    value = payload.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string.")
    return value


def _response_schema(row: Row) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "approved": {"type": "boolean"},
        "reason": {"type": "string", "description": "Told to the agent word for word."},
        "option": {"enum": [option["id"] for option in row["options"]]},
        "digest": {"type": "string"},
    }
    if row["editable"]:
        properties["editedArgs"] = _edited_schema(row)
    required = ["approved"]
    return {"type": "object", "properties": properties, "required": required}


def _edited_schema(row: Row) -> dict[str, Any]:
    """All arguments, of which only the editable ones may differ."""
    described = {"description": f"May differ in: {', '.join(row['editable'])}."}
    try:
        tool = registry.get(row["agent"]).tool(row["tool_name"])
    except AgentUIError:
        tool = None
    return {"type": "object", **(tool.parameters if tool else {}), **described}
