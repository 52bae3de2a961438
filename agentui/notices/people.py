"""Whom a request asks."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet
from django.utils import timezone

from ..agents.who import DECIDE_ANY
from ..models import Approval
from ..permissions import may_decide, policy_of

#: People who are asked one by one whether they may decide, where no permission or group says it.
MOST = 2_000
_MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


def who_may_decide(approval: Approval) -> list[Any]:
    """The people who may decide this request now. Superusers only where there is nobody else.

    Each is asked by the rule that decisions are checked with; a permission or a group only says
    whom to ask.
    """
    asked = _candidates(approval)
    ordinary = [user for user in asked if not user.is_superuser]
    found = [user for user in ordinary if may_decide(user, approval) is None]
    if found:
        return found
    bosses = get_user_model()._default_manager.filter(is_active=True, is_superuser=True)
    return [user for user in bosses[:MOST] if may_decide(user, approval) is None]


def _candidates(approval: Approval) -> list[Any]:
    policy = policy_of(approval)
    if policy is None:
        return []
    people: QuerySet[Any] = get_user_model()._default_manager.filter(is_active=True)
    condition = Q()
    if policy.group:
        condition &= Q(groups__name=policy.group)
    permission = policy.permission or (
        DECIDE_ANY if policy.who == "staff" and not policy.group else None
    )
    if permission and (holders := _holders(permission)) is not None:
        condition &= Q(pk__in=holders)
    if not condition:
        condition = Q(is_staff=True)
    if policy.escalate_to and approval.is_escalated(timezone.now()):
        condition |= Q(groups__name=policy.escalate_to)
    return list(people.filter(condition).distinct().order_by("pk")[:MOST])


def _holders(permission: str) -> Any:
    """Who has it by Django's own tables; None where the site keeps permissions elsewhere."""
    from django.conf import settings

    if _MODEL_BACKEND not in settings.AUTHENTICATION_BACKENDS:
        return None
    manager: Any = get_user_model()._default_manager
    if not hasattr(manager, "with_perm"):
        return None
    try:
        held = manager.with_perm(permission, backend=_MODEL_BACKEND, include_superusers=False)
    except ValueError:
        return None
    return held.values("pk")
