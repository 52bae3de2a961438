"""Many decisions at once: what is confirmed is what is decided, and the report is true."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from agentui import ApprovalPolicy
from agentui.admin import bulk
from agentui.models import Approval, Decision, ToolCall
from agentui.testing import deny
from tests.admin.pages import BULK, LIST, act, chosen_of, confirm, text_of
from tests.admin.rows import many_waiting, waiting

pytestmark = pytest.mark.django_db


def test_nothing_is_decided_before_the_confirm_page_is_answered(
    decider: Any, user: Any, signed_in: Any
) -> None:
    rows = [waiting(user), waiting(user)]
    page = act(signed_in(decider), "approve_selected", rows)
    assert "Approve 2 requests?" in text_of(page)
    assert not Decision.objects.exists()


def test_approve_selected(decider: Any, user: Any, signed_in: Any) -> None:
    rows, left = [waiting(user), waiting(user)], waiting(user)
    client = signed_in(decider)
    report = confirm(client, act(client, "approve_selected", rows))
    assert "2 requests were approved. None was skipped." in text_of(report)
    assert set(Approval.objects.filter(status="approved")) == set(rows)
    left.refresh_from_db()
    assert left.status == "pending"
    assert LogEntry.objects.count() == 2


def test_deny_selected_with_a_reason(decider: Any, user: Any, signed_in: Any) -> None:
    rows = [waiting(user), waiting(user)]
    client = signed_in(decider)
    confirm(client, act(client, "deny_selected", rows), reason="Closed today")
    assert {d.reason for d in Decision.objects.all()} == {"Closed today"}
    assert all("Closed today" in call.result for call in ToolCall.objects.all())


def test_each_row_is_checked_again_and_the_report_says_what_was_skipped_and_why(
    person: Any, staff: Any, user: Any, signed_in: Any
) -> None:
    joan = person("joan", "change_effect", "view_approval")
    good = waiting(user)
    decided, expired, changed, own = waiting(user), waiting(user), waiting(user), waiting(joan)
    gone = waiting(user)
    foreign = waiting(user, policy=ApprovalPolicy.staff())
    client = signed_in(joan)
    rows = [good, decided, expired, changed, own, gone, foreign]
    page = act(client, "approve_selected", rows)
    deny(decided, staff)
    Approval.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(1))
    Approval.objects.filter(pk=changed.pk).update(args_digest="f" * 64)
    gone.thread.delete()
    text = text_of(confirm(client, page))
    assert "1 request was approved. 6 were skipped" in text
    for why in (
        "This request has already been decided. 1",
        "Already decided: grace denied this on",
        "The time to decide this request is over",
        "not the ones you were shown",
        "You asked for this yourself",
        "This request no longer exists. 1",
        "not one of those who may decide",
    ):
        assert why in text
    assert Decision.objects.filter(user=joan).count() == 1


def test_a_ticked_row_that_was_decided_meanwhile_is_refused_and_its_neighbour_untouched(
    decider: Any, staff: Any, user: Any, signed_in: Any
) -> None:
    first, second = waiting(user), waiting(user)
    client = signed_in(decider)
    client.get(LIST)
    deny(first, staff)
    new = waiting(user, expires_in=timedelta(minutes=1))  # now on top of the list
    report = confirm(client, act(client, "approve_selected", [first]))
    assert "0 requests were approved. 1 was skipped" in text_of(report)
    for row in (second, new):
        row.refresh_from_db()
        assert row.status == "pending"


def test_rows_of_others_are_not_touched_by_a_forged_selection(
    person: Any, user: Any, signed_in: Any
) -> None:
    foreign = waiting(user, policy=ApprovalPolicy(permission="testsite.delete_effect"))
    client = signed_in(person("joan", "change_effect"))
    response = client.post(
        LIST,
        {"action": "approve_selected", "_selected_action": [str(foreign.pk)], "index": "0"},
        follow=True,
    )
    assert "Nothing that you may decide was selected" in text_of(response)
    assert not Decision.objects.exists()


def test_what_comes_after_the_confirm_page_is_not_decided(
    decider: Any, user: Any, signed_in: Any
) -> None:
    rows = many_waiting(user, 60)
    client = signed_in(decider)
    page = act(client, "approve_selected", rows[:1], select_across="1")
    assert "Approve 60 requests?" in text_of(page)
    late = waiting(user)
    confirm(client, page)
    late.refresh_from_db()
    assert late.status == "pending"
    assert Approval.objects.filter(status="approved").count() == 60


def test_select_across_keeps_the_lists_filters(
    decider: Any, user: Any, other_user: Any, signed_in: Any
) -> None:
    rows = [waiting(user), waiting(other_user)]
    client = signed_in(decider)
    url = f"{LIST}?requester={user.pk}"
    page = act(client, "approve_selected", rows[:1], url, select_across="1")
    assert "Approve 1 request?" in text_of(page)


@pytest.mark.slow
def test_1500_rows_in_one_field(decider: Any, user: Any, signed_in: Any, settings: Any) -> None:
    many_waiting(user, 1500)
    client = signed_in(decider)
    page = act(client, "approve_selected", [Approval.objects.first()], select_across="1")
    assert page.content.count(b"<input") < 20
    assert "… and 1400 more" in text_of(page)
    report = confirm(client, page)
    while b'id="agentui-continue"' in report.content:
        report = confirm(client, report)
    assert "1500 requests were approved. None was skipped." in text_of(report)
    assert not Approval.objects.pending().exists()
    assert Decision.objects.count() == LogEntry.objects.count() == 1500


def test_a_long_list_is_decided_in_steps_and_the_report_adds_up(
    decider: Any, staff: Any, user: Any, signed_in: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(bulk, "SECONDS", 0.0)
    monkeypatch.setattr(bulk, "SHOWN", 2)
    rows = [waiting(user) for _ in range(5)]
    client = signed_in(decider)
    page = act(client, "deny_selected", rows)
    deny(rows[0], staff)
    deny(rows[4], staff)
    report = confirm(client, page, reason="Not today")
    assert "3 are still to do" in text_of(report)
    for _ in range(2):
        report = confirm(client, report)
    text = text_of(report)
    assert "3 requests were denied. 2 were skipped" in text
    assert b"agentui-continue" not in report.content
    mine = Decision.objects.filter(user=decider)
    assert {decision.reason for decision in mine} == {"Not today"}


def test_sent_again_it_decides_nothing_twice(decider: Any, user: Any, signed_in: Any) -> None:
    client = signed_in(decider)
    page = act(client, "approve_selected", [waiting(user)])
    confirm(client, page)
    again = confirm(client, page)
    assert "0 requests were approved. 1 was skipped" in text_of(again)
    assert Decision.objects.count() == 1


def test_a_selection_is_of_one_person_and_cannot_be_made_up(
    decider: Any, person: Any, user: Any, signed_in: Any
) -> None:
    page = act(signed_in(decider), "approve_selected", [waiting(user)])
    other = signed_in(person("max", "change_effect"))
    for chosen in (chosen_of(page), "", "made:up", "\x00"):
        response = other.post(BULK, {"chosen": chosen}, follow=True)
        assert "The selection could not be read" in text_of(response)
    assert not Decision.objects.exists()


def test_nothing_is_decided_by_get(decider: Any, user: Any, signed_in: Any) -> None:
    client = signed_in(decider)
    page = act(client, "approve_selected", [waiting(user)])
    assert client.get(BULK, {"chosen": chosen_of(page)}).status_code == 405
    assert not Decision.objects.exists()


def test_more_than_the_limit_is_said_before_anything_happens(
    decider: Any, user: Any, signed_in: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(bulk, "MOST", 2)
    rows = [waiting(user) for _ in range(3)]
    response = signed_in(decider).post(
        LIST,
        {"action": "approve_selected", "_selected_action": [str(r.pk) for r in rows], "index": "0"},
        follow=True,
    )
    assert "3 requests are selected; at most 2 can be decided at once" in text_of(response)


def test_a_missing_reason_is_reported_for_each_row(decider: Any, user: Any, signed_in: Any) -> None:
    policy = ApprovalPolicy(permission="testsite.change_effect", reason_required=True)
    client = signed_in(decider)
    page = act(client, "deny_selected", [waiting(user, policy=policy)])
    assert "Reason (required)" in text_of(page)
    assert "Please give a reason" in text_of(confirm(client, page))
    assert not Decision.objects.exists()


def test_votes_that_are_not_the_last_are_said_to_be_so(
    decider: Any, user: Any, signed_in: Any
) -> None:
    policy = ApprovalPolicy(permission="testsite.change_effect", required=2)
    client = signed_in(decider)
    page = act(client, "approve_selected", [waiting(user, policy=policy)])
    assert "1 of them needs another approval before it runs" in text_of(confirm(client, page))
