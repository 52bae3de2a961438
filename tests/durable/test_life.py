"""The whole life of runs, with a crash at any visit to the database, at any word of the model, and
before or after any effect of a tool.

People send, decide, stop, edit and order in any sequence; workers die before or after any commit. After
every step the rows keep their promises; at the end nothing is stuck. ``AGENTUI_LIVES`` says how many
lives (10).
"""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import suppress
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import connection, connections
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from agentui import actions
from agentui.agents import registry
from agentui.core.history import build_history
from agentui.exceptions import AgentUIError
from agentui.models import Approval, Message, Run, Thread, ToolCall
from agentui.runtime.database_threads import threads as database_threads
from agentui.runtime.recovery import recover
from agentui.runtime.runner import Runner
from agentui.runtime.store.state import core_message
from agentui.testing import ScriptedAdapter
from agentui.testing.crashes import Death, crashing
from tests.core.strict import verify
from tests.models import Effect

from . import agents
from .agents import respond

pytestmark = pytest.mark.django_db(transaction=True)

LIVES = int(os.environ.get("AGENTUI_LIVES", "10"))
OVER = ("complete", "incomplete")
seconds = st.integers(0, 1_000)


class Life(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        users = get_user_model().objects
        self.user = users.create_user(f"u{users.count()}", password="x")
        self.staff = users.create_superuser(f"s{users.count()}", password="x")
        self.count = 0

    # People

    @rule(pick=seconds, policy=st.sampled_from(["queue", "steer", "reject"]))
    def send(self, pick: int, policy: str) -> None:
        threads = list(Thread.objects.filter(owner=self.user).order_by("pk"))
        known = (
            threads[pick % (len(threads) + 1)] if pick % (len(threads) + 1) < len(threads) else None
        )
        self.count += 1
        fields = {"thread_id": known.pk} if known else {"agent": "stayer"}
        self._try(
            actions.send_message,
            self.user,
            parts=[{"type": "text", "text": f"question {self.count}"}],
            on_active=policy,
            **fields,
        )

    @rule(pick=seconds, verdict=st.sampled_from(["approve", "deny"]))
    def decide(self, pick: int, verdict: str) -> None:
        if approval := self._one(self._pending(), pick):
            self._decide(approval, verdict)

    @rule(pick=seconds)
    def expire(self, pick: int) -> None:
        if approval := self._one(self._pending(), pick):
            late = timezone.now() - timedelta(seconds=1)
            Approval.objects.filter(pk=approval.pk).update(expires_at=late)

    @rule(pick=seconds, clear=st.booleans())
    def stop(self, pick: int, clear: bool) -> None:
        if run := self._one(self._open_runs(), pick):
            actions.cancel_run(self.user, run.pk, clear=clear)

    @rule(pick=seconds, edit=st.booleans())
    def begin_anew(self, pick: int, edit: bool) -> None:
        role = "user" if edit else "assistant"
        message = self._one(Message.objects.filter(role=role).order_by("pk"), pick)
        if message is None:
            return
        if edit:
            self.count += 1
            parts = [{"type": "text", "text": f"question {self.count}"}]
            self._try(actions.edit_message, self.user, message.pk, parts=parts)
        else:
            self._try(actions.regenerate, self.user, message.pk)

    @rule(pick=seconds, what=st.sampled_from(["move", "take back", "go on"]))
    def order(self, pick: int, what: str) -> None:
        message = self._one(Message.objects.queued(), pick)
        if message is None:
            return
        match what:
            case "move":
                self._try(actions.move_queued_message, self.user, message.pk)
            case "take back":
                self._try(actions.cancel_queued_message, self.user, message.pk)
            case _:
                self._try(actions.resume_queue, self.user, message.thread_id)

    # Workers

    @rule(at=st.integers(1, 60), after=st.booleans())
    def work_and_die(self, at: int, after: bool) -> None:
        with crashing(at, after_commit=after) as death:
            self._work(death)

    @rule(words=st.integers(1, 60))
    def die_while_the_model_speaks(self, words: int) -> None:
        with crashing(None) as death:
            self._work(death, words=words)

    @rule(at=st.integers(0, 8))
    def die_in_a_tool(self, at: int) -> None:
        left = count(at, -1)

        def moment() -> None:
            if next(left) <= 0:
                death.come()

        with crashing(None) as death:
            agents.moments.append(moment)
            try:
                self._work(death)
            finally:
                agents.moments.clear()

    @rule()
    def work(self) -> None:
        with crashing(None) as death:
            self._work(death)

    def _work(self, death: Death, *, words: int | None = None) -> None:
        """A worker from its start to its death, or until it finds nothing more to do."""
        Run.objects.filter(status="running").update(
            lease_expires_at=timezone.now() - timedelta(seconds=1)
        )
        recover(None)
        agent = registry.get("stayer")
        before, agent.model = agent.model, _Model(death, words)
        try:
            asyncio.run(_carry_out_all(death))
        finally:
            agent.model = before
            database_threads.close()

    # Promises

    @invariant()
    def no_effect_twice(self) -> None:
        done = list(Effect.objects.values_list("key", flat=True))
        assert len(done) == len(set(done))
        for call in ToolCall.objects.all():
            has_effect = call.idempotency_key in done
            if call.status == "complete":
                assert has_effect
            if call.status in ("denied", "expired", "cancelled", "awaiting_approval", "approved"):
                assert not has_effect or (call.is_idempotent and call.attempt), call.status

    @invariant()
    def no_orphan_call(self) -> None:
        for call in ToolCall.objects.open().select_related("run"):
            assert call.run.status not in OVER

    @invariant()
    def history_is_valid(self) -> None:
        for thread in Thread.objects.filter(owner=self.user):
            rows = Message.objects.branch(thread.head_id, 1000)
            messages = [
                core_message(row, ToolCall.objects.filter(message=row).select_related("approval"))
                for row in rows
            ]
            verify(build_history(messages, model="any"))

    def teardown(self) -> None:
        for _ in range(60):
            with crashing(None) as death:
                self._work(death)
            for approval in self._pending():
                self._decide(approval, "approve")
            for thread in Thread.objects.filter(owner=self.user, is_queue_paused=True):
                actions.resume_queue(self.user, thread.pk)
            if not self._open_runs().exists() and not Message.objects.queued().exists():
                break
        stuck = [(run.status, run.reason, run.attempt) for run in self._open_runs()]
        assert not stuck, stuck
        assert not Message.objects.queued().exists()
        assert not ToolCall.objects.open().exists()
        assert not self._pending().exists()
        self.no_effect_twice()
        self.history_is_valid()
        Thread.objects.all().delete()
        Effect.objects.all().delete()
        self.user.delete()
        self.staff.delete()

    def _pending(self) -> Any:
        return Approval.objects.pending().order_by("pk")

    def _open_runs(self) -> Any:
        return Run.objects.exclude(status__in=OVER).order_by("pk")

    def _one(self, rows: Any, pick: int) -> Any:
        """One of these, None where there is none. Not a precondition: what there is depends on which
        of several tools was faster, and Hypothesis must find the same rules each time."""
        found = list(rows)
        return found[pick % len(found)] if found else None

    def _decide(self, approval: Approval, verdict: str) -> None:
        who = self.user if approval.tool_name == "mail_if_asked" else self.staff
        self._try(actions.decide_approval, who, approval.pk, verdict=verdict, door="test")

    def _try(self, act: Any, *args: Any, **fields: Any) -> None:
        """A refusal is an answer, and changes nothing."""
        with suppress(AgentUIError):
            act(*args, **fields)


class _Model(ScriptedAdapter):
    """The stayer's model; with ``words`` the process dies after so many of its events."""

    def __init__(self, death: Death, words: int | None) -> None:
        super().__init__(respond=respond)
        self._death = death
        self._words = words

    async def stream(self, request: Any) -> Any:
        async for event in super().stream(request):
            if self._words is not None:
                self._words -= 1
                if self._words < 0:
                    self._death.come()
            yield event


async def _carry_out_all(death: Death) -> None:
    runner = Runner()
    working: set[asyncio.Task[None]] = set()
    while not death.has_come:
        ids = await asyncio.to_thread(_queued)
        if not ids and not working:
            return
        for run_id in ids:
            task = runner.begin(run_id)
            if task is not None:
                working.add(task)
        if working:
            _, working = await asyncio.wait(working, timeout=0.05)
    for task in working:
        task.cancel()
    # A tool that died with the process has not let go of what it used.
    await sync_to_async(connections.close_all)()


def _queued() -> list[Any]:
    try:
        return list(Run.objects.filter(status="queued").values_list("pk", flat=True))
    finally:
        connection.close()


def test_the_whole_life_of_runs(transactional_db, settings, caplog) -> None:
    caplog.set_level(logging.CRITICAL, logger="agentui")
    settings.AGENTUI = {
        **settings.AGENTUI,
        "MAX_WORKERS_LOST": 10_000,
        "JOURNAL_INTERVAL": 0.005,
        "COALESCE_INTERVAL": 0.001,
    }
    run_machine(Life, settings=_HYPOTHESIS)


_HYPOTHESIS = settings(
    max_examples=LIVES,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
