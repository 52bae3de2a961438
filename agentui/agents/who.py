"""Is this the person who decides?"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Self

from .places import ToolDefinitionError

logger = logging.getLogger("agentui.tools")

#: Staff need it to decide where a policy says no more than "staff".
DECIDE_ANY = "agentui.decide_approval"


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """What a ``who`` function is told about the call that waits. ``args`` is plain JSON."""

    agent: str
    tool_name: str
    args: dict[str, Any]
    thread_id: str
    requester_id: Any

    @classmethod
    def of(cls, approval: Any) -> Self:
        """The request behind a stored approval."""
        return cls(
            agent=approval.agent,
            tool_name=approval.tool_name,
            args=approval.tool_call.args or {},
            thread_id=str(approval.thread_id),
            requester_id=approval.requester_id,
        )


Who = Callable[[Any, ApprovalRequest], bool]


def satisfies(
    user: Any,
    *,
    permission: str | None,
    group: str | None,
    who: str | None,
    request: Callable[[], ApprovalRequest],
    requester_id: Any,
) -> bool:
    """True when ``user`` is all that is asked. A ``who`` that is gone or fails allows nobody."""
    if not user.is_active:
        return False
    if permission is not None and not user.has_perm(permission):
        return False
    if group is not None and not in_group(user, group):
        return False
    match who:
        case None:
            return True
        case "user":
            return bool(user.pk == requester_id)
        case "staff":
            narrowed = permission is not None or group is not None
            return bool(user.is_staff and (narrowed or user.has_perm(DECIDE_ANY)))
    try:
        return bool(resolve(who)(user, request()))
    except Exception:
        logger.exception("%s failed, so %s may not decide", who, user.pk)
        return False


def in_group(user: Any, group: str) -> bool:
    """Is this user in the group of this name?"""
    # As with permissions, a superuser is not asked. All groups, not a filter: who asks about many
    # approvals has fetched them before.
    return bool(user.is_superuser or any(own.name == group for own in user.groups.all()))


def dotted_path(function: Any) -> str:
    """``"shop.rules:may_refund"``. Raises when ``function`` cannot be found again by it."""
    name = getattr(function, "__qualname__", "")
    module = getattr(function, "__module__", None)
    if not callable(function) or not module or not name or "<" in name:
        raise ToolDefinitionError(
            f"who={function!r} has to be a function at the top of a module: a request waits in the "
            "database and finds it again by its name."
        )
    if inspect.iscoroutinefunction(function):
        raise ToolDefinitionError(f"who={module}.{name} has to be a plain function, not async.")
    return f"{module}:{name}"


def resolve(path: str) -> Who:
    """The function that :func:`dotted_path` named. Raises ``LookupError`` when it is gone."""
    module, _, name = path.partition(":")
    try:
        found: Any = import_module(module)
        for step in name.split("."):
            found = getattr(found, step)
    except (ImportError, AttributeError, ValueError) as error:
        raise LookupError(f"{path} does not exist") from error
    if not callable(found):
        raise LookupError(f"{path} is not a function")
    who: Who = found
    return who
