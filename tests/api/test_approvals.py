"""Who sees which approvals, and what deciding one through the API does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agentui.agents import ApprovalPolicy
from agentui.models import Approval, Decision
from tests.api.conftest import LATE, Api, make_paused

ids = list[str]


def named_bob(user: Any, request: Any) -> bool:
    return bool(user.username == "bob" and request.args["order"] == 7)


def nobody(user: Any, request: Any) -> bool:
    return False


def listed(api: Api, **query: Any) -> ids:
    answer = api.get("approvals/", **query)
    assert answer.status_code == 200
    return [row["id"] for row in answer.data["approvals"]]


def test_mine_are_listed_and_others_are_not(api: Api, other_api: Api, paused: Any) -> None:
    assert listed(api) == [str(paused.approval.pk)]
    assert listed(other_api) == []


@pytest.mark.parametrize(
    ("policy", "right"),
    [
        (ApprovalPolicy(permission="agentui.view_run"), "permission"),
        (ApprovalPolicy(group="Support"), "group"),
        (ApprovalPolicy(who=named_bob), "nothing"),
        (ApprovalPolicy(permission="agentui.view_run", group="Support"), "both"),
        (ApprovalPolicy.staff(), "staff"),
        (ApprovalPolicy(who="staff", group="Support"), "group staff"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_whoever_may_decide_sees_it(
    api: Api,
    other_api: Api,
    user: Any,
    other_user: Any,
    policy: ApprovalPolicy,
    right: str,
) -> None:
    """And whoever may not, does not: before the right is given, the list is empty."""
    approval = make_paused(user, policy).approval
    if right != "nothing":
        assert listed(other_api) == []
        assert other_api.get(f"approvals/{approval.pk}/").status_code == 404
    if right in ("group", "both", "group staff"):
        other_user.groups.add(Group.objects.create(name="Support"))
    if right in ("permission", "both"):
        other_user.user_permissions.add(Permission.objects.get(codename="view_run"))
    if right in ("staff", "group staff"):
        other_user.is_staff = True
        other_user.save()
    if right == "staff":
        assert listed(other_api) == []
        other_user.user_permissions.add(Permission.objects.get(codename="decide_approval"))
    assert listed(other_api) == [str(approval.pk)]
    row = other_api.get(f"approvals/{approval.pk}/").data
    assert row["may_decide"] is True
    answer = other_api.post(f"approvals/{approval.pk}/decide/", {"verdict": "deny"})
    assert answer.status_code == 200
    assert answer.data["status"] == "denied"
    assert answer.data["may_decide"] is False
    assert listed(other_api, status="denied") == [str(approval.pk)]
    assert listed(other_api, status="pending") == []
    assert api.get(f"approvals/{approval.pk}/").data["may_decide"] is False


def test_pages_go_past_those_that_a_rule_refuses(staff_api: Api, user: Any) -> None:
    seen = [make_paused(user, ApprovalPolicy.staff()).approval]
    for _ in range(5):
        make_paused(user, ApprovalPolicy(who=nobody))
    seen.append(make_paused(user, ApprovalPolicy(group="Support")).approval)
    first = staff_api.get("approvals/", limit=1).data
    assert [row["id"] for row in first["approvals"]] == [str(seen[1].pk)]
    second = staff_api.get("approvals/", limit=1, cursor=first["next"]).data
    assert [row["id"] for row in second["approvals"]] == [str(seen[0].pk)]
    assert second["next"] is None


def test_the_requester_sees_but_does_not_decide(api: Api, user: Any) -> None:
    approval = make_paused(user, ApprovalPolicy(who=named_bob)).approval
    user.username = "bob"
    user.save()
    assert api.get(f"approvals/{approval.pk}/").data["may_decide"] is False
    answer = api.post(f"approvals/{approval.pk}/decide/", {"verdict": "approve"})
    assert (answer.status_code, answer.data["code"]) == (403, "requester_may_not_decide")
    assert not Decision.objects.exists()


def refused(api: Api, paused: Any, body: dict[str, Any], status: int, code: str) -> None:
    before = Approval.objects.values().get(pk=paused.approval.pk), Decision.objects.count()
    answer = api.post(f"approvals/{paused.approval.pk}/decide/", body)
    assert (answer.status_code, answer.data["code"]) == (status, code)
    assert set(answer.data) <= {"code", "message", "details"}
    after = Approval.objects.values().get(pk=paused.approval.pk), Decision.objects.count()
    assert after == before


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"verdict": "maybe"}, 400, "invalid"),
        ({"option": "allow_for_ever"}, 400, "invalid"),
        ({"verdict": "deny"}, 400, "reason_required"),
        ({"verdict": "deny", "reason": " "}, 400, "reason_required"),
        ({"verdict": "deny", "reason": "x" * 4001}, 400, "invalid"),
        ({"verdict": "approve", "digest": "0" * 64}, 409, "digest_mismatch"),
        ({"verdict": "approve", "args_text": '{"order": "x"}'}, 400, "invalid"),
        ({"verdict": "approve", "args_text": "{"}, 400, "invalid"),
        ({"verdict": "approve", "status": "approved"}, 400, "invalid"),
        ({"verdict": "approve", "door": "admin"}, 400, "invalid"),
    ],
)
def test_refusals(api: Api, paused: Any, body: dict[str, Any], status: int, code: str) -> None:
    refused(api, paused, body, status, code)


def test_somebody_without_the_right(staff_api: Api, other_api: Api, paused: Any) -> None:
    refused(other_api, paused, {"verdict": "approve"}, 404, "not_found")
    refused(staff_api, paused, {"verdict": "approve"}, 403, "not_permitted")


def test_a_second_decision(api: Api, paused: Any) -> None:
    path = f"approvals/{paused.approval.pk}/decide/"
    assert api.post(path, {"verdict": "approve"}).data["status"] == "approved"
    refused(api, paused, {"verdict": "approve"}, 409, "already_decided")
    assert Decision.objects.get().door == "api"


@pytest.mark.parametrize("key", [None, "0198f3a4-0000-7000-8000-000000000001"])
def test_after_its_time(api: Api, user: Any, key: str | None) -> None:
    """It is refused, and ended, also where a key makes the whole command one transaction."""
    paused = make_paused(user, expires_at=timezone.now() + LATE)
    headers = {"Idempotency_Key": key} if key else {}
    path = f"approvals/{paused.approval.pk}/decide/"
    answer = api.post(path, {"verdict": "approve"}, **headers)
    assert (answer.status_code, answer.data["code"]) == (409, "approval_expired")
    paused.approval.refresh_from_db()
    assert paused.approval.status == "expired"
    assert not Decision.objects.exists()


@pytest.mark.parametrize("key", [None, "0198f3a4-0000-7000-8000-000000000001"])
def test_a_tool_that_changed_fails_closed(api: Api, paused: Any, key: str | None) -> None:
    paused.refund.tool_digest = "0" * 64
    paused.refund.save()
    headers = {"Idempotency_Key": key} if key else {}
    path = f"approvals/{paused.approval.pk}/decide/"
    answer = api.post(path, {"verdict": "approve"}, **headers)
    assert (answer.status_code, answer.data["code"]) == (409, "tool_changed")
    paused.approval.refresh_from_db()
    assert paused.approval.status == "cancelled"


def test_changed_arguments_are_those_the_next_person_is_shown(
    other_api: Api, staff_api: Api, user: Any, other_user: Any
) -> None:
    other_user.groups.add(Group.objects.create(name="Support"))
    policy = ApprovalPolicy(group="Support", required=2, editable=["order"])
    approval = make_paused(user, policy).approval
    path = f"approvals/{approval.pk}/"
    answer = other_api.post(
        path + "decide/", {"verdict": "approve", "args_text": '{"order": 8}'}
    ).data
    assert (answer["status"], answer["decided"]) == ("pending", {"approve": 1, "deny": 0})
    shown = staff_api.get(path).data
    assert shown["args_text"] == '{"order": 8}'
    again = other_api.post(path + "decide/", {"verdict": "approve"})
    assert (again.status_code, again.data["code"]) == (409, "already_voted")
    done = staff_api.post(path + "decide/", {"verdict": "approve", "digest": shown["args_digest"]})
    assert done.data["status"] == "approved"


def test_the_inbox_has_what_others_ask_and_is_mine_to_decide(
    api: Api, other_api: Api, staff_api: Api, user: Any, staff: Any
) -> None:
    later = make_paused(user, ApprovalPolicy.staff()).approval
    soon = make_paused(
        user, ApprovalPolicy.staff(), expires_at=timezone.now() + timedelta(hours=1)
    ).approval
    make_paused(user)  # for its owner, in the chat
    make_paused(staff, ApprovalPolicy.staff())  # asked for by the one who looks
    make_paused(user, ApprovalPolicy(who=nobody))
    old = make_paused(user, ApprovalPolicy.staff()).approval
    old.policy["options"] = [{"kind": "of another time"}]
    old.save()
    seen = staff_api.get("approvals/waiting/").data
    assert [row["id"] for row in seen["approvals"]] == [str(soon.pk), str(later.pk)]
    assert (seen["decides"], seen["url"]) == (True, "/admin/agentui/approval/")
    row = seen["approvals"][0]
    assert (row["requester_name"], row["asked"], row["may_decide"]) == ("ada", "Refund 7", True)
    assert row["description"] == "Refund an order."
    assert row["url"] == f"/admin/agentui/approval/{soon.pk}/change/"
    limited = staff_api.get("approvals/waiting/", limit=1).data
    assert ([row["id"] for row in limited["approvals"]], limited["waiting"]) == ([str(soon.pk)], 3)
    answer = staff_api.post(f"approvals/{soon.pk}/decide/", {"verdict": "approve"})
    assert answer.data["status"] == "approved"
    after = staff_api.get("approvals/waiting/").data
    assert [row["id"] for row in after["approvals"]] == [str(later.pk)]
    # Whom no policy asks is told so, and nothing else.
    nothing = {"decides": False, "waiting": 0, "approvals": [], "url": ""}
    assert [api.get("approvals/waiting/").data, other_api.get("approvals/waiting/").data] == [
        nothing,
        nothing,
    ]


def test_who_is_not_staff_has_the_inbox_without_the_admin(
    other_api: Api, user: Any, other_user: Any
) -> None:
    make_paused(user, ApprovalPolicy(group="Support"))
    other_user.groups.add(Group.objects.create(name="Support"))
    (row,) = other_api.get("approvals/waiting/").data["approvals"]
    assert (row["may_decide"], row["url"]) == (True, "")


def test_the_inbox_costs_the_same_however_much_waits(staff_api: Api, user: Any) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            staff_api.get("approvals/waiting/")
        return len(queries)

    make_paused(user, ApprovalPolicy(group="Support"))
    staff_api.get("approvals/waiting/")
    few = cost()
    for _ in range(6):
        make_paused(user, ApprovalPolicy(group="Support"))
    assert cost() == few
