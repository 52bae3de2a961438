"""What a policy must and must not say. Checked while it is imported, not when somebody waits."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from .places import ToolDefinitionError

if TYPE_CHECKING:
    from .policy import ApprovalPolicy


def check_policy(policy: ApprovalPolicy) -> None:
    """Raise :class:`ToolDefinitionError` for a policy that nobody could follow."""
    for rule in _RULES:
        problem = rule(policy)
        if problem:
            raise ToolDefinitionError(f"ApprovalPolicy: {problem}")


def _somebody_decides(policy: ApprovalPolicy) -> str:
    if policy.permission is None and policy.group is None and policy.who is None:
        return "it does not say who decides. Give permission=, group= or who=."
    return ""


def _permission_is_a_name(policy: ApprovalPolicy) -> str:
    if policy.permission is None:
        return ""
    app, _, codename = str(policy.permission).partition(".")
    if app.isidentifier() and codename and not any(c.isspace() for c in codename):
        return ""
    return (
        f"permission={policy.permission!r} is not a permission's name. "
        'Write "app_label.codename", for example "shop.refund_order".'
    )


def _group_is_a_name(policy: ApprovalPolicy) -> str:
    if policy.group is not None and not str(policy.group).strip():
        return "group='' names no group. Give the group's name."
    return ""


def _who_is_known(policy: ApprovalPolicy) -> str:
    who = policy.who
    if who in (None, "user", "staff") or (isinstance(who, str) and ":" in who):
        return ""
    return f'who={who!r} is not known. Give "user", "staff", a function or "module:function".'


def _user_decides_alone(policy: ApprovalPolicy) -> str:
    if policy.who != "user":
        return ""
    if policy.permission is not None or policy.group is not None:
        return 'who="user" is the thread\'s owner, whoever it is: leave permission and group out.'
    if policy.required != 1 or not policy.requester_may_decide:
        return (
            'who="user" means that the thread\'s owner alone decides, so required must be 1 and '
            'requester_may_decide not False. For more people use who="staff".'
        )
    return ""


def _count_is_sensible(policy: ApprovalPolicy) -> str:
    required = policy.required
    if isinstance(required, bool) or not isinstance(required, int) or not 1 <= required <= 100:
        return f"required={required!r}; give a whole number from 1 to 100."
    return ""


def _expiry_is_a_time(policy: ApprovalPolicy) -> str:
    after = policy.expires_after
    if after is not None and not (isinstance(after, timedelta) and after > timedelta(0)):
        return f"expires_after={after!r}; give a timedelta above 0, or None for no end."
    if policy.on_expiry not in ("expire", "deny"):
        return f'on_expiry={policy.on_expiry!r} is not known. Give "expire" or "deny".'
    return ""


def _escalation_is_whole(policy: ApprovalPolicy) -> str:
    to, after = policy.escalate_to, policy.escalate_after
    if to is None and after is None:
        return ""
    if policy.who == "user":
        return 'who="user" is decided by the thread\'s owner alone; it cannot escalate.'
    if to is None or not str(to).strip() or after is None:
        return "an escalation needs both: escalate_to=, a group's name, and escalate_after=."
    if not (isinstance(after, timedelta) and after > timedelta(0)):
        return f"escalate_after={after!r}; give a timedelta above 0."
    if policy.expires_after is not None and after >= policy.expires_after:
        return "escalate_after is not before expires_after, so nobody of that group could decide."
    return ""


def _reminder_is_a_time(policy: ApprovalPolicy) -> str:
    before = policy.remind_before
    if before is None:
        return ""
    if not (isinstance(before, timedelta) and before > timedelta(0)):
        return f"remind_before={before!r}; give a timedelta above 0."
    if policy.expires_after is None or before >= policy.expires_after:
        return "remind_before needs an expires_after that is longer."
    return ""


def _when_is_plain(policy: ApprovalPolicy) -> str:
    when = policy.when
    if when is not None and (not callable(when) or inspect.iscoroutinefunction(when)):
        return "when= takes a plain function (args, ctx) -> bool."
    return ""


def _options_allow_and_deny(policy: ApprovalPolicy) -> str:
    options = policy.policy_options
    if not any(option.allows for option in options):
        return "options= offers no way to allow the call."
    if all(option.allows for option in options):
        return "options= offers no way to deny the call."
    if len({option.id for option in options}) != len(options):
        return "options= offers the same answer twice."
    if policy.required > 1 and any(option.allows and option.is_always for option in options):
        return (
            f"required={policy.required} asks for several people each time, and an answer for "
            '"always" would let one of them decide alone. Offer "allow_once" and "deny_once".'
        )
    return ""


_RULES: tuple[Callable[[ApprovalPolicy], str], ...] = (
    _somebody_decides,
    _permission_is_a_name,
    _group_is_a_name,
    _who_is_known,
    _count_is_sensible,
    _user_decides_alone,
    _expiry_is_a_time,
    _escalation_is_whole,
    _reminder_is_a_time,
    _when_is_plain,
    _options_allow_and_deny,
)
