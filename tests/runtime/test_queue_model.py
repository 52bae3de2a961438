"""The queue as rows does what the queue of :mod:`agentui.core.queue` does, whatever is done to both.

No worker runs here: the machine takes a run up, ends it, and is asked to stop it, so that each order
of things comes about and is the same every time.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from agentui import actions
from agentui.core import queue as model
from agentui.core.statuses import CANCELLED, COMPLETE, RunStatus
from agentui.models import Message, Thread
from agentui.runtime.store import claim_run, finish_run

PICK = st.integers(0, 5)


class Queues(RuleBasedStateMachine):
    """One thread, and the model of its queue; messages are known by their words."""

    def __init__(self) -> None:
        super().__init__()
        self.user, _ = get_user_model().objects.get_or_create(username="sender")
        self.thread = actions.create_thread(self.user, agent="tester")
        self.queue = model.Queue()
        self.claim: Any = None
        self.count = 0
        self.said: list[str] = []

    # What people do

    @initialize()
    def begin(self) -> None:
        for _ in range(4):
            self.send(steer=False)

    @rule(steer=st.booleans())
    def send(self, steer: bool) -> None:
        self.count += 1
        text = f"m{self.count}"
        actions.send_message(
            self.user,
            thread_id=self.thread.pk,
            parts=[{"type": "text", "text": text}],
            on_active="steer" if steer else "queue",
        )
        self._follow(
            model.steer(self.queue, text, can_cancel=True)
            if steer
            else model.enqueue(self.queue, text)
        )

    @precondition(lambda self: self.queue.waiting)
    @rule(pick=PICK)
    def steer_what_waits(self, pick: int) -> None:
        text = self._one(pick)
        actions.steer_queued_message(self.user, self._row(text).pk)
        self._follow(model.steer(self.queue, text, can_cancel=True))

    @precondition(lambda self: self.queue.waiting)
    @rule(pick=PICK, before=st.none() | PICK)
    def move(self, pick: int, before: int | None) -> None:
        text, other = self._one(pick), None if before is None else self._one(before)
        actions.move_queued_message(
            self.user, self._row(text).pk, before=other and self._row(other).pk
        )
        self._follow(model.move(self.queue, text, other))

    @precondition(lambda self: self.queue.waiting)
    @rule(pick=PICK)
    def take_back(self, pick: int) -> None:
        text = self._one(pick)
        actions.cancel_queued_message(self.user, self._row(text).pk)
        self._follow(model.remove(self.queue, text))

    @rule()
    def clear(self) -> None:
        assert actions.clear_queue(self.user, self.thread.pk) == len(self.queue.waiting)
        self._follow(model.clear(self.queue))

    @precondition(lambda self: self.queue.is_busy)
    @rule(clear=st.sampled_from([False, False, False, True]))
    def stop(self, clear: bool) -> None:
        actions.cancel_run(self.user, self._active().pk, clear=clear)
        if clear:
            self._follow(model.clear(self.queue))
        self._follow(model.stopped(self.queue))
        if self.claim is None:
            self._follow(model.ended(self.queue))

    @rule()
    def resume(self) -> None:
        actions.resume_queue(self.user, self.thread.pk)
        self._follow(model.resume(self.queue))

    # What a worker does

    @precondition(lambda self: self.queue.is_busy and self.claim is None)
    @rule()
    def take_up(self) -> None:
        self.claim = claim_run(self._active().pk, "worker")

    @precondition(lambda self: self.claim is not None)
    @rule()
    def end(self) -> None:
        was_stopped = self._active().cancel_requested_at is not None
        finish_run(self.claim, CANCELLED if was_stopped else COMPLETE)
        self.claim = None
        self._follow(model.ended(self.queue))

    # What is the same

    @invariant()
    def both_hold_the_same(self) -> None:
        thread = Thread.objects.get(pk=self.thread.pk)
        waiting = list(Message.objects.queued().filter(thread=thread))
        lanes: dict[int, list[str]] = {0: [], 1: []}
        for message in waiting:
            lanes[message.lane].append(message.text)
        assert lanes[Message.Lane.STEER] == list(self.queue.steered)
        assert lanes[Message.Lane.QUEUE] == list(self.queue.queued)
        assert [message.text for message in waiting] == lanes[1] + lanes[0]
        assert (self._active() is not None) == self.queue.is_busy
        assert thread.is_queue_paused == self.queue.is_paused
        sent = Message.objects.filter(thread=thread, role="user").exclude(status=RunStatus.QUEUED)
        assert [message.text for message in sent] == self.said

    def _follow(self, change: model.Change) -> None:
        self.queue = change.queue
        if change.run is not None:
            self.said.append(change.run)
        if change.cancel:
            if self.claim is None:  # Nobody has taken it up, so it is over at once.
                self._follow(model.ended(self.queue))
            else:
                assert self._active().cancel_requested_at is not None

    def _active(self) -> Any:
        return self.thread.active_run()

    def _one(self, pick: int) -> str:
        return self.queue.waiting[pick % len(self.queue.waiting)]

    def _row(self, text: str) -> Message:
        return Message.objects.queued().get(
            thread=self.thread, parts=[{"type": "text", "text": text}]
        )


def test_rows_queue_as_the_model_does(db: None) -> None:
    run_machine(
        Queues,
        settings=settings(
            max_examples=15,
            stateful_step_count=20,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
