"""Rows branch as the tree of :mod:`agentui.core.tree` does, whatever is done to both.

No worker runs here: the machine takes a run up and ends it, so that what comes about is the same every
time.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from agentui import actions
from agentui.core.statuses import COMPLETE, Role
from agentui.core.tree import MessageTree
from agentui.exceptions import ThreadBusy
from agentui.models import Message, Thread
from agentui.runtime.store import claim_run, finish_run

PICK = st.integers(0, 30)
PARTS = [{"type": "text", "text": "Hello"}]

is_idle = precondition(lambda self: not self.is_busy)
has_messages = precondition(lambda self: self.said)


class Branches(RuleBasedStateMachine):
    """One thread, and the model of its tree; messages are known by their ids."""

    def __init__(self) -> None:
        super().__init__()
        self.user, _ = get_user_model().objects.get_or_create(username="sender")
        self.thread = actions.create_thread(self.user, agent="tester")
        self.tree = MessageTree()
        self.said: list[tuple[str, str]] = []
        self.is_busy = False

    # What people do

    @is_idle
    @rule()
    def send(self) -> None:
        sent = actions.send_message(self.user, thread_id=self.thread.pk, parts=PARTS)
        self._was_asked(sent, self.tree.head)

    @is_idle
    @rule(pick=st.none() | PICK)
    def send_under(self, pick: int | None) -> None:
        parent = self._one(pick) if pick is not None and self.said else None
        sent = actions.send_message(self.user, thread_id=self.thread.pk, parts=PARTS, parent=parent)
        self._was_asked(sent, parent)

    @has_messages
    @rule(pick=PICK)
    def edit(self, pick: int) -> None:
        message = self._one(pick, Role.USER)
        if self._is_refused(actions.edit_message, message, parts=PARTS):
            return
        sent = actions.edit_message(self.user, message, parts=PARTS)
        self._was_asked(sent, self.tree.parent(message))

    @has_messages
    @rule(pick=PICK)
    def regenerate(self, pick: int) -> None:
        message = self._one(pick, Role.ASSISTANT)
        if self._is_refused(actions.regenerate, message):
            return
        actions.regenerate(self.user, message)
        self._is_answered(self.tree.parent(message))

    @has_messages
    @rule(pick=PICK)
    def switch(self, pick: int) -> None:
        message = self._one(pick)
        if self._is_refused(actions.switch_branch, message):
            return
        actions.switch_branch(self.user, message)
        self.tree.switch(message)

    @precondition(lambda self: self.is_busy)
    @rule()
    def the_answer_ends(self) -> None:
        run = self.thread.active_run()
        finish_run(claim_run(run.pk, "worker"), COMPLETE)
        self.is_busy = False

    # What is the same

    @invariant()
    def both_show_the_same(self) -> None:
        head = Thread.objects.values_list("head", flat=True).get(pk=self.thread.pk)
        assert self._ids(Message.objects.branch(head, 1000)) == self.tree.path()
        assert Message.objects.filter(thread=self.thread).count() == len(self.said)

    @has_messages
    @rule(pick=PICK, limit=st.integers(1, 4))
    def any_branch_is_the_same_in_pages(self, pick: int, limit: int) -> None:
        head, path = self._one(pick), self.tree.path(self._one(pick))
        at = pick % len(path)
        seq = Message.objects.get(pk=path[at]).seq
        branch = Message.objects.branch(head, 1000)
        assert self._ids(branch) == path
        before = Message.objects.branch_page(head, limit=limit, before_seq=seq)
        assert self._ids(before) == path[max(at - limit, 0) : at]
        after = Message.objects.branch_page(head, limit=limit, after_seq=seq)
        assert self._ids(after) == path[at + 1 : at + 1 + limit]
        siblings = Message.siblings_of(branch)
        assert {str(pk): tuple(map(str, ids)) for pk, ids in siblings.items()} == {
            message: self.tree.siblings(message) for message in path
        }

    def _was_asked(self, sent: actions.Sent, parent: str | None) -> None:
        self._add(sent.message.pk, Role.USER, parent)
        self._is_answered(str(sent.message.pk))

    def _is_answered(self, parent: str | None) -> None:
        run = self.thread.active_run()
        self._add(run.message_id, Role.ASSISTANT, parent)
        self.tree.set_head(str(run.message_id))
        self.is_busy = True

    def _add(self, pk: Any, role: Role, parent: str | None) -> None:
        self.tree.add(str(pk), parent)
        self.said.append((str(pk), role))

    def _is_refused(self, act: Any, message: str, **fields: Any) -> bool:
        """While the agent writes, the branch it writes in stays shown."""
        if self.is_busy:
            with pytest.raises(ThreadBusy):
                act(self.user, message, **fields)
        return self.is_busy

    def _one(self, pick: int, role: Role | None = None) -> str:
        found = [pk for pk, by in self.said if role in (None, by)]
        return found[pick % len(found)]

    def _ids(self, messages: list[Message]) -> tuple[str, ...]:
        return tuple(str(message.pk) for message in messages)


def test_rows_branch_as_the_model_does(db: None) -> None:
    run_machine(
        Branches,
        settings=settings(
            max_examples=15,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
