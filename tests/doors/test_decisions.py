"""Deciding an approval: quorum, edits, and what can no longer be decided."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from agentui import actions
from agentui.agents import ApprovalPolicy, tool
from agentui.exceptions import (
    AlreadyVoted,
    InvalidInput,
    NotPermitted,
    TooLarge,
    ToolChanged,
)
from agentui.models import Approval, Grant, ToolCall
from agentui.testing import Call, Say, approve, deny
from tests.agents import needs_staff, tester
from tests.models import Effect

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pending(user, script, immediate) -> Approval:
    script([Call("needs_staff", {"name": "x", "amount": 9})], [Say("Done.")])
    actions.send_message(user, agent="tester", parts=[{"type": "text", "text": "Do x"}])
    return Approval.objects.get()


@pytest.fixture
def second(django_user_model):
    return django_user_model.objects.create_superuser("second", "s@example.com", "password")


def test_two_approvals_of_the_same_arguments_are_needed(pending, staff, second):
    Approval.objects.update(required=2)
    assert approve(pending, staff).status == "pending"
    with pytest.raises(AlreadyVoted):
        approve(pending, staff)
    assert Effect.objects.count() == 0
    assert approve(pending, second).status == "approved"
    assert Effect.objects.get().value == 9


def test_an_approval_of_other_arguments_does_not_count_for_edited_ones(pending, staff, second):
    Approval.objects.update(required=2)
    approve(pending, staff)
    edited = approve(pending, second, args_text='{"name": "x", "amount": 5000}')
    assert edited.status == "pending"
    assert Effect.objects.count() == 0
    # Whoever approved the first arguments is asked about the new ones.
    assert approve(pending, staff).status == "approved"
    assert Effect.objects.get().value == 5000


def test_a_verdict_that_contradicts_its_option_is_refused(pending, staff):
    policy = ApprovalPolicy.staff(options=("allow_once", "allow_always:thread", "deny_once"))
    Approval.objects.update(policy=policy.snapshot())
    with pytest.raises(InvalidInput, match="contradict"):
        deny(pending, staff, option="allow_always:thread")
    assert Approval.objects.get().status == "pending"
    assert Grant.objects.count() == 0


def test_an_argument_that_is_not_editable_stays(pending, staff):
    with pytest.raises(InvalidInput, match="name"):
        approve(pending, staff, args_text='{"name": "y", "amount": 9}')
    assert Approval.objects.get().status == "pending"


@tool(approval=ApprovalPolicy.staff(editable=("amount",)))
def pay(amount: int, limit: int | None = 100, rules: Any = None) -> str:
    """Pay, as far as the limit and the rules allow."""
    return "paid"


@pytest.mark.parametrize(
    ("asked", "edited"),
    [
        ('{"amount": 1}', '{"amount": 1, "limit": null}'),
        ('{"amount": 1, "limit": null}', '{"amount": 1}'),
        ('{"amount": 1, "rules": {"strict": [true]}}', '{"amount": 1, "rules": {"strict": [1]}}'),
        ('{"amount": 1, "rules": 0}', '{"amount": 1, "rules": false}'),
    ],
)
def test_what_python_takes_for_the_same_is_not_the_same_argument(
    user, staff, script, immediate, monkeypatch, asked, edited
):
    monkeypatch.setitem(tester._tools, "pay", pay)
    script([Call("pay", asked)], [Say("Done.")])
    actions.send_message(user, agent="tester", parts=[{"type": "text", "text": "Pay"}])
    with pytest.raises(InvalidInput, match=r"may not be changed: (limit|rules)"):
        approve(Approval.objects.get(), staff, args_text=edited)
    assert Approval.objects.get().status == "pending"


def test_a_tool_that_changed_meanwhile_fails_closed(pending, staff, monkeypatch):
    monkeypatch.setitem(tester._tools, "needs_staff", None)
    with pytest.raises(ToolChanged):
        approve(pending, staff)
    assert Approval.objects.get().status == "cancelled"
    call = ToolCall.objects.get()
    assert (call.status, "has changed" in call.result) == ("cancelled", True)
    assert Effect.objects.count() == 0


def test_a_policy_that_cannot_be_read_lets_nobody_decide(pending, staff):
    policy = {**needs_staff.approval.snapshot(), "required": 0, "who": None, "permission": None}
    Approval.objects.update(policy=policy)
    with pytest.raises(NotPermitted):
        approve(pending, staff)
    assert ApprovalPolicy.staff().snapshot() != policy


def test_a_reason_is_never_cut(pending, staff):
    with pytest.raises(TooLarge):
        deny(pending, staff, "x" * 4001)
    deny(pending, staff, "x" * 4000)
    assert "x" * 4000 in ToolCall.objects.get().result


@pytest.mark.parametrize(
    ("mime_type", "content"),
    [
        ("image/png", b"<html><script>alert(1)</script>"),
        ("image/webp", b"GIF89a"),
        ("text/plain", b"a\x00b"),
        ("text/plain", b"\xff\xfe"),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused(user, mime_type, content):
    data = base64.b64encode(content).decode()
    with pytest.raises(InvalidInput):
        actions.send_message(
            user, agent="tester", parts=[{"type": "file", "data": data, "mime_type": mime_type}]
        )


def test_the_state_of_a_thread_is_bounded(user):
    thread = actions.create_thread(user, agent="tester")
    big = [{"type": "set", "path": ["x"], "value": "x" * 70_000}]
    with pytest.raises(TooLarge):
        actions.set_state(user, thread.pk, big)
    thread.refresh_from_db()
    assert thread.state is None
