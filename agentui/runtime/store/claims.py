"""Taking up a run."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.db.models import F, Max, QuerySet
from django.utils import timezone

from ...conf import app_settings
from ...core import texts
from ...core.statuses import Reason, RunStatus, Status, ToolCallStatus, ToolKind
from ...exceptions import NotFound
from ...models import Approval, Message, Run, RunEvent, Thread, ToolCall
from ...signals import run_started
from .calls import tell_outcome
from .changes import after_commit, changing
from .claim import Claim
from .dispatch import dispatch_next
from .ending import end_run
from .launching import queue_launch
from .left_over import after_crash, keep_streamed

_LOST_TOO_OFTEN = {
    "code": "interrupted",
    "message": "The server stopped again and again while this answer was being written.",
}


def claim_run(run_id: uuid.UUID, owner: str) -> Claim | None:
    """Take up a queued run for worker ``owner``; None when there is nothing to take up.

    A second attempt settles what the first left: a call it had begun is ``interrupted``, or ready
    again when its tool is idempotent, and what it streamed but did not store is dropped.
    """
    thread_id = Run.objects.filter(pk=run_id).values_list("thread_id", flat=True).first()
    if thread_id is None:
        return None
    try:
        with changing(thread_id) as thread:
            run = Run.objects.select_related("message").get(pk=run_id)
            if not run.claim(owner, timedelta(seconds=app_settings.LEASE_SECONDS)):
                return None
            was_crash = run.reason == Reason.INTERRUPTED
            run.refresh_from_db()
            if was_crash:
                _settle_left_over(run, thread)
            Run.objects.filter(pk=run.pk).update(version=thread.version)
            if run.attempt == 1:
                after_commit(run_started, Run, run=run)
            return _claim(thread, run)
    except (NotFound, Run.DoesNotExist):
        return None


def _claim(thread: Thread, run: Run) -> Claim:
    return Claim(
        run_id=run.pk,
        thread_id=thread.pk,
        message_id=run.message_id,
        parent_id=run.message.parent_id,
        owner_id=thread.owner_id,
        agent=run.agent,
        attempt=run.attempt,
        last_seq=run.last_seq,
        tools=run.tools,
        context=run.context,
        config=run.config,
        thread_state=thread.state,
        version=thread.version,
        usage=run.usage,
    )


def requeue_lost(run: Run) -> bool:
    """Let a run whose worker is gone be claimed again. False when it has been renewed meanwhile.

    A run that costs one worker after the other, without any progress between, is given up: it may
    be what kills them.
    """
    with changing(run.thread_id) as thread:
        lost = Run.objects.lost(timezone.now()).filter(pk=run.pk, attempt=run.attempt)
        if run.losses + 1 < app_settings.MAX_WORKERS_LOST:
            return bool(lost.update(**_put_back(thread), losses=F("losses") + 1))
        if not lost.update(losses=F("losses") + 1):
            return False
        run.refresh_from_db()
        end_run(
            thread, run, Status(RunStatus.INCOMPLETE, Reason.INTERRUPTED), error=_LOST_TOO_OFTEN
        )
        dispatch_next(thread)
        return True


def release_run(claim: Claim) -> bool:
    """Give a run back that this worker cannot carry on with; another may claim it at once.

    What it leaves open is settled by the next claim, as after a crash. False when it is no longer
    this worker's.
    """
    return _give_back(Run.objects.filter(pk=claim.run_id, attempt=claim.attempt))


def release_taken(run_id: uuid.UUID, owner: str) -> bool:
    """:func:`release_run`, for a worker that was told to end while it took the run up, and does not
    know whether it has."""
    return _give_back(Run.objects.filter(pk=run_id, lease_owner=owner))


def _give_back(held: QuerySet[Run]) -> bool:
    running = held.filter(status=RunStatus.RUNNING)
    run = running.only("thread_id").first()
    if run is None:
        return False
    try:
        with changing(run.thread_id) as thread:
            if not running.update(**_put_back(thread)):
                return False
            queue_launch(run.pk, thread.pk)
            return True
    except NotFound:
        return False


def _put_back(thread: Thread) -> dict[str, Any]:
    return {
        "status": RunStatus.QUEUED,
        "reason": Reason.INTERRUPTED,
        "lease_owner": "",
        "lease_expires_at": None,
        # Long ago, so that whoever looks next takes it up.
        "queued_at": timezone.now() - timedelta(minutes=1),
        "version": thread.version,
    }


def _settle_left_over(run: Run, thread: Thread) -> None:
    executing = ToolCall.objects.filter(
        run=run, status=ToolCallStatus.EXECUTING, kind=ToolKind.SERVER
    )
    for call in executing:
        if call.is_idempotent:
            back = (
                ToolCallStatus.APPROVED
                if Approval.objects.filter(tool_call=call).exists()
                else ToolCallStatus.PENDING
            )
            ToolCall.objects.filter(pk=call.pk, status=ToolCallStatus.EXECUTING).update(
                status=back, version=thread.version
            )
        else:
            call.settle(
                ToolCallStatus.INTERRUPTED,
                result=texts.INTERRUPTED,
                is_error=True,
                version=thread.version,
            )
            call.refresh_from_db()
            tell_outcome(thread, call)
    journal = RunEvent.objects.filter(run=run)
    last = journal.aggregate(last=Max("last"))["last"] or run.last_seq
    run.last_seq = after_crash(last)
    Run.objects.filter(pk=run.pk).update(last_seq=run.last_seq)
    # It is begun again, unless somebody has stopped it: then it ends with what it has.
    stopped = run.cancel_requested_at is not None
    kept = keep_streamed(thread, run, Reason.CANCELLED) if stopped else {}
    Message.objects.filter(pk=run.message_id).update(
        **{**kept, "folded_seq": run.last_seq, "version": thread.version}
    )
