"""The end of an approval: the approval, its call and its run change together, or not at all."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils import timezone

from ...core import texts
from ...core.statuses import ApprovalStatus, ToolCallStatus, ToolKind
from ...exceptions import NotFound
from ...models import Approval, Thread, ToolCall
from ...signals import approval_decided, tool_call_finished
from .calls import tell_outcome
from .changes import after_commit, changing
from .dispatch import dispatch_next
from .waiting import wake_run


def approve_call(thread: Thread, approval: Approval, *, answer: Any = None) -> bool:
    """The last approval that was needed: the call may run. False if it was too late.

    Where the approval is an answer (a human tool that staff answer), the call is complete with it.
    """
    if not approval.close(ApprovalStatus.APPROVED, version=thread.version):
        return False
    moved = ToolCall.objects.filter(
        pk=approval.tool_call_id, status=ToolCallStatus.AWAITING_APPROVAL
    ).update(status=ToolCallStatus.APPROVED, version=thread.version)
    if not moved:
        return False
    call = approval.tool_call
    if call.answer_schema is not None and call.kind == ToolKind.HUMAN:
        call.settle(ToolCallStatus.COMPLETE, result=answer, version=thread.version)
        call.refresh_from_db()
        tell_outcome(thread, call)
        after_commit(tool_call_finished, ToolCall, tool_call=call)
    _go_on(thread, approval)
    return True


def refuse_call(
    thread: Thread,
    approval: Approval,
    status: ApprovalStatus,
    call_status: ToolCallStatus,
    text: str,
) -> bool:
    """The approval ended without a yes: the call is answered with ``text``. False if too late."""
    if not approval.close(status, version=thread.version):
        return False
    call = ToolCall.objects.get(pk=approval.tool_call_id)
    if call.settle(call_status, result=text, is_error=True, version=thread.version):
        call.refresh_from_db()
        tell_outcome(thread, call)
        _go_on(thread, approval)
    return True


def expire_approval(approval_id: uuid.UUID) -> bool:
    """End an approval whose time is over, as its policy says. False when it has ended already."""
    approval = Approval.objects.overdue(timezone.now()).filter(pk=approval_id).first()
    if approval is None:
        return False
    try:
        with changing(approval.thread_id) as thread:
            if approval.policy.get("on_expiry") == "deny":
                expired = refuse_call(
                    thread,
                    approval,
                    ApprovalStatus.EXPIRED,
                    ToolCallStatus.DENIED,
                    texts.DENIED_BY_EXPIRY,
                )
            else:
                expired = refuse_call(
                    thread, approval, ApprovalStatus.EXPIRED, ToolCallStatus.EXPIRED, texts.EXPIRED
                )
            if expired:
                after_commit(approval_decided, Approval, approval=approval, decision=None)
            return expired
    except NotFound:
        return False


def _go_on(thread: Thread, approval: Approval) -> None:
    run = approval.tool_call.run
    if not wake_run(thread, run):
        dispatch_next(thread)
