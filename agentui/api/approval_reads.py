"""Which approvals a person sees: what they may decide, asked for, or have decided.

The database leaves out what a policy's plain rules refuse; whoever a function of the site chooses
is asked row by row, so a page costs the same whatever waits for others.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from ..agents import registry
from ..agents.who import DECIDE_ANY
from ..core.statuses import Role, ToolKind
from ..exceptions import UnknownAgent
from ..models import Approval, Decision
from ..models.approvals import audience_key
from ..notices.base import admin_path
from ..permissions import may_decide
from ..runtime.rows import Row, approval_row

_MAX_CHUNKS = 10
"""How often one request looks for more, when a function of the site refuses row after row."""


def perhaps_visible(user: Any) -> QuerySet[Approval]:
    """The user's own, and those that no plain rule keeps from them; the newest first."""
    return (
        Approval.objects.filter(_mine(user) | _perhaps_decidable(user))
        .select_related("tool_call")
        .prefetch_related("decisions")
        .order_by("-pk")
    )


def is_visible(user: Any, approval: Approval) -> bool:
    """May this user be told of this approval?"""
    return (
        user.pk == approval.requester_id
        or any(decision.user_id == user.pk for decision in approval.decisions.all())
        or may_decide(user, approval) is None
    )


def page_of(
    approvals: QuerySet[Approval], user: Any, limit: int
) -> tuple[list[Approval], str | None]:
    """The first visible ones, at most ``limit``, and the cursor after them if there may be more."""
    page: list[Approval] = []
    last: uuid.UUID | None = None
    for _ in range(_MAX_CHUNKS):
        following = approvals if last is None else approvals.filter(pk__lt=last)
        chunk = list(following[: limit + 1])
        for approval in chunk[:limit]:
            last = approval.pk
            if is_visible(user, approval):
                page.append(approval)
            if len(page) == limit:
                return page, str(last) if approval is not chunk[-1] else None
        if len(chunk) <= limit:
            return page, None
    return page, str(last)


def waiting_row(approval: Approval, user: Any) -> Row:
    """An approval for whoever decides it elsewhere than in its thread: with what they need to know.

    ``url`` is its page in the admin, which shows the whole thread; empty for who is not staff.
    """
    call = approval.tool_call
    question = call.message.parent
    return {
        **approval_row(approval, user),
        "requester_name": _name(approval.requester),
        "asked": question.text if question is not None and question.role == Role.USER else "",
        "description": _description(approval),
        "answer_schema": call.answer_schema if call.kind == ToolKind.HUMAN else None,
        "url": admin_path(approval) if user.is_staff else "",
    }


def _name(user: Any) -> str:
    name = user.get_username()
    full = getattr(user, "get_full_name", str)()
    return f"{full} ({name})" if full and full != name else name


def _description(approval: Approval) -> str:
    try:
        tool = registry.get(approval.agent).tool(approval.tool_name)
    except UnknownAgent:
        return ""
    return tool.description if tool is not None else ""


def _mine(user: Any) -> Q:
    decided = Decision.objects.filter(approval=OuterRef("pk"), user_id=user.pk)
    return Q(requester_id=user.pk) | Q(Exists(decided))


def _perhaps_decidable(user: Any) -> Q:
    """Pending ones whose permission, group and staff rule this user satisfies."""
    pending = Approval.objects.decidable(timezone.now())
    named = pending.order_by().values_list("policy__permission", flat=True).distinct()
    # Not get_all_permissions(): a backend of the site may know an answer and no list.
    permissions = [name for name in named if name and user.has_perm(name)]
    open_ = Q(pk__in=pending.values("pk"))
    open_ &= Q(policy__permission=None) | Q(policy__permission__in=permissions)
    if not user.is_superuser:
        groups = [group.name for group in user.groups.all()]
        open_ &= Q(policy__group=None) | Q(policy__group__in=groups)
    named_now = open_ & _who(user)
    second = [audience_key(group=group.name) for group in user.groups.all()]
    return named_now | Q(
        pk__in=pending.filter(escalates_at__lte=timezone.now(), second_audience__in=second).values(
            "pk"
        )
    )


def _who(user: Any) -> Q:
    # Never negated: SQLite calls a JSON null unknown, and what is not unknown is unknown too.
    chosen = Q(policy__who=None) | Q(policy__who__icontains=":")
    if not user.is_staff:
        return chosen
    if user.has_perm(DECIDE_ANY):
        return chosen | Q(policy__who="staff")
    return chosen | Q(policy__who="staff") & (
        Q(policy__permission__icontains=".") | Q(policy__group__icontains="")
    )
