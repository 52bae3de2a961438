"""Which approvals a staff member may decide: the question of the inbox, asked for many rows at once.

The rule itself is the policy's (:func:`agentui.permissions.may_decide`), and the action asks it
again for each decision. Here it is asked once for each kind of policy that occurs, and the answer
becomes one WHERE clause, so that a list costs the same for ten rows and for ten thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import HttpRequest

from ..agents import registry
from ..agents.who import ApprovalRequest, satisfies
from ..models import Approval, Decision
from ..permissions import may_decide


@dataclass(frozen=True, slots=True)
class Audience:
    """Whom a policy asks. A ``who`` with a colon is a rule of the site's, asked row by row."""

    permission: str | None
    group: str | None
    who: str | None

    @property
    def has_rule(self) -> bool:
        return self.who is not None and ":" in self.who

    def includes(self, user: Any) -> bool:
        """Is this user all that is asked, as far as it does not depend on the call?"""
        if self.who == "user":
            return False  # the person who asked decides, in the chat
        return satisfies(
            user,
            permission=self.permission,
            group=self.group,
            who=None if self.has_rule else self.who,
            request=_no_request,
            requester_id=None,
        )

    def rows(self) -> Q:
        """The approvals that ask for this."""
        return Q(
            *(
                Q(**{f"policy__{key}": value}) if value is not None else _absent(key)
                for key, value in (
                    ("permission", self.permission),
                    ("group", self.group),
                    ("who", self.who),
                )
            )
        )


def may_decide_something(request: HttpRequest) -> bool:
    """Is there a tool, or a request that waits, whose policy asks for this user?"""
    return bool(_scope(request)[0])


def decidable(request: HttpRequest) -> Q:
    """The approvals, waiting and past, about which this user is asked."""
    audiences, ruled = _scope(request)
    found = Q(pk__in=ruled)
    for audience in audiences:
        if not audience.has_rule:
            found |= audience.rows()
    mine = Decision.objects.filter(user=request.user.pk).values("approval")
    return found | Q(pk__in=mine)


def _scope(request: HttpRequest) -> tuple[list[Audience], list[Any]]:
    """The audiences this user belongs to, and the waiting rows that a rule of the site gives them.

    Worked out once for a request.
    """
    known = getattr(request, "_agentui_scope", None)
    if known is None:
        mine = [audience for audience in _audiences() if audience.includes(request.user)]
        ruled = _allowed_by_rules(request.user, [a for a in mine if a.has_rule])
        if not ruled:
            mine = [audience for audience in mine if not audience.has_rule]
        known = request._agentui_scope = (mine, ruled)  # type: ignore[attr-defined]
    return known


def _audiences() -> set[Audience]:
    """Every audience of a tool that the site has, and of a request that waits."""
    policies = (
        tool.approval for agent in registry.all() for tool in agent.usable_tools if tool.approval
    )
    of_tools = {
        Audience(p.permission, p.group, None if p.who is None else str(p.who)) for p in policies
    }
    # Whole policies, of which there are as many as tools that ask: a key taken out of JSON by the
    # database comes back differently from SQLite and from PostgreSQL.
    waiting = Approval.objects.pending().order_by().values_list("policy", flat=True).distinct()
    return of_tools | {
        Audience(policy.get("permission"), policy.get("group"), policy.get("who"))
        for policy in waiting
    }


def _allowed_by_rules(user: Any, audiences: list[Audience]) -> list[Any]:
    if not audiences:
        return []
    rows = Q(pk__in=[])
    for audience in audiences:
        rows |= audience.rows()
    waiting = Approval.objects.pending().filter(rows).select_related("tool_call")
    return [
        approval.pk
        for approval in waiting
        if (refusal := may_decide(user, approval)) is None
        or refusal.code == "requester_may_not_decide"
    ]


def _absent(key: str) -> Q:
    return Q(**{f"policy__{key}": None}) | Q(**{f"policy__{key}__isnull": True})


def _no_request() -> ApprovalRequest:
    raise AssertionError("only a rule of the site asks about the call")
