"""How a run of AG-UI ends: what the thread waits for, or how the last run of ours went."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ag_ui.core import (
    BaseEvent,
    Interrupt,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    TokenUsage,
)

from ...core.statuses import Reason, RunStatus, ToolCallStatus, ToolKind
from ...models import Run, Thread, ToolCall
from ...runtime.rows import Row
from ..following import Ended
from .interrupts import interrupt_of, split
from .said import Said

_WORDS = {
    Reason.CONTENT_FILTER: "The model's provider ended the answer: its content filter.",
    Reason.MAX_ROUNDTRIPS: "The agent reached its limit of steps.",
    Reason.INTERRUPTED: "The server was interrupted. Please try again.",
}


@dataclass(frozen=True, slots=True)
class Closing:
    """What the thread waits for: approvals that this user may decide, calls that a page answers."""

    interrupts: tuple[Row, ...] = ()
    pending: tuple[str, ...] = ()


def read_closing(thread_id: uuid.UUID | None, user: Any) -> Closing:
    """What the thread waits for now. Sync."""
    thread = Thread.objects.filter(pk=thread_id).first() if thread_id else None
    if thread is None:
        return Closing()
    mine, _ = split(thread, user)
    calls = (
        ToolCall.objects.filter(run__in=Run.objects.waiting().filter(thread=thread))
        .filter(run__is_detached=False)
        .open()
        .exclude(kind=ToolKind.SERVER)
        .exclude(status=ToolCallStatus.AWAITING_APPROVAL)
        .order_by("message__seq", "position")
    )
    return Closing(tuple(mine), tuple(str(pk) for pk in calls.values_list("pk", flat=True)))


def closing_events(said: Said, closing: Closing, ended: Ended | None) -> Iterator[BaseEvent]:
    """The one terminal event."""
    ids: dict[str, Any] = {"thread_id": said.thread_id, "run_id": said.run_id}
    usage = _usage(ended) if ended and said.is_modern else None
    if ended is not None and ended.status.type == RunStatus.INCOMPLETE:
        yield from _incomplete(said, ended, ids, usage)
        return
    if closing.interrupts:
        outcome: Any = RunFinishedInterruptOutcome(
            type="interrupt",
            interrupts=[Interrupt(**interrupt_of(row, said)) for row in closing.interrupts],
        )
    elif not said.is_modern:
        outcome = None
    else:
        # Always listed: what is missing here and unanswered is the server's to run.
        pending = list(closing.pending)
        outcome = RunFinishedSuccessOutcome(type="success", pending_tool_call_ids=pending)
    yield RunFinishedEvent(**ids, outcome=outcome, usage=usage)


def _incomplete(
    said: Said, ended: Ended, ids: dict[str, Any], usage: list[TokenUsage] | None
) -> Iterator[BaseEvent]:
    reason = ended.status.reason
    if reason == Reason.CANCELLED:
        if said.is_modern:
            yield RunFinishedEvent(
                **ids, outcome=RunFinishedCancelledOutcome(type="cancelled"), usage=usage
            )
        else:
            # CopilotKit takes exactly this code for a stop, and reports no error.
            yield RunErrorEvent(message="The run was stopped.", code="abort")
    elif reason == Reason.ERROR or reason in _WORDS:
        error = ended.error or {}
        yield RunErrorEvent(
            message=error.get("message") or _WORDS.get(reason, "Something went wrong."),
            code=error.get("code") or str(reason),
            usage=usage,
        )
    else:
        result = {"status": "incomplete", "reason": str(reason)}
        outcome = RunFinishedSuccessOutcome(type="success") if said.is_modern else None
        yield RunFinishedEvent(**ids, outcome=outcome, result=result, usage=usage)


def _usage(ended: Ended) -> list[TokenUsage] | None:
    tokens = ended.run["usage"] or {}
    known = {
        "input_tokens": tokens.get("input_tokens"),
        "output_tokens": tokens.get("output_tokens"),
        "reasoning_tokens": tokens.get("reasoning_tokens"),
        "cached_input_tokens": tokens.get("cache_read_tokens"),
        "cache_write_input_tokens": tokens.get("cache_write_tokens"),
    }
    counts: dict[str, Any] = {
        name: count for name, count in known.items() if isinstance(count, int)
    }
    if not counts:
        return None
    return [TokenUsage(model=ended.message.get("model") or None, **counts)]
