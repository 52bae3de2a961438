"""One decision on the approval's page: what it does, and every refusal by its sentence."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from agentui import ApprovalPolicy
from agentui.agents import registry
from agentui.models import Approval, Decision, ToolCall
from agentui.testing import approve, deny
from tests.admin.pages import LIST, answer, decide_url, page_of, text_of
from tests.admin.rows import REFUND, desk, waiting

pytestmark = pytest.mark.django_db


def test_approve(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    client = signed_in(decider)
    response = answer(client, approval, "approve")
    assert response.url == page_of(approval)
    assert "You approved refund_order. It runs now" in text_of(client.get(response.url))
    approval.refresh_from_db()
    assert approval.status == "approved"
    decision = approval.decisions.get()
    assert (decision.user, decision.verdict, decision.door) == (decider, "approve", "admin")
    assert decision.args_digest == approval.args_digest
    assert ToolCall.objects.get().status == "approved"


def test_deny_with_a_reason_that_the_agent_is_told_word_for_word(
    decider: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    client = signed_in(decider)
    response = answer(client, approval, "deny", reason="No photo,\nno refund.")
    assert "You denied refund_order" in text_of(client.get(response.url))
    call = ToolCall.objects.get()
    assert call.status == "denied"
    assert "No photo,\nno refund." in call.result


def test_a_decision_is_in_the_admins_log(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    client = signed_in(decider)
    answer(client, approval, "deny", reason="Too much")
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (decider, str(approval.pk))
    assert approval.args_digest in entry.change_message
    assert "Too much" in entry.change_message
    history = client.get(page_of(approval).replace("/change/", "/history/"))
    assert "Too much" in text_of(history)


def test_reload_after_a_decision_decides_nothing_more(
    decider: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    client = signed_in(decider)
    answer(client, approval, "approve")
    again = answer(client, approval, "approve")
    assert again.status_code == 409
    assert Decision.objects.count() == LogEntry.objects.count() == 1


@pytest.mark.parametrize("method", ["get", "head", "put", "delete"])
def test_nothing_is_decided_but_by_post(
    method: str, decider: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    response = getattr(signed_in(decider), method)(
        f"{decide_url(approval)}?verdict=approve&digest={approval.args_digest}"
    )
    assert response.status_code == 405
    assert not Decision.objects.exists()


def test_the_page_itself_takes_no_post(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    response = signed_in(decider).post(page_of(approval), {"verdict": "approve"})
    assert response.status_code == 405
    assert not Decision.objects.exists()


def test_refused_without_csrf_token(decider: Any, user: Any) -> None:
    approval = waiting(user)
    client = Client(enforce_csrf_checks=True)
    client.force_login(decider)
    assert answer(client, approval, "approve").status_code == 403
    assert not Decision.objects.exists()


def test_refused_already_decided_by_whom_and_when(
    decider: Any, staff: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    deny(approval, staff, "no")
    response = answer(signed_in(decider), approval, "approve")
    assert response.status_code == 409
    assert "Already decided: grace denied this on" in text_of(response)
    assert Decision.objects.count() == 1


def test_refused_when_the_time_is_over_and_then_it_is_ended(
    decider: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user, expires_in=timedelta(hours=1))
    client = signed_in(decider)
    assert "Yes, approve" in text_of(client.get(page_of(approval)))
    Approval.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    response = answer(client, approval, "approve")
    assert "The time to decide this request is over" in text_of(response)
    approval.refresh_from_db()
    assert approval.status == "expired"
    assert ToolCall.objects.get().status == "expired"
    assert not Decision.objects.exists()


def test_refused_when_it_was_replaced(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    Approval.objects.update(status="superseded", decided_at=timezone.now())
    response = answer(signed_in(decider), approval, "approve")
    assert "was replaced: the person edited the message behind it" in text_of(response)
    assert not Decision.objects.exists()


@pytest.mark.parametrize("digest", ["", "0" * 64])
def test_refused_when_other_arguments_were_shown(
    digest: str, decider: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    response = answer(signed_in(decider), approval, "approve", digest=digest)
    assert "not the ones you were shown" in text_of(response)
    assert not Decision.objects.exists()


def test_refused_without_the_digest_field(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    response = signed_in(decider).post(decide_url(approval), {"verdict": "approve"})
    assert "not the ones you were shown" in text_of(response)
    assert not Decision.objects.exists()


def test_refused_when_the_tool_has_changed(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    ToolCall.objects.update(tool_digest="another")
    client = signed_in(decider)
    page = text_of(client.get(page_of(approval)))
    assert "The tool has changed since this request was made" in page
    assert "Yes, approve" not in page
    assert "Yes, deny" in page
    response = answer(client, approval, "approve")
    assert "has changed since it was made, so it cannot run" in text_of(response)
    approval.refresh_from_db()
    assert approval.status == "cancelled"


def test_refused_when_the_agent_is_gone(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    registry.unregister(desk)
    client = signed_in(decider)
    assert "agent behind this request no longer exists" in text_of(client.get(page_of(approval)))
    response = answer(client, approval, "approve")
    assert response.status_code == 409
    assert not Decision.objects.exists()


def test_refused_without_a_reason_where_one_is_required_and_the_form_stays_open(
    decider: Any, user: Any, signed_in: Any
) -> None:
    policy = ApprovalPolicy(permission="testsite.change_effect", reason_required=True)
    approval = waiting(user, policy=policy)
    client = signed_in(decider)
    assert "Reason (required)" in text_of(client.get(page_of(approval)))
    response = answer(client, approval, "deny", reason="  ")
    assert "Please give a reason" in text_of(response)
    assert not Decision.objects.exists()


def test_what_was_typed_is_kept_when_a_decision_is_refused(
    decider: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    response = answer(signed_in(decider), approval, "deny", digest="other", reason="I wrote this")
    assert "I wrote this</textarea>" in response.content.decode()


def test_refused_to_the_one_who_asked_also_as_superuser(staff: Any, signed_in: Any) -> None:
    approval = waiting(staff)
    client = signed_in(staff)
    page = text_of(client.get(page_of(approval)))
    assert "You asked for this yourself" in page
    assert "Yes, approve" not in page
    response = answer(client, approval, "approve")
    assert response.status_code == 403
    assert "You asked for this yourself" in text_of(response)
    assert not Decision.objects.exists()


def test_refused_to_who_may_only_view_or_change(person: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    client = signed_in(person("vera", "view_approval", "change_approval"))
    page = text_of(client.get(page_of(approval)))
    assert "not one of those who may decide" in page
    assert "Yes, approve" not in page
    response = answer(client, approval, "approve")
    assert response.status_code == 403
    assert not Decision.objects.exists()


def test_other_peoples_requests_do_not_exist_for_staff_who_may_not_decide(
    person: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    client = signed_in(person("otto", "decide_approval"))
    assert client.get(page_of(approval)).status_code == 302
    response = answer(client, approval, "approve")
    assert response.url == LIST
    assert not Decision.objects.exists()


def test_refused_to_non_staff_and_anonymous(user: Any, other_user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    for client in (Client(), signed_in(other_user)):
        for url in (LIST, page_of(approval)):
            assert "/admin/login/" in client.get(url).url
        assert "/admin/login/" in answer(client, approval, "approve").url
    assert not Decision.objects.exists()


def test_two_approvals_are_needed_and_nobody_gives_both(
    decider: Any, person: Any, user: Any, signed_in: Any
) -> None:
    policy = ApprovalPolicy(permission="testsite.change_effect", required=2)
    approval = waiting(user, policy=policy)
    client = signed_in(decider)
    response = answer(client, approval, "approve")
    page = text_of(client.get(response.url))
    assert "1 more approval is needed before it runs" in page
    assert "Yes, approve" not in page
    again = answer(client, approval, "approve")
    assert "You have already given your decision" in text_of(again)
    answer(signed_in(person("max", "change_effect")), approval, "approve")
    approval.refresh_from_db()
    assert approval.status == "approved"


def test_a_standing_answer_says_how_far_it_reaches(decider: Any, user: Any, signed_in: Any) -> None:
    policy = ApprovalPolicy(
        permission="testsite.change_effect",
        options=("allow_once", "allow_always:user", "deny_once"),
    )
    approval = waiting(user, policy=policy)
    client = signed_in(decider)
    assert "always allow in every thread of this person" in text_of(client.get(page_of(approval)))
    client.post(
        decide_url(approval),
        {"option": "allow_always:user", "verdict": "deny", "digest": approval.args_digest},
    )
    approval.refresh_from_db()
    assert approval.status == "approved"
    assert approval.decisions.get().option == "allow_always:user"


def test_a_broken_policy_lets_nobody_decide_and_the_page_still_opens(
    staff: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    Approval.objects.update(policy={})
    page = text_of(signed_in(staff).get(page_of(approval)))
    assert "Yes, approve" not in page


def test_the_next_request_is_one_click_away(decider: Any, user: Any, signed_in: Any) -> None:
    first = waiting(user)
    second = waiting(user, policy=REFUND)
    approve(first, decider)
    page = signed_in(decider).get(page_of(first)).content.decode()
    assert "Next request that waits for you" in page
    assert page_of(second) in page


def test_no_row_is_deleted(staff: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    client = signed_in(staff)
    assert client.get(page_of(approval).replace("/change/", "/delete/")).status_code == 403
    response = client.post(page_of(approval).replace("/change/", "/delete/"), {"post": "yes"})
    assert response.status_code == 403
    assert Approval.objects.exists()
