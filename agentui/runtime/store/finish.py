"""The end of a run, by the worker that carries it out."""

from __future__ import annotations

from typing import Any

from ...core.statuses import Status
from .changes import changing, hold
from .claim import Claim
from .dispatch import dispatch_next
from .ending import end_run


def finish_run(claim: Claim, status: Status, error: dict[str, Any] | None = None) -> None:
    """Store how the run ended, close its open calls with a true text, and let the thread go on."""
    with changing(claim.thread_id) as thread:
        run = hold(claim.run_id, claim.attempt)
        end_run(thread, run, status, error=error, last_seq=claim.last_seq, tell=True)
        dispatch_next(thread)
