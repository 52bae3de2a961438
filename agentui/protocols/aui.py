"""Values of agentui in assistant-ui's words: camelCase keys, hyphenated words. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from ..core.parts import ApprovalState
from ..core.statuses import ApprovalStatus, Reason, RunStatus, Status
from .items import Row

_RUN_REASONS = {
    Reason.STOP: "stop",
    Reason.TOOL_CALLS: "tool-calls",
    Reason.LENGTH: "length",
    Reason.CONTENT_FILTER: "content-filter",
    Reason.ERROR: "error",
}

_OPTION_KINDS = {
    "allow_once": "allow-once",
    "allow_always": "allow-always",
    "deny_once": "reject-once",
    "deny_always": "reject-always",
}


def finish_reason(reason: str) -> str:
    """A reason as a stream ends with it."""
    return reason.replace("_", "-")


def run_reason(status: Status) -> str:
    """Why a run is over, or ``tool-calls`` while it waits."""
    if status.type is RunStatus.REQUIRES_ACTION:
        return "tool-calls"
    return _RUN_REASONS.get(status.reason, "other")


def usage(tokens: Row | None) -> Row:
    """Tokens as these streams count them; both numbers are always there."""
    given = tokens or {}
    return {
        "inputTokens": given.get("input_tokens") or 0,
        "outputTokens": given.get("output_tokens") or 0,
    }


def status(message_status: Row, error: Row | None = None) -> Row:
    """A message's status. ``queued`` is running; reasons that assistant-ui lacks are ``other``."""
    kind, reason = message_status["type"], message_status.get("reason") or ""
    if kind in (RunStatus.QUEUED, RunStatus.RUNNING):
        return {"type": "running"}
    if kind == RunStatus.REQUIRES_ACTION:
        return {"type": "requires-action", "reason": "tool-calls"}
    if kind == RunStatus.COMPLETE:
        return {"type": "complete", "reason": "stop" if reason == "stop" else "unknown"}
    known = {
        Reason.CANCELLED: "cancelled",
        Reason.LENGTH: "length",
        Reason.CONTENT_FILTER: "content-filter",
        Reason.ERROR: "error",
        Reason.MAX_ROUNDTRIPS: "tool-calls",
    }
    found: Row = {"type": "incomplete", "reason": known.get(Reason(reason), "other")}
    return {**found, "error": error} if error and found["reason"] == "error" else found


def approval_state(approval: ApprovalState) -> Row:
    """An approval as a tool call's part shows it."""
    state: Row = {"id": approval.id}
    if approval.status in (ApprovalStatus.APPROVED, ApprovalStatus.DENIED):
        state["approved"] = approval.status is ApprovalStatus.APPROVED
    elif approval.status is not ApprovalStatus.PENDING:
        expired = approval.status is ApprovalStatus.EXPIRED
        state["resolution"] = "expired" if expired else "cancelled"
    if approval.option:
        state["optionId"] = approval.option
    if approval.reason:
        state["reason"] = approval.reason
    if approval.is_automatic:
        state["isAutomatic"] = True
    if approval.options:
        state["options"] = [_option(option.to_json()) for option in approval.options]
    return state


def approval_row(row: Row) -> Row:
    """The same from an approval's row, with what a page may show about it."""
    state: Row = {
        "id": row["id"],
        "mayDecide": row["may_decide"],
        "who": row["who"],
        "reasonRequired": row["reason_required"],
    }
    if row["options"]:
        state["options"] = [_option(option) for option in row["options"]]
    if row["expires_at"]:
        state["expiresAt"] = row["expires_at"]
    if row["status"] in ("approved", "denied"):
        state["approved"] = row["status"] == "approved"
    elif row["status"] != "pending":
        state["resolution"] = "expired" if row["status"] == "expired" else "cancelled"
    if row["decisions"]:
        last = row["decisions"][-1]
        state |= {"optionId": last["option"]} if last["option"] else {}
        state |= {"reason": last["reason"]} if last["reason"] else {}
    return state


def _option(option: Row) -> Row:
    kind = _OPTION_KINDS.get(option["kind"], option["kind"])
    texts = {name: option[name] for name in ("label", "description") if option.get(name)}
    return {"id": option["id"], "kind": kind, **texts}


def timestamp(value: Any) -> str:
    """A time as JavaScript's ``toISOString`` writes it; assistant-ui accepts no other form."""
    text = value if isinstance(value, str) else value.isoformat()
    moment = datetime.fromisoformat(text).astimezone(UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
