"""Following one run, for an encoder: every event of it once, whatever was streamed before.

Built on the runtime's feed, which tells text by events and everything else by rows. Here both become
one stream of items about one message:

- :class:`Started` comes first, :class:`Ended` last. Between them come events of
  :mod:`agentui.core.events`, whose ``path`` is the part's index in the message, and the items of
  :mod:`.items`. What was streamed before is given again from the first part on, in fewer and larger
  deltas; so a client that comes late, or comes back, gets the same message as one that was there.
- A part opens with ``PartStart`` (text, reasoning and arguments empty), and is closed by
  ``PartFinish`` before the next ``StepStart``, ``StepReset`` or ``Ended``, also when the model's stream
  broke off. Parts may be open side by side. No delta is empty.
- ``ToolCallArgsFinish`` comes once the arguments are whole. ``ApprovalRequest`` and ``ApprovalDecision``
  come once for each call that needs one, ``ToolCallResult`` (with its exact ``status``) once for each
  call, whichever kind it is: also denied, expired, cancelled and interrupted ones have one.
- Every ``StepStart`` has its ``StepFinish`` or a ``StepReset``. They enclose the parts of a roundtrip;
  tool results come between steps.
- ``StepReset(start)``: the parts from ``start`` on are void (the model is asked again, or a worker
  died); they come again with the same indexes. Rare, but it happens after text was shown.
- ``MessageFinish`` and ``ErrorEvent`` are never passed on: ``Ended`` says how it ended, once.
- ``Annotations`` and ``Data`` are passed on as they are; ``UpdateState`` becomes a :class:`StateChanged`,
  like every other change of the thread's state.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from ..conf import app_settings
from ..exceptions import NotFound
from ..models import Message, Run, Thread, ToolCall
from ..permissions import threads_for
from ..runtime.database import in_database
from ..runtime.feed import Cursor, Feed
from ..runtime.feed_reads import rows_of
from ..runtime.rows import Row, load_tool_call_rows, thread_row
from .items import CallStarted, Ended, Heartbeat, Item, Progress, Seen, Started, StateChanged
from .run_view import RunView

__all__ = [
    "CallStarted",
    "Ended",
    "Heartbeat",
    "Item",
    "Progress",
    "Seen",
    "Started",
    "StateChanged",
    "follow_run",
    "seen_now",
    "with_pauses",
]


async def follow_run(
    run: Run | uuid.UUID,
    user: Any,
    *,
    cursor: Seen | None = None,
    follow: bool = False,
    heartbeat: float | None = None,
) -> AsyncGenerator[Item, None]:
    """The items of this run, from its message's first part on, or from what ``cursor`` says.

    Ends with :class:`Ended` when the run is over or waits for somebody. With ``follow`` an ``Ended``
    that says ``requires_action`` is passed on and the stream goes on, until the run is over.
    ``heartbeat`` is how many seconds of silence make a :class:`Heartbeat`; the setting's by default.

    Closing the iterator ends the following and nothing else: the run goes on. Close it with
    ``contextlib.aclosing``. Raises :class:`NotFound` for a run that is not this user's.
    """
    run_id = run.pk if isinstance(run, Run) else run
    thread_id = await in_database(_thread_of, run_id, user)
    async with Feed(thread_id, user) as feed:
        # The feed hears already; what is read now and what it hears from now on have no gap.
        first = await in_database(_read, run_id, user)
        feed.cursor = Cursor(first["version"], dict(first["cursors"]))
        view = RunView(first, cursor or Seen())
        frames = feed.__aiter__()
        silence = app_settings.HEARTBEAT_SECONDS if heartbeat is None else heartbeat
        async with aclosing(with_pauses(frames, silence)) as heard:
            for item in view.first_items():
                yield item
            if view.has_ended and not (follow and view.is_waiting):
                return
            async for frame in heard:
                if frame is None:
                    yield Heartbeat()
                    continue
                for item in view.take(frame):
                    yield item
                if view.has_ended and not (follow and view.is_waiting):
                    return


def seen_now(run_id: Any) -> Seen:
    """What there is of a run's message in the rows now. Sync.

    Call it before the action that makes a waiting run go on, and give it to :func:`follow_run` as
    ``cursor``: then only what is new is sent, and the answers of calls that were open.
    """
    message = Message.objects.get(run=run_id)
    calls = list(ToolCall.objects.filter(message=message).select_related("approval"))
    return Seen(
        parts=len(message.parts),
        steps=len(message.metadata.get("steps", ())),
        calls=tuple(load_tool_call_rows(calls)),
        annotations=len(message.metadata.get("annotations", ())),
        data=len(message.metadata.get("data", ())),
    )


async def with_pauses(
    frames: AsyncIterator[dict[str, Any]], seconds: float
) -> AsyncGenerator[dict[str, Any] | None, None]:
    """The frames, and None after ``seconds`` without one."""
    following: asyncio.Future[dict[str, Any]] | None = None
    try:
        while True:
            if following is None:
                following = asyncio.ensure_future(anext(frames))
            # Not wait_for: that would cancel the feed in the middle of a read.
            await asyncio.wait({following}, timeout=seconds)
            if not following.done():
                yield None
                continue
            try:
                frame = following.result()
            except StopAsyncIteration:
                return
            following = None
            yield frame
    finally:
        if following is not None:
            following.cancel()
            await asyncio.wait({following})
            if not following.cancelled():
                following.exception()
        await frames.aclose()  # type: ignore[attr-defined]


def _thread_of(run_id: uuid.UUID, user: Any) -> uuid.UUID:
    run = Run.objects.filter(pk=run_id, thread__in=threads_for(user)).only("thread_id").first()
    if run is None:
        raise NotFound
    return run.thread_id


def _read(run_id: uuid.UUID, user: Any) -> Row:
    """The run's message with all that hangs on it. The version is read first: what changes during
    the reads is newer than it says, and comes again."""
    thread = Thread.objects.with_activity().get(runs=run_id)
    message = Message.objects.get(run=run_id)
    rows = rows_of([message], user)
    return {**rows, "thread": thread_row(thread), "version": thread.version}
