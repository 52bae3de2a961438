"""Whether the model is asked again: the predicate at the end of the loop.

Three rules, in this order:

1. A message that does not stand at ``requires_action/tool_calls`` never continues.
2. A call without a result whose approval is undecided never continues.
3. Otherwise every call has a result, or has been through an approval, or is not one that waits for a
   person. Having a result is about presence: ``None``, ``False``, ``0`` and ``""`` are results.

Rule 3 says nothing about who does an approved call. That is :mod:`.next_step`, which does it first.
"""

from __future__ import annotations

from .parts import Message, ToolCallPart
from .statuses import REQUIRES_TOOL_CALLS, ApprovalStatus, ToolCallStatus


def should_continue(message: Message, human_tool_names: frozenset[str] | None) -> bool:
    """True when the model may be asked again.

    ``human_tool_names`` are the tools that somebody else answers; ``None`` means that any might be.
    """
    if message.status != REQUIRES_TOOL_CALLS:
        return False
    calls = message.tool_calls
    if any(is_undecided(call) for call in calls):
        return False
    return all(
        call.has_result
        or call.approval is not None
        or (human_tool_names is not None and call.tool_name not in human_tool_names)
        for call in calls
    )


def is_undecided(call: ToolCallPart) -> bool:
    """True while the call waits for a decision. A result closes the question."""
    if call.has_result:
        return False
    if call.status is ToolCallStatus.AWAITING_APPROVAL:
        return True
    return call.approval is not None and call.approval.status is ApprovalStatus.PENDING
