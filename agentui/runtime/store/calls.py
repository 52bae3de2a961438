"""Running a server call exactly once: claim, effect, result."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from ...core import texts
from ...core.statuses import Role, RunStatus, ToolCallStatus
from ...models import Message, Run, Thread, ToolCall
from ...signals import tool_call_finished
from .changes import after_commit, changing, hold
from .claim import Claim
from .replies import add_message
from .shared_state import change_state


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer of one call."""

    status: ToolCallStatus
    result: Any = None
    is_error: bool = False
    artifact: Any = None
    model_content: Any = None
    state_operations: tuple[Any, ...] = ()
    """What a transactional tool does to the thread's state; stored with its effect."""


class NotMine(Exception):
    """The call is not to be run: it has been answered, withdrawn, or begun by somebody else."""


def claim_call(claim: Claim, call_id: uuid.UUID) -> ToolCall | None:
    """Begin a call, committed before its tool is called; None when it is not to be run."""
    with changing(claim.thread_id) as thread:
        claim.saw(thread)
        run = hold(claim.run_id, claim.attempt)
        if run.cancel_requested_at is not None:
            return None
        call = ToolCall.objects.get(pk=call_id)
        if not call.claim(claim.attempt, version=thread.version):
            return None
        call.refresh_from_db()
        return call


def settle_call(claim: Claim, call: ToolCall, outcome: Outcome) -> bool:
    """Store a call's answer. False when it was answered meanwhile, for example by a stop.

    Not fenced by the run: what a tool has done is true whoever runs the run by then.
    """
    with changing(claim.thread_id) as thread:
        claim.saw(thread)
        return _settle(thread, call, outcome)


def run_transactional(
    claim: Claim, call_id: uuid.UUID, effect: Callable[[ToolCall], Outcome]
) -> Outcome | None:
    """Effect and result in ONE transaction: a crash leaves neither, or both.

    None when the call is not to be run. An exception of ``effect`` rolls everything back and is
    raised; the call is then as it was before.

    No row of ours is locked while the tool works, so nobody waits for it and nothing can deadlock
    with it: the claim is the conditional UPDATE that stores the result. Whoever comes second there
    has its effect rolled back.
    """
    try:
        with transaction.atomic():
            call = ToolCall.objects.filter(pk=call_id).first()
            # None where its thread was deleted a moment ago; nothing is locked here.
            if call is None or call.status not in (ToolCallStatus.PENDING, ToolCallStatus.APPROVED):
                raise NotMine
            began = timezone.now()
            outcome = effect(call)
            with changing(claim.thread_id) as thread:
                run = hold(claim.run_id, claim.attempt)
                if run.cancel_requested_at is not None:
                    raise NotMine
                if outcome.state_operations:
                    change_state(thread, outcome.state_operations)
                claim.saw(thread)
                claimed = call.claim(claim.attempt, started_at=began)
                if not claimed or not _settle(thread, call, outcome):
                    raise NotMine
            return outcome
    except NotMine:
        return None


def note_progress(claim: Claim, call_id: uuid.UUID, progress: Any) -> None:
    """Show how far a call has come. The last word wins; nothing else depends on it."""
    with changing(claim.thread_id) as thread:
        ToolCall.objects.filter(pk=call_id, status=ToolCallStatus.EXECUTING).update(
            progress=progress, version=thread.version
        )


def _settle(thread: Thread, call: ToolCall, outcome: Outcome) -> bool:
    settled = call.settle(
        outcome.status,
        result=outcome.result,
        is_error=outcome.is_error,
        artifact=outcome.artifact,
        model_content=outcome.model_content,
        version=thread.version,
    )
    if settled:
        Run.objects.filter(pk=call.run_id, losses__gt=0).update(losses=0)
        call.refresh_from_db()
        tell_outcome(thread, call)
        after_commit(tool_call_finished, ToolCall, tool_call=call)
    return settled


def tell_outcome(thread: Thread, call: ToolCall) -> None:
    """Where the model was told that this call waits, tell it the outcome as an event, in its turn.

    What it was told is never rewritten: the event enters at the head, as a queued message that
    starts a run of its own once the thread is free.
    """
    if not call.was_told_waiting:
        return
    answer = call.result if call.model_content is None else call.model_content
    text = texts.outcome(
        call.tool_name,
        call.args_text,
        ToolCallStatus(call.status),
        answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False),
    )
    add_message(
        thread,
        role=Role.EVENT,
        parts=[
            {"type": "text", "text": text},
            {
                "type": "data",
                "name": "tool_call_outcome",
                "data": {
                    "tool_call": str(call.pk),
                    "tool_name": call.tool_name,
                    "status": call.status,
                },
            },
        ],
        parent=None,
        status=RunStatus.QUEUED,
        lane=Message.Lane.STEER,
    )
