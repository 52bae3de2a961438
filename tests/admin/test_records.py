"""The record of decisions, standing answers, and the report: who sees them, and what leaves the site."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from agentui import ApprovalPolicy
from agentui.admin.decision import cell
from agentui.models import Approval, Decision, Grant, Thread, ToolCall
from agentui.testing import approve, deny
from tests.admin.pages import act, page_of, text_of
from tests.admin.rows import refund_order, waiting

pytestmark = pytest.mark.django_db

RECORD = "/admin/agentui/decision/"
EXPORT = f"{RECORD}export/"
GRANTS = "/admin/agentui/grant/"
REPORT = "/admin/agentui/approval/report/"


def exported(response: Any) -> list[dict[str, str]]:
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def auditor(person: Any) -> Any:
    return person("olga", "view_decision", "export_decision")


def test_the_record_is_for_those_with_the_permission(
    decider: Any, person: Any, auditor: Any, user: Any, signed_in: Any
) -> None:
    deny(waiting(user), decider, "No photo.")
    decision = Decision.objects.get()
    assert signed_in(decider).get(RECORD).status_code == 403
    assert signed_in(decider).get(REPORT).status_code == 403
    viewer = signed_in(person("vera", "view_decision"))
    assert "No photo." in text_of(viewer.get(RECORD))
    assert "No photo." in text_of(viewer.get(page_of(decision)))
    assert "Export" not in text_of(viewer.get(RECORD))
    assert viewer.get(EXPORT).status_code == 403
    assert "Export as CSV" in text_of(signed_in(auditor).get(RECORD))
    assert signed_in(person("xena", "export_decision")).get(EXPORT).status_code == 403


def test_the_export_is_what_the_list_shows(
    decider: Any, auditor: Any, user: Any, signed_in: Any
) -> None:
    approve(waiting(user), decider)
    deny(waiting(user, args={"note": 'a "quoted", word\nand a line'}), decider, "No.")
    client = signed_in(auditor)
    rows = exported(client.get(EXPORT))
    assert [row["verdict"] for row in rows] == ["deny", "approve"]
    row = rows[0]
    assert (row["decided_by"], row["asked_for_by"], row["tool"]) == ("joan", "ada", "refund_order")
    assert row["arguments"] == '{"note": "a \\"quoted\\", word\\nand a line"}'
    assert row["fingerprint"] == Decision.objects.get(verdict="deny").args_digest
    assert [row["verdict"] for row in exported(client.get(f"{EXPORT}?verdict=approve"))] == [
        "approve"
    ]
    response = client.get(EXPORT)
    assert "attachment" in response["Content-Disposition"]
    assert client.post(EXPORT).status_code == 405


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1", '=HYPERLINK("http://x")'],
)
def test_no_cell_is_a_formula(text: str) -> None:
    assert cell(text) == f"'{text}"
    assert cell("No = here") == "No = here"
    assert cell("") == ""


def test_a_reason_does_not_run_in_a_spreadsheet(
    decider: Any, auditor: Any, user: Any, signed_in: Any
) -> None:
    deny(waiting(user), decider, "=cmd|' /C calc'!A0")
    assert exported(signed_in(auditor).get(EXPORT))[0]["reason"] == "'=cmd|' /C calc'!A0"


def test_no_decision_is_changed_or_deleted(staff: Any, user: Any, signed_in: Any) -> None:
    deny(waiting(user), staff, "No.")
    decision = Decision.objects.get()
    client = signed_in(staff)
    url = page_of(decision)
    assert client.post(url, {"reason": "Yes."}).status_code == 405
    assert client.post(url.replace("/change/", "/delete/"), {"post": "yes"}).status_code == 403
    assert "delete_selected" not in client.get(RECORD).content.decode()
    decision.refresh_from_db()
    assert decision.reason == "No."


def test_a_thread_can_be_deleted_and_the_record_stays(
    staff: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    deny(approval, staff, "No.")
    client = signed_in(staff)
    client.post(page_of(approval.thread).replace("/change/", "/delete/"), {"post": "yes"})
    thread_is_gone = not Thread.objects.exists()
    record = Decision.objects.get()
    assert record.tool_name == "refund_order"
    assert (record.approval is None) == thread_is_gone
    assert "No." in text_of(client.get(page_of(record)))


def test_the_report(decider: Any, staff: Any, user: Any, signed_in: Any) -> None:
    for hours in (1, 2, 30):
        approve(waiting(user, asked_ago=timedelta(hours=hours)), decider)
    deny(waiting(user, asked_ago=timedelta(hours=4)), staff, "No.")
    waiting(user)
    approve(waiting(user, asked_ago=timedelta(days=40)), decider)
    page = signed_in(staff).get(REPORT)
    line = page.context["tools"][0]
    assert (line.approved, line.denied, line.waiting, line.total) == (3, 1, 1, 5)
    assert (line.rate, line.median, line.nine_in_ten) == ("75 %", "3 hours", "1 day, 6 hours")
    people = {str(row["name"]): row for row in page.context["people"]}
    assert (people["joan"]["approved"], people["joan"]["rate"]) == (4, "100 %")
    assert (people["grace"]["denied"], people["grace"]["median"]) == (1, "4 hours")
    year = signed_in(staff).get(f"{REPORT}?days=365").context["whole"]
    assert year.total == 6
    assert signed_in(staff).get(f"{REPORT}?days=abc").context["days"] == 30


def grant_of(giver: Any, **fields: Any) -> Grant:
    values = {"agent": "desk", "tool_name": "refund_order", "tool_digest": refund_order.digest}
    return Grant.objects.create(granted_by=giver, **{**values, **fields})


def test_standing_answers_are_listed_in_plain_words(staff: Any, user: Any, signed_in: Any) -> None:
    grant_of(staff, user=user, arguments={"order_id": 17})
    grant_of(staff, is_allowed=False, reason="Never <b>again</b>.")
    grant_of(staff, expires_at=timezone.now() - timedelta(days=1), agent="old-desk")
    client = signed_in(staff)
    listed = client.get(GRANTS)
    page = text_of(listed)
    assert listed.context["cl"].result_count == 2
    assert "in every thread of ada, with order_id = 17" in page
    assert "for everybody who uses this agent" in page
    assert "never allowed" in page
    assert "expired" in text_of(client.get(f"{GRANTS}?holds=no"))
    denial = client.get(page_of(Grant.objects.get(is_allowed=False)))
    assert "Never <b>again</b>." in text_of(denial)
    assert "<b>again</b>" not in denial.content.decode()


def test_what_somebody_allowed_who_has_left_is_shown_as_suspended(
    staff: Any, person: Any, user: Any, signed_in: Any
) -> None:
    left = person("mary", is_active=False)
    allowed, denied = grant_of(left, user=user), grant_of(left, is_allowed=False)
    client = signed_in(staff)
    page = text_of(client.get(GRANTS))
    assert ("suspended" in page, "never allowed" in page) == (True, True)
    assert "always allowed" not in page
    assert page.count("mary, no longer active") == 2
    problem = "Whoever gave this is no longer active, so it allows nothing"
    assert problem in text_of(client.get(page_of(allowed)))
    assert problem not in text_of(client.get(page_of(denied)))


def test_each_use_is_shown_with_the_answer_and_with_the_call(
    staff: Any, user: Any, signed_in: Any
) -> None:
    grant = grant_of(staff, user=user)
    call = waiting(user).tool_call
    ToolCall.objects.filter(pk=call.pk).update(grant=grant, is_automatic=True, status="complete")
    client = signed_in(staff)
    assert page_of(call) in client.get(page_of(grant)).content.decode()
    assert page_of(grant) in client.get(page_of(call)).content.decode()


def test_whoever_gave_it_sees_and_revokes_it_and_nobody_else(
    decider: Any, person: Any, staff: Any, user: Any, signed_in: Any
) -> None:
    mine, other = grant_of(decider), grant_of(staff)
    client = signed_in(decider)
    assert client.get(page_of(mine)).status_code == 200
    assert client.get(page_of(other)).status_code == 302
    client.post(page_of(other).replace("/change/", "/revoke/"))
    viewer = signed_in(person("vera", "view_grant"))
    assert "Revoke" not in text_of(viewer.get(page_of(mine))).replace("Revoked", "")
    viewer.post(page_of(mine).replace("/change/", "/revoke/"))
    assert not Grant.objects.exclude(revoked_at=None).exists()
    assert client.get(page_of(mine).replace("/change/", "/revoke/")).status_code == 405
    response = client.post(page_of(mine).replace("/change/", "/revoke/"), follow=True)
    assert "From now on people are asked again." in text_of(response)
    mine.refresh_from_db()
    assert mine.revoked_by == decider
    assert LogEntry.objects.get().change_message == "Revoked"


def test_many_are_revoked_at_once(staff: Any, user: Any, signed_in: Any) -> None:
    rows = [grant_of(staff) for _ in range(3)]
    response = act(signed_in(staff), "revoke_selected", rows, url=GRANTS)
    assert response.status_code == 302
    assert Grant.objects.filter(revoked_by=staff).count() == 3


def test_an_answer_whose_tool_has_changed_says_so(staff: Any, signed_in: Any) -> None:
    grant = grant_of(staff, tool_digest="another")
    assert "it allows nothing: people are asked again" in text_of(
        signed_in(staff).get(page_of(grant))
    )


def test_a_second_group_sees_it_when_its_time_has_come(
    person: Any, user: Any, signed_in: Any
) -> None:
    from django.contrib.auth.models import Group

    from tests.admin.pages import LIST

    policy = ApprovalPolicy(
        permission="testsite.change_effect",
        escalate_to="Managers",
        escalate_after=timedelta(hours=1),
    )
    approval = waiting(user, policy=policy)
    mary = person("mary")
    mary.groups.add(Group.objects.create(name="Managers"))
    client = signed_in(mary)
    assert str(approval.pk) not in client.get(LIST).content.decode()
    Approval.objects.update(escalates_at=timezone.now() - timedelta(seconds=1))
    assert str(approval.pk) in client.get(LIST).content.decode()
    assert "Yes, approve" in text_of(client.get(page_of(approval)))
