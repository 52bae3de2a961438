"""What a feed reads: a thread as it stands, or what has changed since a version. Sync.

No transaction holds these reads together, and none is needed: the version is read first, so a row
that changes meanwhile is newer than the answer says, and comes again with the next one.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, Q

from ..core.statuses import ACTIVE_RUN, RunStatus
from ..exceptions import NotFound
from ..models import Approval, Message, Run, RunEvent, Thread, ToolCall
from .rows import (
    Row,
    approval_row,
    load_message_rows,
    load_tool_call_rows,
    run_row,
    thread_row,
)
from .store.left_over import fold_journal
from .store.state import stored_metadata

PAGE = 50
"""Messages in a snapshot. Earlier ones are asked for by their number."""


@dataclass(slots=True)
class Caught:
    """What a reader had missed: changed rows, and events that no row has folded in yet."""

    changes: Row | None = None
    events: list[Row] = field(default_factory=list)


def snapshot(thread_id: uuid.UUID, user: Any) -> Row:
    """The thread as it stands: the newest page of the branch shown, and all that is open.

    A fixed number of queries. Messages that a run is writing are folded up to ``cursors``.
    """
    thread = Thread.objects.with_activity().filter(pk=thread_id).first()
    if thread is None:
        raise NotFound
    messages = Message.objects.branch(thread.head_id, PAGE + 1)
    has_more = len(messages) > PAGE
    queued = list(Message.objects.queued().filter(thread=thread))
    messages = messages[-PAGE:] + queued
    return {
        "type": "snapshot",
        "thread": thread_row(thread),
        **rows_of(messages, user),
        "version": thread.version,
        "has_more": has_more,
        "queued": [str(message.pk) for message in queued],
    }


def rows_of(messages: list[Message], user: Any) -> Row:
    """Messages of one thread with all that hangs on them, in a fixed number of queries.

    A message that a run is writing is folded up to the run's number in ``cursors``.
    """
    ids = [message.pk for message in messages]
    rows = load_message_rows(messages)
    runs = list(Run.objects.filter(message__in=ids))
    calls = _calls(Q(message__in=ids))
    cursors = _fold_running(messages, rows, calls, runs)
    approvals = _approvals(Q(tool_call__in=[call.pk for call in calls]))
    return {
        "messages": rows,
        "tool_calls": load_tool_call_rows(calls),
        "approvals": [approval_row(approval, user) for approval in approvals],
        "runs": [run_row(run) for run in runs],
        "cursors": cursors,
    }


def catch_up(
    thread_id: uuid.UUID, user: Any, version: int, cursors: dict[str, int]
) -> Caught | None:
    """The rows that changed after ``version``, and the events after ``cursors``; None if deleted."""
    thread = Thread.objects.with_activity().filter(pk=thread_id).first()
    if thread is None:
        return None
    caught = Caught()
    known = dict(cursors)
    if thread.version > version:
        caught.changes = _changes(thread, user, version, known)
    caught.events = _events(thread, known)
    return caught


def _changes(thread: Thread, user: Any, version: int, known: dict[str, int]) -> Row:
    newer = Q(thread=thread, version__gt=version)
    messages = list(Message.objects.filter(newer).order_by("seq"))
    rows = load_message_rows(messages)
    for row in rows:
        if cursor := row.get("cursor"):
            if known.get(cursor["run"], 0) > cursor["seq"]:
                # The reader has folded further than the row: the parts it has are the newer ones.
                del row["parts"], row["cursor"]
            else:
                known[cursor["run"]] = cursor["seq"]
    return {
        "type": "changes",
        "thread_id": str(thread.pk),
        "from": version,
        "version": thread.version,
        "thread": thread_row(thread),
        "messages": rows,
        "tool_calls": load_tool_call_rows(_calls(newer)),
        "approvals": [approval_row(approval, user) for approval in _approvals(newer)],
        "runs": [run_row(run) for run in Run.objects.filter(newer)],
        "queued": [str(pk) for pk in _queued_ids(thread)],
    }


def _queued_ids(thread: Thread) -> list[uuid.UUID]:
    return list(Message.objects.queued().filter(thread=thread).values_list("pk", flat=True))


def _events(thread: Thread, known: dict[str, int]) -> list[Row]:
    """Events of the active run that the reader has not seen, one frame for each batch."""
    run = Run.objects.filter(thread=thread, status__in=ACTIVE_RUN).first()
    if run is None:
        return []
    seen = known.get(str(run.pk), 0)
    frames: list[Row] = []
    for batch in RunEvent.objects.filter(run=run, last__gt=seen).order_by("first"):
        skipped = max(seen + 1 - batch.first, 0)
        frames.append(
            {
                "type": "events",
                "thread_id": str(thread.pk),
                "run": str(run.pk),
                "message": str(run.message_id),
                "from": batch.first + skipped,
                "to": batch.last,
                "events": batch.events[skipped:],
            }
        )
    return frames


def _fold_running(
    messages: list[Message], rows: list[Row], calls: list[ToolCall], runs: list[Run]
) -> dict[str, int]:
    """Fold what the journal has into the messages that are being written; returns how far."""
    cursors = {str(run.pk): 0 for run in runs}
    by_message = {run.message_id: run for run in runs}
    writing = [run.pk for run in runs if run.status in ACTIVE_RUN]
    batches = list(
        RunEvent.objects.filter(run__in=writing, last__gt=F("run__message__folded_seq")).order_by(
            "first"
        )
    )
    for message, row in zip(messages, rows, strict=True):
        run = by_message.get(message.pk)
        if run is None:
            continue
        seq = message.folded_seq
        mine = [batch for batch in batches if batch.run_id == run.pk]
        if mine:
            row["parts"], row["metadata"], seq = _folded(message, calls, mine)
            row["status"] = {"type": RunStatus.RUNNING, "reason": ""}
        row["cursor"] = {"run": str(run.pk), "seq": seq}
        cursors[str(run.pk)] = seq
    return cursors


def _folded(
    message: Message, calls: list[ToolCall], batches: list[RunEvent]
) -> tuple[list[Row], Row, int]:
    mine = [call for call in calls if call.message_id == message.pk]
    known = {str(call.pk) for call in mine}
    folded, seq = fold_journal(message, mine, batches)
    parts: list[Row] = []
    for part in folded.parts:
        if part.type == "tool_call" and part.id in known:
            parts.append({"type": "tool_call", "id": part.id})
        else:
            # A call that is still being written has no row yet; it comes whole.
            parts.append(part.to_json())
    return parts, stored_metadata(folded), seq


def _calls(condition: Q) -> list[ToolCall]:
    return list(ToolCall.objects.filter(condition).select_related("approval"))


def _approvals(condition: Q) -> list[Approval]:
    return list(
        Approval.objects.filter(condition).select_related("tool_call").prefetch_related("decisions")
    )
