"""A thread's state, as its page and its tools change it: by operations, all of them or none."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Sequence

from ...conf import app_settings
from ...core.clean import TooDeep, clean
from ...core.state_ops import StateOperationError, apply_operations
from ...core.statuses import ToolCallStatus
from ...core.values import Json
from ...exceptions import Fenced, InvalidInput, NotFound, TooLarge
from ...models import Thread, ToolCall
from .changes import changing, hold
from .claim import Claim

logger = logging.getLogger("agentui")


def changed_state(state: Json, operations: Sequence[Json]) -> Json:
    """The state after all of these operations, cleaned and of a size that is accepted.

    Raises :class:`InvalidInput` or :class:`TooLarge`; the state given is never written to.
    """
    try:
        changed = clean(apply_operations(state, operations, strict=True))
    except (StateOperationError, ValueError, KeyError, TypeError) as error:
        raise InvalidInput(f"The state was not changed: {error}") from None
    check_state_size(changed)
    return changed


def check_state_size(state: Json) -> None:
    """Raises :class:`TooLarge`."""
    size = len(json.dumps(state))
    if size > app_settings.MAX_STATE_BYTES:
        raise TooLarge(
            f"A thread's state may have {app_settings.MAX_STATE_BYTES:,} bytes; "
            f"this would have {size:,}."
        )


def change_state(thread: Thread, operations: Sequence[Json]) -> None:
    """Change the state of a thread that is locked."""
    thread.state = changed_state(thread.state, operations)
    thread.save(update_fields=["state"])


def change_state_in_call(claim: Claim, call_id: uuid.UUID, operations: Sequence[Json]) -> Json:
    """Write what a running tool writes; returns the state as it stands then.

    Raises :class:`Fenced` once the call is over or another worker's: a tool that was stopped, that
    took too long, or whose process was thought dead changes nothing.
    """
    with changing(claim.thread_id) as thread:
        run = hold(claim.run_id, claim.attempt)
        if not ToolCall.objects.filter(
            pk=call_id, run=run, status=ToolCallStatus.EXECUTING, attempt=claim.attempt
        ).exists():
            raise Fenced("This call is over, so it changes nothing any more.")
        change_state(thread, operations)
        claim.saw(thread)
        state: Json = thread.state
    return state


def update_state(thread: Thread, operations: Sequence[Json]) -> None:
    """Change the state of a thread that is locked by what an answer of its model says of it.

    An operation that does not fit is skipped, and a state that would be too large or too deep stays
    as it was: the answer is worth more, and the log says so.
    """
    if not operations:
        return
    try:
        state = clean(apply_operations(thread.state, operations, strict=False))
        check_state_size(state)
    except (TooDeep, TooLarge) as problem:
        logger.warning("Thread %s: its agent's state is not kept: %s", thread.pk, problem)
        return
    thread.state = state
    thread.save(update_fields=["state"])


def read_state(thread_id: uuid.UUID) -> Json:
    """The state as it is now. Raises :class:`NotFound` when the thread is gone."""
    row = Thread.objects.filter(pk=thread_id).values_list("state").first()
    if row is None:
        raise NotFound
    return row[0]
