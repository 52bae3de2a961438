"""Rows as the JSON that the socket and the API show. One form, every door.

Sync and without a query of its own, except where a name says ``load``.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from ..core.statuses import ApprovalStatus
from ..models import Approval, Decision, Message, Run, Thread, ToolCall
from ..permissions import may_decide, policy_of

Row = dict[str, Any]


def thread_row(thread: Thread) -> Row:
    """A thread; from a queryset with :meth:`ThreadQuerySet.with_activity`."""
    active = getattr(thread, "active_run_id", None)
    return {
        "id": str(thread.pk),
        "agent": thread.agent,
        "title": thread.title,
        "status": thread.status,
        "head": _text(thread.head_id),
        "state": thread.state,
        "metadata": thread.metadata,
        "version": thread.version,
        "created_at": _time(thread.created_at),
        "updated_at": _time(thread.updated_at),
        "last_activity_at": _time(thread.last_activity_at),
        "active_run": _text(active),
        "waiting": bool(getattr(thread, "is_waiting", False)),
        "queue_paused": thread.is_queue_paused,
    }


def message_row(
    message: Message, siblings: Sequence[uuid.UUID] = (), run: Run | None = None
) -> Row:
    """A message. ``cursor`` says up to which event of its run the parts are folded."""
    row: Row = {
        "id": str(message.pk),
        "thread": str(message.thread_id),
        "parent": _text(message.parent_id),
        "seq": message.seq,
        "role": message.role,
        "status": {"type": message.status, "reason": message.reason},
        "parts": message.parts,
        "error": message.error,
        "metadata": message.metadata,
        "model": message.model,
        "usage": message.usage,
        "feedback": {"rating": message.feedback, "comment": message.feedback_comment}
        if message.feedback
        else None,
        "run": _text(run.pk) if run else None,
        "siblings": [str(pk) for pk in siblings] or [str(message.pk)],
        "created_at": _time(message.created_at),
    }
    if run is not None:
        row["cursor"] = {"run": str(run.pk), "seq": message.folded_seq}
    return row


def tool_call_row(call: ToolCall, approval_id: uuid.UUID | None = None) -> Row:
    """A tool call. What is for the model only (``model_content``) is not in it."""
    return {
        "id": str(call.pk),
        "thread": str(call.thread_id),
        "message": str(call.message_id),
        "run": str(call.run_id),
        "position": call.position,
        "tool_call_id": call.tool_call_id,
        "tool_name": call.tool_name,
        "kind": call.kind,
        "args_text": call.args_text,
        "status": call.status,
        "result": call.result,
        "is_error": call.is_error,
        "artifact": call.artifact,
        "progress": call.progress,
        "is_automatic": call.is_automatic,
        "grant": _text(call.grant_id),
        "answer_schema": call.answer_schema,
        "approval": _text(approval_id),
        "claimed_by": call.claimed_by,
        "claim_expires_at": _time(call.claim_expires_at),
        "started_at": _time(call.started_at),
        "finished_at": _time(call.finished_at),
        "version": call.version,
    }


def approval_row(approval: Approval, user: Any) -> Row:
    """An approval as ``user`` sees it: who decides, what was said, and whether they may decide."""
    decisions = list(approval.decisions.all())
    policy = policy_of(approval)
    return {
        "id": str(approval.pk),
        "thread": str(approval.thread_id),
        "tool_call": str(approval.tool_call_id),
        "status": approval.status,
        "agent": approval.agent,
        "tool_name": approval.tool_name,
        "args_text": approval.tool_call.effective_args_text,
        "args_digest": approval.args_digest,
        "required": approval.required,
        "decided": {
            "approve": sum(
                decision.verdict == "approve" and decision.args_digest == approval.args_digest
                for decision in decisions
            ),
            "deny": sum(decision.verdict == "deny" for decision in decisions),
        },
        "options": approval.policy.get("options", []),
        "editable": approval.policy.get("editable", []),
        "reason_required": bool(approval.policy.get("reason_required")),
        "expires_at": _time(approval.expires_at),
        "requested_at": _time(approval.requested_at),
        "decided_at": _time(approval.decided_at),
        "requester": str(approval.requester_id),
        "who": policy.describe() if policy else "",
        "may_decide": _may_still_decide(user, approval, decisions),
        "decisions": [
            {
                "user": decision.username,
                "verdict": decision.verdict,
                "reason": decision.reason,
                "option": decision.option,
                "door": decision.door,
                "created_at": _time(decision.created_at),
            }
            for decision in decisions
        ],
        "version": approval.version,
    }


def _may_still_decide(user: Any, approval: Approval, decisions: list[Decision]) -> bool:
    """Open, these arguments not answered by this user before, and theirs to answer."""
    if approval.status != ApprovalStatus.PENDING:
        return False
    digest = approval.args_digest
    if any(d.user_id == user.pk and d.args_digest == digest for d in decisions):
        return False
    return may_decide(user, approval) is None


def run_row(run: Run) -> Row:
    """A run."""
    return {
        "id": str(run.pk),
        "thread": str(run.thread_id),
        "message": str(run.message_id),
        "agent": run.agent,
        "status": run.status,
        "reason": run.reason,
        "roundtrips": run.roundtrips,
        "usage": run.usage,
        "error": run.error,
        "cancel_requested": run.cancel_requested_at is not None,
        "created_at": _time(run.created_at),
        "started_at": _time(run.started_at),
        "finished_at": _time(run.finished_at),
        "version": run.version,
    }


def load_message_rows(messages: Sequence[Message]) -> list[Row]:
    """Messages with their siblings and runs: two queries, however many messages."""
    siblings = Message.siblings_of(messages)
    runs = runs_of(messages)
    return [
        message_row(message, siblings.get(message.pk, ()), runs.get(message.pk))
        for message in messages
    ]


def runs_of(messages: Iterable[Message]) -> dict[uuid.UUID, Run]:
    """The run that writes or wrote each of these messages, by message id; one query."""
    found = Run.objects.filter(message__in=[message.pk for message in messages])
    return {run.message_id: run for run in found}


def load_tool_call_rows(calls: Sequence[ToolCall]) -> list[Row]:
    """Tool calls with the ids of their approvals; one query."""
    approvals = dict(
        Approval.objects.filter(tool_call__in=[call.pk for call in calls]).values_list(
            "tool_call_id", "pk"
        )
    )
    return [tool_call_row(call, approvals.get(call.pk)) for call in calls]


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _time(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat()
