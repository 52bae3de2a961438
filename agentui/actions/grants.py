"""Standing answers: which there are for a user, and ending one."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from ..exceptions import NotFound
from ..models import Grant
from ..permissions import may_revoke
from .lookups import get_grant, signed_in


def grants_for(user: Any) -> QuerySet[Grant]:
    """The standing answers a user may see: those they gave, and those about their own calls.

    With the permission to view grants all of them. Each row has ``used`` and ``last_used_at``.
    """
    signed_in(user)
    rows = Grant.objects.annotate(
        used=Count("uses"), last_used_at=Max("uses__created_at")
    ).select_related("granted_by", "user", "thread", "revoked_by")
    if user.has_perm("agentui.view_grant"):
        return rows
    return rows.filter(Q(granted_by=user.pk) | Q(user=user.pk))


def revoke_grant(user: Any, grant_id: Any) -> Grant:
    """End a standing answer: from now on people are asked again. Ending it twice changes nothing.

    Raises :class:`NotFound` (no such grant, or none of yours) and :class:`NotPermitted`.
    """
    signed_in(user)
    grant = get_grant(grant_id)
    if refusal := may_revoke(user, grant):
        if grant.user_id == user.pk or user.has_perm("agentui.view_grant"):
            raise refusal
        raise NotFound
    Grant.objects.filter(pk=grant.pk, revoked_at=None).update(
        revoked_at=timezone.now(), revoked_by=user
    )
    grant.refresh_from_db()
    return grant
