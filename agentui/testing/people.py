from __future__ import annotations

from typing import Any

from .. import actions
from ..models import Approval, ToolCall


def approve(what: Approval | ToolCall, user: Any, **fields: Any) -> Approval:
    """Approve as ``user``, by the rule that every door uses."""
    return _decide(what, user, "approve", fields)


def deny(what: Approval | ToolCall, user: Any, reason: str = "", **fields: Any) -> Approval:
    """Deny as ``user``, by the rule that every door uses."""
    return _decide(what, user, "deny", {"reason": reason, **fields})


def _decide(what: Approval | ToolCall, user: Any, verdict: str, fields: dict[str, Any]) -> Approval:
    approval = what if isinstance(what, Approval) else _approval(what)
    return actions.decide_approval(user, approval.pk, verdict=verdict, **{"door": "test", **fields})


def _approval(call: ToolCall) -> Approval:
    found = Approval.objects.filter(tool_call=call).first()
    if found is None:
        raise LookupError(
            f"The call of {call.tool_name} ({call.status}) asks for no approval. What a person or a "
            "page answers to a call goes through actions.submit_tool_result()."
        )
    return found
