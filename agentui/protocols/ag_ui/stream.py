"""The answer to a request: one AG-UI run, from RUN_STARTED to its one terminal event.

It follows the thread until nothing in it runs any more, which is usually one run of ours; a message
that had to wait for its turn makes it two. When the client goes away the stream ends and the run goes
on.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from ag_ui.core import (
    BaseEvent,
    MessagesSnapshotEvent,
    RunErrorEvent,
    RunStartedEvent,
    StateSnapshotEvent,
)

from ...core.events import StepReset
from ...core.statuses import ACTIVE_RUN, RunStatus
from ...exceptions import AgentUIError, InternalError
from ...models import Message, Run, Thread
from ...runtime.database import in_database
from ..following import Ended, Heartbeat, follow_run
from ..http import SSE_PING
from . import PROTOCOL_VERSION
from .encoder import RunEncoder, late_result
from .ending import closing_events, read_closing
from .intake import Plan
from .messages import is_answered, snapshot_messages
from .reading import LONGEST, branch_rows
from .said import Said
from .wire import Wire, written

logger = logging.getLogger("agentui")


async def answer(user: Any, said: Said, plan: Plan) -> AsyncGenerator[str, None]:
    """The events of the run as server-sent events, with comments in silent times."""
    run = _Run(user, said, plan)
    async with aclosing(run.events()) as events:
        async for event in events:
            yield SSE_PING if event is None else written(event)


class _Run:
    def __init__(self, user: Any, said: Said, plan: Plan) -> None:
        self.user = user
        self.said = said
        self.plan = plan
        self.ended: Ended | None = None
        self.state = plan.state
        self.answer_ids = {call: answer.id for call, answer in said.answers.items() if answer.id}

    async def events(self) -> AsyncGenerator[Wire | None, None]:
        said = self.said
        yield RunStartedEvent(
            thread_id=said.thread_id, run_id=said.run_id, protocol_version=PROTOCOL_VERSION
        )
        try:
            if self.plan.thread is not None:
                async with aclosing(self._follow(self.plan.thread)) as events:
                    async for event in events:
                        yield event
            closing = await in_database(read_closing, self.plan.thread, self.user)
            for last in closing_events(said, closing, self.ended):
                yield last
        except AgentUIError as error:
            yield RunErrorEvent(message=error.message, code=error.code)
        except Exception:
            logger.exception("A stream failed")
            broken = InternalError()
            yield RunErrorEvent(message=broken.message, code=broken.code)

    async def _follow(self, thread: uuid.UUID) -> AsyncGenerator[Wire | None, None]:
        # Before the snapshot, which puts right what is there by its id: a client appends the rest.
        for call in self.plan.late:
            yield late_result(call)
        if self.plan.needs_snapshot:
            yield await self._snapshot(thread, beginning=self.plan.run)
        if self.plan.state is not None:
            yield StateSnapshotEvent(snapshot=self.plan.state)
        run, done = self.plan.run, set[uuid.UUID]()
        while run is not None:
            async with aclosing(self._follow_run(thread, run)) as events:
                async for event in events:
                    yield event
            done.add(run)
            following = await in_database(_next_run, thread, self.plan.after_seq, done)
            if following is None:
                return
            run = following.pk
            # What was streamed is put before the message that waited for it.
            ended = self.ended.message["id"] if self.ended else None
            yield await self._snapshot(thread, until=ended)
            is_last = following.status in ACTIVE_RUN
            until = None if is_last else str(following.message_id)
            yield await self._snapshot(thread, beginning=run, until=until)

    async def _follow_run(
        self, thread: uuid.UUID, run: uuid.UUID
    ) -> AsyncGenerator[Wire | None, None]:
        cursor = self.plan.cursors.pop(run, None)
        encoder = RunEncoder(
            answered=frozenset(self.plan.answered),
            cursor=cursor,
            is_modern=self.said.is_modern,
            state=self.state,
        )
        async with aclosing(follow_run(run, self.user, cursor=cursor, follow=True)) as items:
            async for item in items:
                match item:
                    case Heartbeat():
                        yield None
                    case Ended():
                        self.ended = item
                        for card in encoder.note_approvals(item.approvals):
                            yield card
                        if not self._stays(item):
                            return
                    case _:
                        for event in encoder.events(item):
                            yield event
                        self.state = encoder.state
                if isinstance(item, StepReset):
                    yield await self._snapshot(thread, beginning=run, start=item.start)

    def _stays(self, ended: Ended) -> bool:
        """Wait in the stream for a decision of somebody else, if the client asked for that."""
        if ended.status.type != RunStatus.REQUIRES_ACTION or ended.open_calls:
            return False
        mine = any(approval["may_decide"] for approval in ended.approvals)
        return self.said.follows and not mine

    async def _snapshot(
        self,
        thread: uuid.UUID,
        *,
        beginning: uuid.UUID | None = None,
        start: int = 0,
        until: str | None = None,
    ) -> BaseEvent:
        """What there is, or what there is up to a message, without what run ``beginning`` is about to
        stream from part ``start`` on."""
        cursor = self.plan.cursors.get(beginning) if beginning else None
        rows = await in_database(branch_rows, thread, self.user, until)
        cut = {
            row["message"]: cursor.parts if cursor else start
            for row in rows["runs"]
            if row["id"] == str(beginning)
        }
        untold = [call["id"] for call in cursor.calls if not is_answered(call)] if cursor else []
        messages = snapshot_messages(
            rows, answer_ids=self.answer_ids, cut=cut, untold=frozenset(untold)
        )
        return MessagesSnapshotEvent(messages=messages)


def _next_run(thread_id: uuid.UUID, after_seq: int, done: set[uuid.UUID]) -> Run | None:
    """What goes on in the thread. A run that came after the request may be over before its turn to
    be told, and is told all the same, if the branch shown has it."""
    thread = Thread.objects.filter(pk=thread_id).first()
    if thread is None:
        return None
    later = Run.objects.filter(thread=thread, message__seq__gt=after_seq).exclude(pk__in=done)
    for run in later.order_by("message__seq"):
        if run.status in ACTIVE_RUN or run.message_id in _shown(thread):
            return run
    active = thread.active_run()
    return None if active is None or active.pk in done else active


def _shown(thread: Thread) -> set[uuid.UUID]:
    return {message.pk for message in Message.objects.branch(thread.head_id, LONGEST)}
