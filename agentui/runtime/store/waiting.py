"""A run that waits: pausing it, and waking it when what it waited for has come."""

from __future__ import annotations

from django.utils import timezone

from ...core.next_step import AwaitApproval, AwaitResult, RunState, next_step
from ...core.statuses import Reason, RunStatus
from ...models import Message, Run, Thread
from ...signals import run_waiting
from .changes import after_commit, changing, hold
from .claim import Claim
from .dispatch import dispatch_next, queue_run
from .state import load_state


def pause_run(claim: Claim, *, max_roundtrips: int) -> RunState | None:
    """Put the run down until somebody decides or answers; None when that is done.

    A decision may have come between the loop's look and this transaction. Then the run is not put
    down, and its new state is returned for the loop to go on with.
    """
    with changing(claim.thread_id) as thread:
        run = hold(claim.run_id, claim.attempt)
        state = load_state(run, max_roundtrips=max_roundtrips)
        if not isinstance(next_step(state), AwaitApproval | AwaitResult):
            return state
        Run.objects.filter(pk=run.pk).update(
            status=RunStatus.REQUIRES_ACTION,
            reason=Reason.TOOL_CALLS,
            last_seq=claim.last_seq,
            version=thread.version,
            **run.lease_fields(),
        )
        Message.objects.filter(pk=run.message_id).update(
            status=RunStatus.REQUIRES_ACTION, reason=Reason.TOOL_CALLS, version=thread.version
        )
        dispatch_next(thread)
        after_commit(run_waiting, Run, run=run)
    return None


def wake_run(thread: Thread, run: Run) -> bool:
    """Let a waiting run go on if it has all it waited for. The thread is locked.

    A run that meets an active one waits its turn: it is marked ready and taken up at the end of the
    other. A run that is not waiting needs no waking; its loop looks again before it pauses.
    """
    run.refresh_from_db()
    if run.status != RunStatus.REQUIRES_ACTION:
        return False
    # The limit does not matter here: whether the run may go on does.
    step = next_step(load_state(run, max_roundtrips=run.roundtrips + 1))
    if isinstance(step, AwaitApproval | AwaitResult):
        return False
    if Run.objects.active().filter(thread=thread).exists():
        Run.objects.filter(pk=run.pk, ready_at=None).update(
            ready_at=timezone.now(), version=thread.version
        )
    else:
        queue_run(thread, run)
    return True
