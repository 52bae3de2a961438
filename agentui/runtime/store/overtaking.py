"""What a new message does to calls that still wait: each call's tool has said it.

``reject`` refuses the message. ``cancel`` withdraws the call, with a true text. ``continue`` leaves it
open; the model is told that it waits, and its outcome will come as an event.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from ...core import texts
from ...core.statuses import CANCELLED, ApprovalStatus, RunStatus, ToolCallStatus
from ...exceptions import ThreadWaiting
from ...models import Approval, Run, Thread, ToolCall
from .ending import end_run


def overtake(thread: Thread) -> None:
    """A person's new message goes past the runs that wait. The thread is locked.

    Raises :class:`ThreadWaiting`, with nothing changed, when a call does not let it.
    """
    waiting = list(Run.objects.waiting().filter(thread=thread))
    calls = {run.pk: list(ToolCall.objects.filter(run=run).open()) for run in waiting}
    if any(call.while_waiting == "reject" for run in waiting for call in calls[run.pk]):
        raise ThreadWaiting
    for run in waiting:
        staying = [call.pk for call in calls[run.pk] if call.while_waiting == "continue"]
        if not staying:
            end_run(thread, run, CANCELLED, text=texts.CANCELLED_BY_MESSAGE)
            continue
        going = ToolCall.objects.filter(run=run).open().exclude(pk__in=staying)
        _withdraw(thread, going, texts.CANCELLED_BY_MESSAGE)
        ToolCall.objects.filter(pk__in=staying).update(
            was_told_waiting=True, version=thread.version
        )
        Run.objects.filter(pk=run.pk).update(is_detached=True, version=thread.version)


def calls_that_hold() -> QuerySet[ToolCall]:
    """Open calls of waiting runs that a message from the queue does not go past.

    It was written before the question was asked, so it is no answer to it and withdraws nothing:
    the queue waits until the person has answered, or has sent something new.
    """
    return (
        ToolCall.objects.open()
        .filter(run__status=RunStatus.REQUIRES_ACTION)
        .exclude(while_waiting="continue")
    )


def is_held(thread: Thread) -> bool:
    """A question to the person is open in this thread, so its queue waits."""
    return calls_that_hold().filter(thread=thread).exists()


def held_threads() -> Exists:
    """:func:`is_held`, as a condition on threads."""
    return Exists(calls_that_hold().filter(thread=OuterRef("pk")))


def _withdraw(thread: Thread, calls: Any, text: str) -> None:
    for call in calls:
        call.settle(ToolCallStatus.CANCELLED, result=text, is_error=True, version=thread.version)
        Approval.objects.filter(tool_call=call).pending().update(
            status=ApprovalStatus.CANCELLED, decided_at=timezone.now(), version=thread.version
        )
