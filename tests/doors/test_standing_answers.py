"""Answers that hold for later calls: exactly as far as was said, until revoked, and each use known."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agentui import Agent, actions
from agentui.adapters import ScriptedAdapter
from agentui.agents import ApprovalPolicy, PolicyOption, registry, tool
from agentui.exceptions import InvalidInput, NotFound, NotPermitted
from agentui.models import Approval, Grant, ToolCall
from agentui.testing import Call, Say, approve, deny
from tests.models import Effect

pytestmark = pytest.mark.django_db(transaction=True)

POLICY = ApprovalPolicy.staff(
    options=(
        "allow_once",
        "allow_always:thread",
        "allow_always:user",
        "allow_always:agent",
        PolicyOption("allow_always", "user", arguments=("to",), expires_after=timedelta(days=1)),
        "deny_once",
        "deny_always:user",
    )
)


@tool(approval=POLICY)
def send_mail(to: str, text: str = "") -> str:
    """Send a letter."""
    Effect.objects.create(name=to)
    return "sent"


@pytest.fixture
def agents(immediate: None) -> Any:
    mine = Agent("post", model=ScriptedAdapter([]), tools=[send_mail])
    other = Agent("other-post", model=ScriptedAdapter([]), tools=[send_mail])
    with registry.temporary(mine), registry.temporary(other):
        yield {"post": mine, "other-post": other}


@pytest.fixture
def ask(agents: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let the model send a letter; the call as it stands then."""

    def call(user: Any, to: str = "ada", *, thread: Any = None, agent: str = "post") -> ToolCall:
        adapter = ScriptedAdapter([[Call("send_mail", {"to": to})], [Say("Done.")]])
        monkeypatch.setattr(agents[agent], "model", adapter)
        fields = {"thread_id": thread.pk} if thread else {"agent": agent}
        sent = actions.send_message(user, parts=[{"type": "text", "text": "Write"}], **fields)
        return ToolCall.objects.get(run=sent.run)

    return call


def always(call: ToolCall, staff: Any, option: str, **fields: Any) -> Grant:
    actions.decide_approval(staff, call.approval.pk, option=option, door="test", **fields)
    return Grant.objects.get()


def test_for_this_thread_and_for_nothing_else(
    ask: Any, user: Any, other_user: Any, staff: Any
) -> None:
    first = ask(user)
    grant = always(first, staff, "allow_always:thread")
    again = ask(user, "bob", thread=first.thread)
    assert (again.status, again.is_automatic, again.grant_id) == ("complete", True, grant.pk)
    assert not Approval.objects.filter(tool_call=again).exists()
    for call in (ask(user), ask(other_user), ask(user, agent="other-post")):
        assert (call.status, call.grant_id) == ("awaiting_approval", None)
    assert [use.pk for use in grant.uses.all()] == [again.pk]


def test_for_this_person_in_every_thread(ask: Any, user: Any, other_user: Any, staff: Any) -> None:
    always(ask(user), staff, "allow_always:user")
    assert ask(user).status == "complete"
    assert ask(other_user).status == "awaiting_approval"
    assert ask(user, agent="other-post").status == "awaiting_approval"


def test_only_where_the_named_argument_is_the_same_and_for_its_time(
    ask: Any, user: Any, staff: Any
) -> None:
    grant = always(ask(user, "ada"), staff, "allow_always:user(to)")
    assert ask(user, "ada").status == "complete"
    assert ask(user, "bob").status == "awaiting_approval"
    Grant.objects.filter(pk=grant.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert ask(user, "ada").status == "awaiting_approval"


def test_deny_beats_allow_and_the_reason_is_told(ask: Any, user: Any, staff: Any) -> None:
    allowed, denied = ask(user), ask(user)
    always(allowed, staff, "allow_always:agent")
    actions.decide_approval(
        staff, denied.approval.pk, option="deny_always:user", reason="No more post.", door="test"
    )
    call = ask(user)
    assert (call.status, call.is_automatic) == ("denied", True)
    assert call.grant == Grant.objects.get(is_allowed=False)
    assert "No more post." in call.result
    assert Effect.objects.count() == 1


def test_others_that_wait_are_not_answered_unseen(ask: Any, user: Any, staff: Any) -> None:
    first, second = ask(user, "ada"), ask(user, "bob")
    always(first, staff, "allow_always:user")
    second.refresh_from_db()
    assert second.status == "awaiting_approval"


def test_another_tool_of_the_same_name_asks_again(
    ask: Any, agents: Any, user: Any, staff: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    always(ask(user), staff, "allow_always:user")

    @tool(name="send_mail", approval=POLICY)
    def send_anything(to: str, attachment: str = "") -> str:
        """Send a letter with anything."""
        return "sent"

    monkeypatch.setitem(agents["post"]._tools, "send_mail", send_anything)
    assert ask(user).status == "awaiting_approval"


def test_revoked_it_asks_again(ask: Any, user: Any, staff: Any) -> None:
    grant = always(ask(user), staff, "allow_always:user")
    assert actions.revoke_grant(staff, grant.pk).revoked_by == staff
    at = Grant.objects.get().revoked_at
    assert actions.revoke_grant(staff, grant.pk).revoked_at == at
    assert ask(user).status == "awaiting_approval"


def test_who_may_revoke(ask: Any, user: Any, other_user: Any, staff: Any) -> None:
    grant = always(ask(user), staff, "allow_always:user")
    assert list(actions.grants_for(user)) == [grant]
    assert list(actions.grants_for(other_user)) == []
    with pytest.raises(NotPermitted):
        actions.revoke_grant(user, grant.pk)
    with pytest.raises(NotFound):
        actions.revoke_grant(other_user, grant.pk)
    assert Grant.objects.get().revoked_at is None


def test_an_answer_about_an_argument_that_the_call_does_not_have_is_refused(
    ask: Any, user: Any, staff: Any
) -> None:
    policy = ApprovalPolicy.staff(
        options=(PolicyOption("allow_always", "user", arguments=("text",)), "deny_once")
    )
    call = ask(user)
    Approval.objects.update(policy=policy.snapshot())
    with pytest.raises(InvalidInput, match="text"):
        always(call, staff, "allow_always:user(text)")
    assert Approval.objects.get().status == "pending"
    assert not Grant.objects.exists()


def test_an_ordinary_answer_holds_once(ask: Any, user: Any, staff: Any) -> None:
    approve(ask(user), staff)
    deny(ask(user), staff)
    assert not Grant.objects.exists()
    assert ask(user).status == "awaiting_approval"


@pytest.mark.parametrize("leaving", ["deactivated", "deleted"])
def test_what_somebody_allowed_who_has_left_is_asked_again(
    ask: Any, user: Any, staff: Any, other_user: Any, leaving: str
) -> None:
    always(ask(user), staff, "allow_always:user")
    assert ask(user).status == "complete"
    if leaving == "deleted":
        staff.delete()
    else:
        staff.is_active = False
        staff.save()
    waits = ask(user)
    assert (waits.status, waits.is_automatic) == ("awaiting_approval", False)
    if leaving == "deactivated":
        staff.is_active = True
        staff.save()
        assert ask(user).status == "complete"


def test_what_somebody_denied_who_has_left_stays_denied(ask: Any, user: Any, staff: Any) -> None:
    always(ask(user), staff, "deny_always:user", reason="Never.")
    staff.is_active = False
    staff.save()
    assert ask(user).status == "denied"


def test_an_argument_is_compared_as_json_also_deep_inside(
    ask: Any, user: Any, staff: Any, agents: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    always(ask(user), staff, "allow_always:user")
    Grant.objects.update(arguments={"text": {"all": [1]}})

    @tool(approval=POLICY)
    def send_mail(to: str, text: Any = "") -> str:
        return "sent"

    Grant.objects.update(tool_digest=send_mail.digest)
    monkeypatch.setitem(agents["post"]._tools, "send_mail", send_mail)
    for text, status in ((1, "complete"), (True, "awaiting_approval")):
        call = Call("send_mail", {"to": "ada", "text": {"all": [text]}})
        monkeypatch.setattr(agents["post"], "model", ScriptedAdapter([[call], [Say("Done.")]]))
        sent = actions.send_message(user, parts=[{"type": "text", "text": "Write"}], agent="post")
        assert ToolCall.objects.get(run=sent.run).status == status
