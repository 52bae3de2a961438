"""Taking up a run."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import Max
from django.utils import timezone

from ...conf import app_settings
from ...core import texts
from ...core.statuses import RunStatus, ToolCallStatus
from ...exceptions import NotFound
from ...models import Approval, Message, Run, RunEvent, Thread, ToolCall
from .changes import changing

#: After a crash the numbering goes on from here on: what the dead worker sent to open pages but
#: did not commit had numbers too, and a page must not take new events for those.
_SEQ_LEAP = 1_000_000


@dataclass(slots=True)
class Claim:
    """A run in the hands of one worker. ``last_seq`` is the number of its last event so far."""

    run_id: uuid.UUID
    thread_id: uuid.UUID
    message_id: uuid.UUID
    parent_id: uuid.UUID | None
    owner_id: Any
    agent: str
    attempt: int
    last_seq: int
    tools: list[dict[str, Any]]
    context: list[dict[str, Any]]
    config: dict[str, Any]
    thread_state: Any = None
    version: int = 0
    usage: dict[str, int] = field(default_factory=dict)

    def saw(self, thread: Thread) -> None:
        """The rows this worker knows of; what it publishes from here on tells pages so."""
        self.version = max(self.version, thread.version)


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
            was_crash = run.reason == "interrupted"
            run.refresh_from_db()
            if was_crash:
                _settle_left_over(run, thread)
            Run.objects.filter(pk=run.pk).update(version=thread.version)
    except (NotFound, Run.DoesNotExist):
        return None
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
    """Let a run whose worker is gone be claimed again. False when it has been renewed meanwhile."""
    with changing(run.thread_id) as thread:
        requeued = Run.objects.lost(timezone.now()).filter(pk=run.pk, attempt=run.attempt)
        return bool(
            requeued.update(
                status=RunStatus.QUEUED,
                reason="interrupted",
                lease_owner="",
                lease_expires_at=None,
                queued_at=timezone.now(),
                version=thread.version,
            )
        )


def _settle_left_over(run: Run, thread: Thread) -> None:
    executing = ToolCall.objects.filter(run=run, status=ToolCallStatus.EXECUTING, kind="server")
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
    journal = RunEvent.objects.filter(run=run)
    last = journal.aggregate(last=Max("last"))["last"] or run.last_seq
    run.last_seq = (last // _SEQ_LEAP + 1) * _SEQ_LEAP
    Run.objects.filter(pk=run.pk).update(last_seq=run.last_seq)
    Message.objects.filter(pk=run.message_id).update(
        folded_seq=run.last_seq, version=thread.version
    )
