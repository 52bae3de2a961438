"""Ending a run, and every call it leaves open."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from ...core import texts
from ...core.statuses import ACTIVE_RUN, ApprovalStatus, Reason, Status, ToolCallStatus
from ...models import Approval, Message, Run, Thread, ToolCall
from ...signals import run_finished
from .calls import tell_outcome
from .changes import after_commit
from .left_over import keep_streamed


def end_run(
    thread: Thread,
    run: Run,
    status: Status,
    *,
    error: dict[str, Any] | None = None,
    last_seq: int | None = None,
    text: str | None = None,
    approval_status: ApprovalStatus = ApprovalStatus.CANCELLED,
    tell: bool = False,
) -> None:
    """End a run, whoever holds it. The thread is locked; what comes next is the caller's.

    ``last_seq`` is the last number of the worker that ends it; without, whoever had it is gone, and
    what that one streamed is kept as it is after a stop.

    ``text`` is what the model is told of calls that had not begun. ``tell``: where it was told that
    a call waits, its end enters the thread as an event, as any other outcome does.
    """
    close_calls(thread, run, text or texts.not_run(status.reason), approval_status, tell=tell)
    written: dict[str, Any] = {}
    if last_seq is None and run.attempt and run.status in ACTIVE_RUN:
        written = keep_streamed(thread, run, status.reason)
    run.status, run.reason = status.type, status.reason
    if status.reason is Reason.MAX_ROUNDTRIPS and error is None:
        # Nobody is left with an answer that just ends: it says why.
        error = {"code": "max_roundtrips", "message": texts.stopped_after(run.roundtrips)}
    changes: dict[str, Any] = {"error": error} if error else {}
    Run.objects.filter(pk=run.pk).update(
        status=status.type,
        reason=status.reason,
        finished_at=timezone.now(),
        ready_at=None,
        last_seq=run.last_seq if last_seq is None else last_seq,
        version=thread.version,
        **changes,
        **run.lease_fields(),
    )
    Message.objects.filter(pk=run.message_id).update(
        status=status.type, reason=status.reason, version=thread.version, **written, **changes
    )
    after_commit(run_finished, Run, run=run)


def close_calls(
    thread: Thread,
    run: Run,
    text: str,
    approval_status: ApprovalStatus = ApprovalStatus.CANCELLED,
    *,
    tell: bool = False,
) -> None:
    """Answer every open call of a run: not begun is cancelled, begun is interrupted."""
    for call in ToolCall.objects.filter(run=run).open().select_related("approval"):
        begun = call.status == ToolCallStatus.EXECUTING
        call.settle(
            ToolCallStatus.INTERRUPTED if begun else ToolCallStatus.CANCELLED,
            result=texts.INTERRUPTED if begun else text,
            is_error=True,
            version=thread.version,
        )
        Approval.objects.filter(tool_call=call).pending().update(
            status=approval_status, decided_at=timezone.now(), version=thread.version
        )
        if tell and call.was_told_waiting:
            call.refresh_from_db()
            tell_outcome(thread, call)
