"""Many people in a few threads at the same moment, and several servers that carry the runs out.

They send, steer, edit, order, stop and decide without waiting for one another, while approvals run
out and the sweep for stuck runs works in between. Each of them gets an answer or a refusal with a code;
afterwards nothing is stuck, nothing was done twice, and every history is one that providers take.

``AGENTUI_SECONDS`` says for how long (3), ``AGENTUI_SEED`` in which order each of them acts.
"""

from __future__ import annotations

import os
import random
import threading
import time
import traceback
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from agentui import actions
from agentui.exceptions import AgentUIError
from agentui.models import Approval, Message, Run, Thread, ToolCall
from agentui.runtime.database import retrying
from agentui.runtime.recovery import recover
from tests.models import Effect

from .processes import wait_for
from .promises import history_is_valid

pytestmark = pytest.mark.django_db(transaction=True)

SECONDS = float(os.environ.get("AGENTUI_SECONDS", "3"))
SEED = int(os.environ.get("AGENTUI_SEED", "0")) or random.randrange(1_000_000)
PEOPLE, THREADS = 6, 2
OVER = ("complete", "incomplete")


class Person(threading.Thread):
    """One who acts again and again. ``answers`` counts what came of it, by code."""

    def __init__(self, user: Any, staff: Any, threads: list[Thread], seed: int) -> None:
        super().__init__(daemon=True)
        self.user, self.staff, self.threads = user, staff, threads
        self.chance = random.Random(seed)
        self.answers: Counter[str] = Counter()
        self.faults: list[str] = []
        self.until = time.monotonic() + SECONDS
        self.acts: list[tuple[Callable[[], None], int]] = [
            (self.send, 5),
            (self.stop, 1),
            (self.decide, 6),
            (self.expire, 1),
            (self.order, 3),
            (self.anew, 1),
            (self.begin_and_delete, 1),
            (self.say_twice, 1),
            (self.sweep, 1),
        ]

    def run(self) -> None:
        try:
            while time.monotonic() < self.until:
                act = self.chance.choices(*zip(*self.acts, strict=True))[0]
                try:
                    retrying(act)
                    self.answers["done"] += 1
                except AgentUIError as refusal:
                    self.answers[refusal.code] += 1
                except Exception:
                    self.faults.append(traceback.format_exc())
                time.sleep(self.chance.random() * 0.02)
        finally:
            connection.close()

    def one(self, rows: Any) -> Any:
        found = list(rows[:50])
        return self.chance.choice(found) if found else None

    def send(self) -> None:
        actions.send_message(
            self.user,
            thread_id=self.chance.choice(self.threads).pk,
            parts=[{"type": "text", "text": f"question {self.chance.random()}"}],
            on_active=self.chance.choice(["queue", "queue", "steer", "reject"]),
        )

    def stop(self) -> None:
        if run := self.one(Run.objects.exclude(status__in=OVER)):
            actions.cancel_run(self.user, run.pk, clear=self.chance.random() < 0.3)

    def decide(self) -> None:
        if approval := self.one(Approval.objects.pending()):
            who = self.user if approval.tool_name == "mail_if_asked" else self.staff
            verdict = self.chance.choice(["approve", "approve", "deny"])
            actions.decide_approval(who, approval.pk, verdict=verdict, door="test")

    def expire(self) -> None:
        if approval := self.one(Approval.objects.pending()):
            late = timezone.now() - timedelta(seconds=1)
            Approval.objects.filter(pk=approval.pk).update(expires_at=late)

    def order(self) -> None:
        queued = Message.objects.queued().filter(role="user")
        match self.chance.randrange(6):
            case 0:
                actions.resume_queue(self.user, self.chance.choice(self.threads).pk)
            case 1:
                actions.clear_queue(self.user, self.chance.choice(self.threads).pk)
            case what if message := self.one(queued):
                match what:
                    case 2:
                        other = self.one(queued.filter(thread=message.thread_id))
                        actions.move_queued_message(
                            self.user, message.pk, before=other and other.pk
                        )
                    case 3:
                        actions.cancel_queued_message(self.user, message.pk)
                    case 4:
                        actions.steer_queued_message(self.user, message.pk)
                    case _:
                        parts = [{"type": "text", "text": "question anew"}]
                        actions.edit_message(self.user, message.pk, parts=parts)

    def anew(self) -> None:
        if answer := self.one(Message.objects.filter(role="assistant").order_by("-seq")):
            actions.regenerate(self.user, answer.pk)

    def begin_and_delete(self) -> None:
        parts = [{"type": "text", "text": "question for nothing"}]
        sent = actions.send_message(self.user, agent="stayer", parts=parts)
        time.sleep(self.chance.random() * 0.4)
        actions.delete_thread(self.user, sent.thread.pk)

    def say_twice(self) -> None:
        """One command, from two tabs at the same moment."""
        key, thread = uuid.uuid4(), self.chance.choice(self.threads)
        answers: list[Any] = []

        def say() -> None:
            parts = [{"type": "text", "text": "question twice"}]
            try:
                answers.append(
                    retrying(
                        lambda: actions.once(
                            self.user,
                            key,
                            {"thread": str(thread.pk)},
                            lambda: str(
                                actions.send_message(
                                    self.user, thread_id=thread.pk, parts=parts
                                ).message.pk
                            ),
                        )
                    )
                )
            finally:
                connection.close()

        tabs = [threading.Thread(target=say) for _ in range(2)]
        for tab in tabs:
            tab.start()
        for tab in tabs:
            tab.join()
        assert [len(answers), len(set(answers))] == [2, 1], answers

    def sweep(self) -> None:
        recover(None)


def test_people_who_do_not_wait_for_one_another(user, staff, nursery, capsys):
    servers = nursery(LEASE_SECONDS=5, RECOVERY_INTERVAL=0.2)
    for _ in range(2):
        servers.server()
    threads = [actions.create_thread(user, agent="stayer") for _ in range(THREADS)]
    people = [Person(user, staff, threads, SEED + number) for number in range(PEOPLE)]
    connection.close()
    for person in people:
        person.start()
    for person in people:
        person.join()
    faults = [fault for person in people for fault in person.faults]
    assert not faults, (SEED, len(faults), faults[0])

    for thread in Thread.objects.all():
        actions.clear_queue(user, thread.pk)

    def is_quiet() -> bool:
        for approval in Approval.objects.pending():
            Approval.objects.filter(pk=approval.pk).update(expires_at=timezone.now())
        waiting = Message.objects.queued().exists()
        return not waiting and not Run.objects.exclude(status__in=OVER).exists()

    wait_for(is_quiet, seconds=90, note=lambda: (SEED, servers.log.read_text()[-6000:]))
    servers.close()
    assert "Traceback" not in servers.log.read_text(), (SEED, servers.log.read_text()[-6000:])
    assert not ToolCall.objects.open().exists()
    assert not Approval.objects.pending().exists()
    assert not Message.objects.filter(status__in=("queued", "running")).exists()
    done = Counter(
        Effect.objects.exclude(name__contains="for nothing").values_list("key", flat=True)
    )
    for call in ToolCall.objects.all():
        count = done.pop(call.idempotency_key, 0)
        wanted = {"complete": (1,), "interrupted": (0, 1)}.get(call.status, (0,))
        assert count in wanted, (SEED, call.tool_name, call.status, count)
    assert not done
    for thread in Thread.objects.all():
        history_is_valid(thread)
    answers = sum((person.answers for person in people), Counter())
    with capsys.disabled():
        print(f"\n{connection.vendor}, seed {SEED}: {Run.objects.count()} runs; {dict(answers)}")
