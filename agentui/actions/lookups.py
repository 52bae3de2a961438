"""Finding a user's rows. Whoever is not theirs does not exist."""

from __future__ import annotations

import uuid
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from ..exceptions import NotFound, NotSignedIn
from ..models import Approval, Grant, Message, Run, Thread, ToolCall
from ..permissions import threads_for

M = TypeVar("M", bound=Model)


def get_thread(user: Any, thread_id: Any) -> Thread:
    return _get(threads_for(signed_in(user)), thread_id)


def get_message(user: Any, message_id: Any) -> Message:
    return _get(Message.objects.filter(thread__in=threads_for(signed_in(user))), message_id)


def get_run(user: Any, run_id: Any) -> Run:
    return _get(Run.objects.filter(thread__in=threads_for(signed_in(user))), run_id)


def get_tool_call(user: Any, call_id: Any) -> ToolCall:
    return _get(ToolCall.objects.filter(thread__in=threads_for(signed_in(user))), call_id)


def get_any_tool_call(call_id: Any) -> ToolCall:
    """Anybody's call; the caller asks a permission before it says anything more."""
    return _get(ToolCall.objects.select_related("run", "approval__tool_call"), call_id)


def get_approval(approval_id: Any) -> Approval:
    """Any approval; the caller asks :func:`permissions.may_decide` before it says anything more."""
    approvals = Approval.objects.select_related("tool_call", "tool_call__run")
    return _get(approvals, approval_id)


def get_grant(grant_id: Any) -> Grant:
    """Any grant; the caller asks :func:`permissions.may_revoke` before it says anything more."""
    return _get(Grant.objects.select_related("granted_by", "revoked_by"), grant_id)


def signed_in(user: Any) -> Any:
    """The user, if they are signed in and active; raises :class:`NotSignedIn` otherwise."""
    if user is None or not user.is_authenticated or not user.is_active:
        raise NotSignedIn
    return user


def _get(queryset: QuerySet[M], pk: Any) -> M:
    try:
        found = queryset.filter(pk=pk if isinstance(pk, uuid.UUID) else uuid.UUID(str(pk))).first()
    except ValueError:
        found = None
    if found is None:
        raise NotFound
    return found
