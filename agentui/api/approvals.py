from __future__ import annotations

import uuid
from typing import Any

from django.db.models import prefetch_related_objects
from rest_framework.request import Request
from rest_framework.response import Response

from .. import actions
from ..actions.inbox import URGENT_FIRST, scope_of
from ..actions.lookups import get_approval
from ..exceptions import NotFound
from ..notices.base import admin_list_path
from ..runtime.rows import Row, approval_row
from .approval_reads import is_visible, page_of, perhaps_visible, waiting_row
from .base import AgentView
from .forms import DecideApproval
from .queries import ApprovalQuery, WaitingQuery, after_id

MOST_COUNTED = 100


class Approvals(AgentView):
    """What I may decide, what I asked for, and what I have decided; the newest first."""

    def get(self, request: Request) -> Response:
        query = self.query(ApprovalQuery)
        user: Any = request.user
        prefetch_related_objects([user], "groups")
        approvals = perhaps_visible(user)
        if query.status:
            approvals = approvals.filter(status=query.status)
        if query.cursor:
            approvals = approvals.filter(after_id(query.cursor))
        page, following = page_of(approvals, user, query.limit)
        rows = [approval_row(approval, user) for approval in page]
        return Response({"approvals": rows, "next": following})


class Waiting(AgentView):
    """What others ask and you may decide: what expires first, then what has waited longest.

    The admin's inbox, for other pages. ``decides`` is false for whom no policy asks, so that a page
    need not ask again; ``waiting`` counts up to 100, which stands for any more.
    """

    def get(self, request: Request) -> Response:
        query = self.query(WaitingQuery)
        scope = scope_of(request.user)
        rows = scope.waiting
        page = (
            rows.select_related("tool_call__message__parent", "requester")
            .prefetch_related("decisions")
            .order_by(*URGENT_FIRST)[: query.limit]
        )
        shown = [waiting_row(approval, request.user) for approval in page]
        return Response(
            {
                "decides": scope.decides,
                "waiting": rows[:MOST_COUNTED].count() if scope.decides else 0,
                # A rule that cannot be read any more lets nobody decide.
                "approvals": [row for row in shown if row["may_decide"]],
                "url": admin_list_path() if request.user.is_staff else "",
            }
        )


class OneApproval(AgentView):
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        approval = get_approval(pk)
        if not is_visible(request.user, approval):
            raise NotFound
        return Response(approval_row(approval, request.user))


class Decide(AgentView):
    def post(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(DecideApproval)

        def decide() -> Row:
            approval = actions.decide_approval(
                request.user,
                pk,
                verdict=fields.verdict,
                option=fields.option,
                reason=fields.reason,
                args_text=fields.args_text,
                answer=fields.answer,
                digest=fields.digest,
                door="api",
            )
            return approval_row(approval, request.user)

        return self.act(decide)
