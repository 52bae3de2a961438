"""Who may see and do what: one rule, asked by every door.

Rows of others do not exist for a user: a lookup through :func:`threads_for` answers "not found".
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from .agents import ApprovalPolicy, ApprovalRequest
from .exceptions import AgentUIError, NotPermitted, RequesterMayNotDecide, ToolChanged
from .models import Approval, Thread
from .models.threads import ThreadQuerySet

User = AbstractBaseUser | AnonymousUser


def threads_for(user: Any) -> ThreadQuerySet:
    """The threads this user may see and write in: their own."""
    if not user.is_authenticated or not user.is_active:
        return Thread.objects.none()
    return Thread.objects.filter(owner_id=user.pk)


def may_decide(user: Any, approval: Approval) -> AgentUIError | None:
    """None when this user may decide this approval, otherwise the refusal to raise.

    Asks the policy as it was when the call was made. Who may decide at all comes first, so that a
    stranger learns nothing about the rest.
    """
    if not user.is_authenticated or not user.is_active:
        return NotPermitted()
    try:
        policy = ApprovalPolicy.from_snapshot(approval.policy)
    except LookupError:
        return ToolChanged("The rule that says who may decide this no longer exists.")
    is_requester = user.pk == approval.requester_id
    if policy.audience == "user":
        return None if is_requester else NotPermitted()
    if not _satisfies(policy, user, approval):
        return NotPermitted()
    if is_requester and not policy.requester_may_decide:
        return RequesterMayNotDecide()
    return None


def _satisfies(policy: ApprovalPolicy, user: Any, approval: Approval) -> bool:
    """Everything that the policy asks for must hold."""
    if policy.permission and not user.has_perm(policy.permission):
        return False
    if policy.group and not user.groups.filter(name=policy.group).exists():
        return False
    if policy.who == "staff":
        return bool(user.is_staff and user.has_perm("agentui.decide_approval"))
    if callable(policy.who):
        request = ApprovalRequest(
            agent=approval.agent,
            tool_name=approval.tool_name,
            args=approval.tool_call.args,
            thread_id=str(approval.thread_id),
            requester_id=approval.requester_id,
        )
        return bool(policy.who(user, request))
    return True
