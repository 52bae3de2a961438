"""What a run streamed and no row has folded in yet: read from the journal, folded into its message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ...core.accumulator import accumulate
from ...core.events import StreamEvent, UpdateState, event_from_json
from ...core.parts import Message as CoreMessage
from ...core.parts import ToolCallPart
from ...core.settle import settle_cut
from ...core.statuses import Reason
from ...models import Message, Run, RunEvent, Thread, ToolCall
from .shared_state import update_state
from .state import core_message, stored_metadata, stored_parts

#: After a crash the numbering goes on from here on: what the dead worker sent to open pages but
#: did not commit had numbers too, and a page must not take new events for those.
_SEQ_LEAP = 1_000_000


def after_crash(last: int) -> int:
    """The number after which a run goes on whose worker is gone, and had come to ``last`` at least."""
    return (last // _SEQ_LEAP + 1) * _SEQ_LEAP


def fold_journal(
    message: Message, calls: Iterable[ToolCall], batches: Iterable[RunEvent]
) -> tuple[CoreMessage, int]:
    """The message as it is with these events, and the number of the last one that is in it."""
    events, seq = _unfolded(message, batches)
    return accumulate(core_message(message, calls), events), seq


def _unfolded(message: Message, batches: Iterable[RunEvent]) -> tuple[list[StreamEvent], int]:
    """The events that the row does not hold yet, and the number of the last one.

    A gap in the numbers ends it: what comes behind belongs to a newer row than this one.
    """
    seq = message.folded_seq
    events: list[StreamEvent] = []
    for batch in batches:
        if batch.last <= seq:
            continue
        if batch.first > seq + 1:
            break
        events += [event_from_json(event) for event in batch.events[seq + 1 - batch.first :]]
        seq = batch.last
    return events, seq


def keep_streamed(thread: Thread, run: Run, reason: Reason) -> dict[str, Any]:
    """The fields of the run's message with what its worker, which is gone, had streamed; what it said
    of the state of the thread, which is locked, is stored.

    Empty when that is stored already. Its calls had not begun, and are no part of the message. The
    number is one that no page has seen, so that each of them takes the row as it is.
    """
    message = Message.objects.get(pk=run.message_id)
    batches = list(RunEvent.objects.filter(run=run, last__gt=message.folded_seq).order_by("first"))
    if not batches:
        return {}
    calls = list(ToolCall.objects.filter(message=message).select_related("approval"))
    events, _ = _unfolded(message, batches)
    said = (event.operations for event in events if isinstance(event, UpdateState))
    update_state(thread, [operation for operations in said for operation in operations])
    folded = accumulate(core_message(message, calls), events)
    known = {str(call.pk) for call in calls}
    parts = tuple(
        part
        for part in settle_cut(folded, reason).parts
        if not isinstance(part, ToolCallPart) or part.id in known
    )
    kept = replace(folded, parts=parts)
    return {
        "parts": stored_parts(kept),
        "metadata": stored_metadata(kept),
        "folded_seq": after_crash(batches[-1].last),
    }
