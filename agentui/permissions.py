"""Who may see and do what: one rule, asked by every door.

Rows of others do not exist for a user: a lookup through :func:`threads_for` answers "not found".
"""

from __future__ import annotations

import logging
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.utils import timezone

from .agents import ApprovalPolicy, ToolDefinitionError
from .exceptions import AgentUIError, NotPermitted, PolicyGone, RequesterMayNotDecide
from .models import Approval, Grant, Thread, ToolCall
from .models.threads import ThreadQuerySet

logger = logging.getLogger("agentui")

User = AbstractBaseUser | AnonymousUser


def threads_for(user: Any) -> ThreadQuerySet:
    """The threads this user may see and write in: their own."""
    if not user.is_authenticated or not user.is_active:
        return Thread.objects.none()
    return Thread.objects.filter(owner_id=user.pk)


def policy_of(approval: Approval) -> ApprovalPolicy | None:
    """The policy an approval was asked for under; None when the site's code no longer knows it.

    A policy that cannot be read lets nobody decide, and must not break the list it stands in.
    """
    try:
        return ApprovalPolicy.from_snapshot(approval.policy)
    except (ToolDefinitionError, LookupError, TypeError, ValueError, AttributeError):
        logger.warning("The policy of approval %s cannot be read", approval.pk)
        return None


def may_decide(user: Any, approval: Approval) -> AgentUIError | None:
    """None when this user may decide this approval, otherwise the refusal to raise.

    Asks the policy as it was when the call was made. Who may decide at all comes first, so that a
    stranger learns nothing about the rest.
    """
    if not user.is_authenticated or not user.is_active:
        return NotPermitted()
    policy = policy_of(approval)
    if policy is None or policy.missing_rule:
        return PolicyGone()
    is_requester = user.pk == approval.requester_id
    if policy.is_user:
        return None if is_requester else NotPermitted()
    if not policy.allows(user, approval, escalated=approval.is_escalated(timezone.now())):
        return NotPermitted()
    if is_requester and not policy.requester_may_decide:
        return RequesterMayNotDecide()
    return None


def may_revoke(user: Any, grant: Grant) -> AgentUIError | None:
    """None when this user may end this standing answer: who gave it, and who may change grants."""
    if not user.is_authenticated or not user.is_active:
        return NotPermitted()
    if grant.granted_by_id == user.pk or user.has_perm("agentui.change_grant"):
        return None
    return NotPermitted()


def may_record_outcome(user: Any, call: ToolCall) -> bool:
    """May this user say what an interrupted call really did? Whoever may decide about it may."""
    if not user.is_authenticated or not user.is_active or not user.is_staff:
        return False
    if user.has_perm("agentui.record_outcome"):
        return True
    approval: Approval | None = getattr(call, "approval", None)
    return approval is not None and may_decide(user, approval) is None
