from __future__ import annotations

import uuid

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from .. import actions
from ..actions.lookups import get_grant
from ..models import Grant
from ..permissions import may_revoke
from ..runtime.rows import Row
from .base import AgentView
from .forms import Empty
from .queries import GrantQuery, after_id


class Grants(AgentView):
    """The standing answers I gave, and those about my own calls; the newest first."""

    def get(self, request: Request) -> Response:
        query = self.query(GrantQuery)
        rows = actions.grants_for(request.user).order_by("-pk")
        if query.cursor:
            rows = rows.filter(after_id(query.cursor))
        page = list(rows[: query.limit + 1])
        following = str(page[query.limit - 1].pk) if len(page) > query.limit else None
        return Response(
            {
                "grants": [grant_row(grant, request) for grant in page[: query.limit]],
                "next": following,
            }
        )


class Revoke(AgentView):
    """People are asked again from now on. Revoking twice changes nothing."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        self.body(Empty)

        def revoke() -> Row:
            actions.revoke_grant(request.user, pk)
            return grant_row(actions.grants_for(request.user).get(pk=get_grant(pk).pk), request)

        return self.act(revoke)


def grant_row(grant: Grant, request: Request) -> Row:
    """A standing answer from :func:`agentui.actions.grants_for`."""
    return {
        "id": str(grant.pk),
        "agent": grant.agent,
        "tool_name": grant.tool_name,
        "is_allowed": grant.is_allowed,
        "thread": str(grant.thread_id) if grant.thread_id else None,
        "user": str(grant.user_id) if grant.user_id else None,
        "arguments": grant.arguments,
        "reason": grant.reason,
        "granted_by": grant.granted_by.get_username() if grant.granted_by else None,
        "created_at": grant.created_at.isoformat(),
        "expires_at": grant.expires_at.isoformat() if grant.expires_at else None,
        "revoked_at": grant.revoked_at.isoformat() if grant.revoked_at else None,
        "holds": grant.holds(timezone.now()),
        "used": getattr(grant, "used", 0),
        "may_revoke": grant.revoked_at is None and may_revoke(request.user, grant) is None,
    }
