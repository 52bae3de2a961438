"""Which approvals a staff member may decide: the question of the inbox, asked for many rows at once.

The rule itself is the policy's (:func:`agentui.permissions.may_decide`), and the action asks it
again for each decision. Here it is asked once for each audience that occurs, and the answer becomes
one condition on an indexed column, so that a list costs the same for ten rows and for ten thousand.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from ..agents import registry
from ..agents.who import ApprovalRequest, satisfies
from ..models import Approval, Decision
from ..models.approvals import audience_key
from ..permissions import may_decide


@dataclass(frozen=True, slots=True)
class Audience:
    """Whom a policy asks. A ``who`` with a colon is a rule of the site's, asked row by row."""

    permission: str | None
    group: str | None
    who: str | None

    @property
    def key(self) -> str:
        return audience_key(self.permission, self.group, self.who)

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


@dataclass(frozen=True, slots=True)
class Scope:
    """What this user is asked: by audience, by a rule of the site, as the second group."""

    audiences: frozenset[str]
    ruled: tuple[Any, ...]
    second: frozenset[str]


def may_decide_something(request: HttpRequest) -> bool:
    """Is there a tool, or a request that waits, whose policy asks for this user?"""
    scope = _scope(request)
    return bool(scope.audiences or scope.ruled or scope.second)


def decidable(request: HttpRequest) -> Q:
    """The approvals, waiting and past, about which this user is asked, or has said something."""
    scope = _scope(request)
    found = Q(audience__in=sorted(scope.audiences))
    if scope.ruled:
        found |= Q(pk__in=scope.ruled)
    if scope.second:
        found |= Q(escalates_at__lte=timezone.now(), second_audience__in=sorted(scope.second))
    mine = Decision.objects.filter(user=request.user.pk, approval__isnull=False)
    return found | Q(pk__in=mine.values("approval"))


def _scope(request: HttpRequest) -> Scope:
    """Worked out once for a request."""
    known: Scope | None = getattr(request, "_agentui_scope", None)
    if known is None:
        user = request.user
        first, second = _audiences()
        mine = [audience for audience in first if audience.includes(user)]
        ruled = _allowed_by_rules(user, [a.key for a in mine if a.has_rule])
        known = Scope(
            audiences=frozenset(a.key for a in mine if not a.has_rule),
            ruled=tuple(ruled),
            second=frozenset(a.key for a in second if a.includes(user)),
        )
        request._agentui_scope = known  # type: ignore[attr-defined]
    return known


def _audiences() -> tuple[set[Audience], set[Audience]]:
    """Every first and second audience of a tool that the site has, and of a request that waits."""
    policies = [
        tool.approval for agent in registry.all() for tool in agent.usable_tools if tool.approval
    ]
    first = {
        Audience(p.permission, p.group, None if p.who is None else str(p.who)) for p in policies
    }
    second = {Audience(None, p.escalate_to, None) for p in policies if p.escalate_to}
    waiting = (
        Approval.objects.pending().order_by().values_list("audience", "second_audience").distinct()
    )
    for one, other in waiting:
        first |= _read(one)
        second |= _read(other)
    return first, second


def _read(key: str) -> set[Audience]:
    return {Audience(*json.loads(key))} if key else set()


def _allowed_by_rules(user: Any, keys: list[str]) -> list[Any]:
    if not keys:
        return []
    waiting = Approval.objects.pending().filter(audience__in=keys).select_related("tool_call")
    return [
        approval.pk
        for approval in waiting
        if (refusal := may_decide(user, approval)) is None
        or refusal.code == "requester_may_not_decide"
    ]


def _no_request() -> ApprovalRequest:
    raise AssertionError("only a rule of the site asks about the call")
