"""Which approvals a person may decide: the question of the inboxes, asked for many rows at once.

The rule itself is the policy's (:func:`agentui.permissions.may_decide`), and the action asks it
again for each decision. Here it is asked once for each audience that occurs, and the answer becomes
one condition on an indexed column, so that a list costs the same for ten rows and for ten thousand.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, prefetch_related_objects
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
    """What a user is asked: by audience, by a rule of the site, as the second group."""

    user_id: Any
    audiences: frozenset[str]
    ruled: tuple[Any, ...]
    second: frozenset[str]

    @property
    def decides(self) -> bool:
        """Is there a tool, or a request that waits, whose policy asks for this user?"""
        return bool(self.audiences or self.ruled or self.second)

    @property
    def rows(self) -> Q:
        """The approvals, waiting and past, about which this user is asked, or has said something."""
        mine = Decision.objects.filter(user=self.user_id, approval__isnull=False)
        return self._asked | Q(pk__in=mine.values("approval"))

    @property
    def waiting(self) -> QuerySet[Approval]:
        """What waits for this user's decision. What they asked for themselves is not among it."""
        waiting = Approval.objects.decidable(timezone.now()).filter(self._asked)
        # Whoever approved arguments that were changed afterwards is asked again.
        answered = Decision.objects.filter(
            approval=OuterRef("pk"), user=self.user_id, args_digest=OuterRef("args_digest")
        )
        return waiting.exclude(requester=self.user_id).exclude(Exists(answered))

    @property
    def _asked(self) -> Q:
        found = Q(audience__in=sorted(self.audiences))
        if self.ruled:
            found |= Q(pk__in=self.ruled)
        if self.second:
            found |= Q(escalates_at__lte=timezone.now(), second_audience__in=sorted(self.second))
        return found


#: The soonest to expire first, then the oldest: the order of the index on what waits.
URGENT_FIRST = (F("expires_at").asc(nulls_last=True), "requested_at", "pk")


def scope_of(user: Any) -> Scope:
    """What this user is asked. A few queries, however many requests wait; keep it for a request."""
    first, second = _audiences()
    if any(audience.group for audience in (*first, *second)):
        # Each policy with a group asks for them; they are read once.
        prefetch_related_objects([user], "groups")
    mine = [audience for audience in first if audience.includes(user)]
    ruled = _allowed_by_rules(user, [a.key for a in mine if a.has_rule])
    return Scope(
        user_id=user.pk,
        audiences=frozenset(a.key for a in mine if not a.has_rule),
        ruled=tuple(ruled),
        second=frozenset(a.key for a in second if a.includes(user)),
    )


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
