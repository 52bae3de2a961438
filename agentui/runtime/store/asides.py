"""What is found beside a thread, and stored only while it still fits."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from ...core.clean import clean
from ...core.history import HistoryError, RequestMessage, build_history
from ...core.statuses import RunStatus
from ...exceptions import NotFound
from ...models import Message, Run, Thread, ToolCall
from .changes import changing
from .state import core_message

_MESSAGES = 20
TITLE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Aside:
    """A thread at the end of a run, as somebody is asked about it. ``message_id`` is the answer."""

    thread_id: uuid.UUID
    message_id: uuid.UUID
    agent: str
    is_complete: bool
    is_untitled: bool
    messages: tuple[RequestMessage, ...]


def load_aside(run_id: uuid.UUID) -> Aside | None:
    """What can be asked about after this run; None when the thread is gone or goes on."""
    run = Run.objects.filter(pk=run_id).select_related("thread").first()
    if run is None or run.status in (RunStatus.QUEUED, RunStatus.RUNNING):
        return None
    rows = Message.objects.branch(run.message_id, _MESSAGES)
    calls = list(
        ToolCall.objects.filter(message__in=[row.pk for row in rows]).select_related("approval")
    )
    try:
        messages = build_history(
            [core_message(row, [c for c in calls if c.message_id == row.pk]) for row in rows],
            model=None,
        )
    except HistoryError:
        return None
    return Aside(
        thread_id=run.thread_id,
        message_id=run.message_id,
        agent=run.agent,
        is_complete=run.status == RunStatus.COMPLETE and _is_at_rest(run.thread, run.message_id),
        is_untitled=run.thread.title_source == Thread.TitleSource.UNSET,
        messages=messages,
    )


def store_suggestions(aside: Aside, suggestions: list[dict[str, Any]]) -> bool:
    """Show them below the answer. False when the thread has gone on: then they are not stored."""
    try:
        with changing(aside.thread_id) as thread:
            if not _is_at_rest(thread, aside.message_id):
                return False
            message = Message.objects.get(pk=aside.message_id)
            message.metadata = {**message.metadata, "suggestions": clean(suggestions)}
            message.version = thread.version
            message.save(update_fields=["metadata", "version"])
    except NotFound:
        return False
    return True


def is_wanted(aside: Aside) -> bool:
    """Nothing has been said since."""
    thread = Thread.objects.filter(pk=aside.thread_id).first()
    return thread is not None and _is_at_rest(thread, aside.message_id)


def title_if_unset(thread_id: uuid.UUID, title: str, source: Thread.TitleSource) -> bool:
    """Title a thread that nobody has titled: one conditional UPDATE, so a rename always wins."""
    title = " ".join(clean(title).split())[:TITLE_LENGTH]
    if not title:
        return False
    with changing(thread_id):
        unset = Thread.objects.filter(pk=thread_id, title_source=Thread.TitleSource.UNSET)
        return unset.update(title=title, title_source=source) == 1


def _is_at_rest(thread: Thread, message_id: uuid.UUID) -> bool:
    return (
        thread.head_id == message_id
        and not Run.objects.active().filter(thread=thread).exists()
        and not Run.objects.waiting().filter(thread=thread).exists()
        and not Message.objects.queued().filter(thread=thread).exists()
    )
