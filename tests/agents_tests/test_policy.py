"""Who decides: what a policy may say, what is stored of it, and whom it lets decide."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.utils import translation

from agentui import ApprovalPolicy, RunContext
from agentui.agents import ApprovalRequest, PolicyOption, ToolDefinitionError
from agentui.core.parts import ApprovalOption

from . import rules

PERMISSION = "auth.change_group"


@dataclass
class StoredApproval:
    """The columns of an approval that a policy reads."""

    requester_id: Any = 0
    agent: str = "support"
    tool_name: str = "refund_order"
    thread_id: str = "t1"
    tool_call: Any = field(default_factory=lambda: SimpleNamespace(args={"amount": 5}))


POLICIES = [
    ApprovalPolicy.user(),
    ApprovalPolicy.user(expires_after=timedelta(minutes=5), editable=["amount"]),
    ApprovalPolicy.staff(),
    ApprovalPolicy(permission=PERMISSION, requester_may_decide=True),
    ApprovalPolicy(group="Support", required=2, on_expiry="deny", reason_required=True),
    ApprovalPolicy(who=rules.small_amounts, expires_after=timedelta(days=90)),
    ApprovalPolicy(
        who="staff",
        group="Support",
        permission=PERMISSION,
        options=[
            PolicyOption("allow_once", label="Go on", description="Only now."),
            PolicyOption("allow_always", "user", ("amount",), timedelta(days=1)),
            "allow_always:thread",
            "deny_once",
            "deny_always:agent",
        ],
    ),
]


@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_comes_back_from_its_snapshot(policy: ApprovalPolicy) -> None:
    stored = json.loads(json.dumps(policy.snapshot()))
    assert ApprovalPolicy.from_snapshot(stored) == policy
    assert ApprovalPolicy.from_snapshot(stored).snapshot() == stored


def test_the_snapshot_names_everything() -> None:
    policy = ApprovalPolicy(permission="shop.refund_order", expires_after=timedelta(hours=24))
    assert policy.snapshot() == {
        "permission": "shop.refund_order",
        "group": None,
        "who": None,
        "required": 1,
        "requester_may_decide": False,
        "expires_after": 86400.0,
        "on_expiry": "expire",
        "escalate_to": None,
        "escalate_after": None,
        "remind_before": None,
        "options": [
            {
                "id": kind,
                "kind": kind,
                "reach": None,
                "arguments": [],
                "expires_after": None,
                "label": None,
                "description": None,
            }
            for kind in ("allow_once", "deny_once")
        ],
        "editable": [],
        "reason_required": False,
    }


def test_unknown_keys_of_a_later_version_are_passed_over() -> None:
    stored = {**ApprovalPolicy.staff().snapshot(), "decided_by_the_moon": 60}
    assert ApprovalPolicy.from_snapshot(stored) == ApprovalPolicy.staff()


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({}, "does not say who decides"),
        ({"permission": "refund"}, 'Write "app_label.codename"'),
        ({"permission": "shop.refund order"}, 'Write "app_label.codename"'),
        ({"permission": ".refund"}, 'Write "app_label.codename"'),
        ({"permission": "shop."}, 'Write "app_label.codename"'),
        ({"group": " "}, "names no group"),
        ({"who": "manager"}, "who='manager' is not known"),
        ({"who": 7}, "a function at the top of a module"),
        ({"who": lambda user, request: True}, "a function at the top of a module"),
        ({"who": rules.asynchronous}, "plain function, not async"),
        ({"who": "user", "required": 2}, "required must be 1"),
        ({"who": "staff", "escalate_to": "Managers"}, "needs both"),
        ({"who": "staff", "escalate_after": timedelta(1)}, "needs both"),
        ({"who": "staff", "escalate_to": "M", "escalate_after": timedelta(0)}, "above 0"),
        ({"who": "user", "escalate_to": "M", "escalate_after": timedelta(1)}, "cannot escalate"),
        (
            {
                "who": "staff",
                "escalate_to": "M",
                "escalate_after": timedelta(2),
                "expires_after": timedelta(1),
            },
            "not before expires_after",
        ),
        ({"who": "staff", "remind_before": timedelta(1)}, "needs an expires_after"),
        ({"who": "user", "requester_may_decide": False}, "requester_may_decide not False"),
        ({"who": "user", "permission": PERMISSION}, "leave permission and group out"),
        ({"who": "staff", "required": 0}, "required=0"),
        ({"who": "staff", "required": True}, "required=True"),
        ({"who": "staff", "required": 1.5}, "required=1.5"),
        ({"who": "staff", "required": 101}, "required=101"),
        ({"who": "staff", "expires_after": timedelta(0)}, "above 0, or None"),
        ({"who": "staff", "expires_after": 3600}, "give a timedelta"),
        ({"who": "staff", "on_expiry": "allow"}, "on_expiry='allow'"),
        ({"who": "staff", "when": "amount > 100"}, "plain function"),
        ({"who": "staff", "when": rules.asynchronous}, "plain function"),
        ({"who": "staff", "editable": "amount"}, r"takes a list: \['amount'\]"),
        ({"who": "staff", "options": ["allow_once"]}, "no way to deny"),
        ({"who": "staff", "options": ["deny_once"]}, "no way to allow"),
        ({"who": "staff", "options": []}, "no way to allow"),
        ({"who": "staff", "options": ["allow_once", "allow_once", "deny_once"]}, "twice"),
        ({"who": "staff", "options": ["allow_always", "deny_once"]}, "how far it reaches"),
        ({"who": "staff", "options": ["allow_once:user", "deny_once"]}, "answers one call only"),
        ({"who": "staff", "options": ["allow_always:world"]}, "how far it reaches"),
        ({"who": "staff", "options": ["perhaps"]}, "option 'perhaps' is not known"),
        (
            {"who": "staff", "required": 2, "options": ["allow_always:user", "deny_once"]},
            "would let one of them decide alone",
        ),
    ],
)
def test_a_policy_that_cannot_be_followed(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(ToolDefinitionError, match=problem):
        ApprovalPolicy(**settings)


def test_the_short_forms() -> None:
    assert ApprovalPolicy.of(None) is None
    assert ApprovalPolicy.of("user") == ApprovalPolicy.user()
    assert ApprovalPolicy.of("staff") == ApprovalPolicy.staff()
    assert ApprovalPolicy.user().is_user
    assert ApprovalPolicy.user().requester_may_decide
    assert not ApprovalPolicy.staff().is_user
    assert not ApprovalPolicy.staff().requester_may_decide


def test_options_as_a_message_carries_them() -> None:
    policy = POLICIES[-1]
    assert policy.approval_options() == (
        ApprovalOption("allow_once", "allow_once", "Go on", "Only now."),
        ApprovalOption("allow_always:user(amount)", "allow_always", grants=("user", "amount")),
        ApprovalOption("allow_always:thread", "allow_always", grants=("thread",)),
        ApprovalOption("deny_once", "deny_once"),
        ApprovalOption("deny_always:agent", "deny_always", grants=("agent",)),
    )
    found = policy.option("allow_always:user(amount)")
    assert found is not None
    assert found.allows
    assert found.is_always
    assert policy.option("allow_always") is None


def test_when_is_asked_for_each_call() -> None:
    policy = ApprovalPolicy.staff(when=lambda args, ctx: args["amount"] > 100 and ctx.user_id == 1)
    ctx = RunContext(user_id=1)
    assert policy.is_needed({"amount": 101}, ctx)
    assert not policy.is_needed({"amount": 100}, ctx)
    assert ApprovalPolicy.staff().is_needed({}, ctx)


def test_a_when_that_breaks_asks_a_person(caplog: pytest.LogCaptureFixture) -> None:
    policy = ApprovalPolicy.staff(when=lambda args, ctx: args["amuont"] > 100)
    assert policy.is_needed({"amount": 1}, RunContext())
    assert "so an approval is asked for" in caplog.text


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        (ApprovalPolicy.user(), "the person who started the thread"),
        (ApprovalPolicy.staff(), "staff who may decide approvals"),
        (
            ApprovalPolicy(permission="shop.refund_order"),
            "staff with the permission “Can refund orders”",
        ),
        (
            ApprovalPolicy(permission="shop.change_order"),
            "staff with the permission “Can change order”",
        ),
        (
            ApprovalPolicy(permission="shop.nothing_of_that_name"),
            "staff with the permission shop.nothing_of_that_name",
        ),
        (ApprovalPolicy(group="Support"), "staff in the group Support"),
        (
            ApprovalPolicy(group="Support", permission="a.b"),
            "staff in the group Support with the permission a.b",
        ),
        (ApprovalPolicy(who=rules.small_amounts), "people chosen by a rule of this site"),
        (
            ApprovalPolicy(group="Support", who=rules.small_amounts),
            "staff in the group Support, chosen by a rule of this site",
        ),
        (ApprovalPolicy.staff(required=2), "2 decisions by staff who may decide approvals"),
    ],
)
def test_who_decides_in_words(policy: ApprovalPolicy, text: str) -> None:
    with translation.override("en"):
        assert policy.describe() == text


# --- who may -------------------------------------------------------------------------------------


@pytest.fixture
def member(django_user_model: Any, db: None) -> Any:
    return django_user_model.objects.create_user("member", password="x", is_staff=True)


def grant(user: Any, permission: str) -> Any:
    app_label, _, codename = permission.partition(".")
    user.user_permissions.add(
        Permission.objects.get(content_type__app_label=app_label, codename=codename)
    )
    return type(user).objects.get(pk=user.pk)


def test_permission(member: Any, staff: Any) -> None:
    policy = ApprovalPolicy(permission=PERMISSION)
    assert not policy.allows(member, StoredApproval())
    assert policy.allows(grant(member, PERMISSION), StoredApproval())
    assert policy.allows(staff, StoredApproval())


def test_group(member: Any, staff: Any) -> None:
    policy = ApprovalPolicy(group="Support")
    assert not policy.allows(member, StoredApproval())
    member.groups.add(Group.objects.create(name="Support"))
    assert policy.allows(member, StoredApproval())
    assert policy.allows(staff, StoredApproval())


def test_staff_need_the_general_permission(member: Any, user: Any) -> None:
    policy = ApprovalPolicy.staff()
    assert not policy.allows(member, StoredApproval())
    assert policy.allows(grant(member, "agentui.decide_approval"), StoredApproval())
    assert not policy.allows(grant(user, "agentui.decide_approval"), StoredApproval())


def test_all_that_is_asked_has_to_be_there(member: Any, user: Any) -> None:
    policy = ApprovalPolicy(permission=PERMISSION, group="Support", who="staff")
    support = Group.objects.create(name="Support")
    member = grant(member, PERMISSION)
    assert not policy.allows(member, StoredApproval())
    member.groups.add(support)
    assert policy.allows(member, StoredApproval())
    user = grant(user, PERMISSION)
    user.groups.add(support)
    assert not policy.allows(user, StoredApproval()), "not staff"


def test_the_user_is_the_one_who_asked(user: Any, staff: Any) -> None:
    approval = StoredApproval(requester_id=user.pk)
    assert ApprovalPolicy.user().allows(user, approval)
    assert not ApprovalPolicy.user().allows(staff, approval)


def test_who_is_not_active_decides_nothing(staff: Any) -> None:
    staff.is_active = False
    for policy in POLICIES:
        assert not policy.allows(staff, StoredApproval(requester_id=staff.pk))


def test_a_function_is_told_of_the_call(member: Any) -> None:
    policy = ApprovalPolicy(who=rules.small_amounts)
    rules.asked.clear()
    assert policy.allows(member, StoredApproval(requester_id=9))
    assert rules.asked == [ApprovalRequest("support", "refund_order", {"amount": 5}, "t1", 9)]
    big = StoredApproval(tool_call=SimpleNamespace(args={"amount": 500}))
    assert not policy.allows(member, big)


@pytest.mark.parametrize(
    "path",
    [
        "tests.agents_tests.rules:breaks",
        "tests.agents_tests.rules:gone",
        "tests.agents_tests.rules:not_a_function",
        "tests.no_such_module:rule",
        ":",
        "tests.agents_tests.rules:Rules.gone",
    ],
)
def test_a_function_that_is_gone_or_breaks_allows_nobody(
    staff: Any, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    stored = {**ApprovalPolicy(who=rules.small_amounts).snapshot(), "who": path}
    policy = ApprovalPolicy.from_snapshot(stored)
    assert not policy.allows(staff, StoredApproval())
    assert path in caplog.text
    assert policy.describe()


def test_a_method_of_a_class_is_found_again() -> None:
    policy = ApprovalPolicy(who=rules.Rules.method)
    assert policy.who == "tests.agents_tests.rules:Rules.method"
