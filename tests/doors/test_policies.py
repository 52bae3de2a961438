"""Who may decide and when: escalation, rules that are gone, answers by form, named refusals."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from agentui import Agent, actions, human_tool
from agentui.adapters import ScriptedAdapter
from agentui.agents import ApprovalPolicy, ApprovalRequest, registry, tool
from agentui.exceptions import (
    AlreadyDecided,
    ApprovalClosed,
    ApprovalExpired,
    InvalidInput,
    NotFound,
    NotPermitted,
    PolicyGone,
)
from agentui.models import Approval, Decision, Run, ToolCall
from agentui.testing import Call, Say, approve, deny
from tests.models import Effect

pytestmark = pytest.mark.django_db(transaction=True)

FORM = {
    "type": "object",
    "properties": {
        "carrier": {"type": "string", "enum": ["post", "bike"]},
        "days": {"type": "integer", "minimum": 1},
    },
    "required": ["carrier"],
}


def for_small_amounts(user: Any, request: ApprovalRequest) -> bool:
    return bool(request.args["amount"] < 100 and request.thread_id)


@tool(
    approval=ApprovalPolicy(
        group="Clerks",
        escalate_to="Managers",
        escalate_after=timedelta(hours=1),
        expires_after=timedelta(hours=4),
    )
)
def book(amount: int) -> str:
    """Book an amount."""
    Effect.objects.create(name="book", value=amount)
    return "booked"


@tool(approval=ApprovalPolicy(who=for_small_amounts))
def pay(amount: int) -> str:
    """Pay an amount."""
    return "paid"


choose_carrier = human_tool(
    "choose_carrier",
    "Let the staff choose how it is sent.",
    {"properties": {"order": {"type": "integer"}}, "required": ["order"]},
    answer=FORM,
    approval=ApprovalPolicy(group="Clerks"),
)
ask_size = human_tool("ask_size", "Ask for a size.", answer={"type": "string", "enum": ["S", "M"]})
office = Agent("office", model=ScriptedAdapter([]), tools=[book, pay, choose_carrier, ask_size])


@pytest.fixture
def ask(immediate: None, monkeypatch: pytest.MonkeyPatch, user: Any) -> Any:
    """Let the model call this tool; the call as it stands then."""

    def call(name: str, args: dict[str, Any]) -> ToolCall:
        monkeypatch.setattr(office, "model", ScriptedAdapter([[Call(name, args)], [Say("Done.")]]))
        text = [{"type": "text", "text": "Please"}]
        return ToolCall.objects.get(run=actions.send_message(user, agent="office", parts=text).run)

    with registry.temporary(office):
        yield call


@pytest.fixture
def member(django_user_model: Any) -> Any:
    def make(name: str, group: str) -> Any:
        user = django_user_model.objects.create_user(name, password="password", is_staff=True)
        user.groups.add(Group.objects.get_or_create(name=group)[0])
        return user

    return make


def test_the_second_group_may_decide_when_its_time_has_come(ask: Any, member: Any) -> None:
    approval = ask("book", {"amount": 5}).approval
    clerk, manager = member("carl", "Clerks"), member("mary", "Managers")
    with pytest.raises(NotPermitted):
        approve(approval, manager)
    Approval.objects.update(escalates_at=timezone.now() - timedelta(seconds=1))
    assert approve(approval, manager).status == "approved"
    assert Effect.objects.count() == 1
    second = ask("book", {"amount": 6}).approval
    Approval.objects.update(escalates_at=timezone.now() - timedelta(seconds=1))
    assert approve(second, clerk).status == "approved"


def test_a_rule_of_the_site_is_asked_about_the_call(ask: Any, member: Any) -> None:
    small, large = ask("pay", {"amount": 50}).approval, ask("pay", {"amount": 500}).approval
    sam = member("sam", "Others")
    with pytest.raises(NotPermitted):
        approve(large, sam)
    assert approve(small, sam).status == "approved"


def test_a_rule_that_is_gone_is_named(
    ask: Any, member: Any, staff: Any, other_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    approval = ask("pay", {"amount": 50}).approval
    monkeypatch.delattr("tests.doors.test_policies.for_small_amounts")
    for person in (member("sam", "Others"), staff):
        with pytest.raises(PolicyGone) as refused:
            approve(approval, person)
        assert refused.value.code == "policy_gone"
    with pytest.raises(NotFound):
        approve(approval, other_user)
    assert Approval.objects.get().status == "pending"


def test_a_policy_that_changes_later_does_not_change_the_request(
    ask: Any, member: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    approval = ask("book", {"amount": 5}).approval
    object.__setattr__(book, "approval", ApprovalPolicy(group="Nobody"))
    try:
        assert approve(approval, member("carl", "Clerks")).status == "approved"
    finally:
        object.__setattr__(
            book,
            "approval",
            ApprovalPolicy(
                group="Clerks",
                escalate_to="Managers",
                escalate_after=timedelta(hours=1),
                expires_after=timedelta(hours=4),
            ),
        )


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (None, "object"),
        ({}, "carrier is missing"),
        ({"carrier": "truck"}, "carrier"),
        ({"carrier": "post", "days": 0}, "days"),
        ({"carrier": "post", "days": "two"}, "days"),
    ],
)
def test_an_answer_that_does_not_fit_its_form_is_refused(
    ask: Any, member: Any, answer: Any, problem: str
) -> None:
    approval = ask("choose_carrier", {"order": 7}).approval
    with pytest.raises(InvalidInput, match=problem):
        approve(approval, member("carl", "Clerks"), answer=answer)
    assert Approval.objects.get().status == "pending"
    assert not Decision.objects.exists()


def test_staff_answer_a_human_tool_by_its_form(ask: Any, member: Any) -> None:
    call = ask("choose_carrier", {"order": 7})
    assert (call.status, call.answer_schema) == (
        "awaiting_approval",
        {**FORM, "x-order": ["carrier", "days"]},
    )
    approve(call, member("carl", "Clerks"), answer={"carrier": "bike", "days": 2})
    call.refresh_from_db()
    assert (call.status, call.result) == ("complete", {"carrier": "bike", "days": 2})
    assert Decision.objects.get().answer == {"carrier": "bike", "days": 2}
    assert Run.objects.get().status == "complete"
    office.model.assert_finished()  # type: ignore[union-attr]


def test_staff_may_decline_to_answer(ask: Any, member: Any) -> None:
    call = ask("choose_carrier", {"order": 7})
    deny(call, member("carl", "Clerks"), "Not in stock.")
    call.refresh_from_db()
    assert call.status == "denied"
    assert "Not in stock." in call.result


def test_the_persons_own_answer_has_to_fit_too(ask: Any, user: Any) -> None:
    call = ask("ask_size", {})
    with pytest.raises(InvalidInput) as refused:
        actions.submit_tool_result(user, call.pk, tab="t", result="XXL")
    assert refused.value.details["problems"]
    _, accepted = actions.submit_tool_result(user, call.pk, tab="t", result="M")
    assert accepted
    assert Run.objects.get().status == "complete"


def test_refusals_say_what_happened_meanwhile(ask: Any, member: Any, user: Any) -> None:
    carl, cora = member("carl", "Clerks"), member("cora", "Clerks")
    approval = ask("book", {"amount": 1}).approval
    Approval.objects.filter(pk=approval.pk).update(required=2)
    approve(approval, carl)
    approve(approval, cora)
    with pytest.raises(AlreadyDecided, match="the 2 approvals it needed") as refused:
        approve(approval, member("chris", "Clerks"))
    assert refused.value.details["decided_by"] == "cora"

    replaced = ask("book", {"amount": 2}).approval
    Approval.objects.filter(pk=replaced.pk).update(status="superseded")
    with pytest.raises(ApprovalClosed, match="edited the message") as closed:
        approve(replaced, carl)
    assert closed.value.details["status"] == "superseded"

    stopped = ask("book", {"amount": 3})
    actions.cancel_run(user, stopped.run_id)
    with pytest.raises(ApprovalClosed, match="withdrawn"):
        approve(stopped.approval, carl)

    late = ask("book", {"amount": 4}).approval
    Approval.objects.filter(pk=late.pk).update(expires_at=timezone.now())
    with pytest.raises(ApprovalExpired):
        approve(late, carl)

    gone = ask("book", {"amount": 5}).approval
    actions.delete_thread(user, gone.thread_id)
    with pytest.raises(NotFound):
        approve(gone, carl)
    assert Effect.objects.count() == 1


def test_the_record_outlives_the_thread_and_its_people(ask: Any, member: Any, user: Any) -> None:
    call = ask("book", {"amount": 5})
    carl = member("carl", "Clerks")
    approval = deny(call, carl, "No.")
    actions.delete_thread(user, call.thread_id)
    carl.delete()
    row = Decision.objects.get()
    assert (row.approval, row.user) == (None, None)
    assert (row.username, row.verdict, row.reason) == ("carl", "deny", "No.")
    assert (row.agent, row.tool_name, row.requester_name) == ("office", "book", "ada")
    assert row.approval_ref == approval.pk
    assert row.thread_ref == call.thread_id
    assert row.original_args_text == call.args_text


def test_a_decision_costs_so_many_queries(
    ask: Any, member: Any, settings: Any, django_assert_num_queries: Any
) -> None:
    """All of it: permission, decision, call, run. Measured without carrying out the run."""
    carl = member("carl", "Clerks")
    approval = ask("book", {"amount": 5}).approval
    settings.AGENTUI = {**settings.AGENTUI, "LAUNCHER": "in_process"}
    carl = type(carl).objects.prefetch_related("groups").get(pk=carl.pk)
    with django_assert_num_queries(15):
        approve(approval, carl)
