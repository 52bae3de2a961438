"""The status one part of a message shows.

A part has no status of its own; it follows from its message. A call that has its answer is complete
and one without shows the message's status. Any other part is complete unless it is the last, which
shows the message's status too; while the message requires an action, nothing but calls does.
"""

from __future__ import annotations

from .parts import Message, ToolCallPart
from .statuses import Reason, RunStatus, Status

_COMPLETE = Status(RunStatus.COMPLETE, Reason.NONE)


def part_status(message: Message, index: int) -> Status:
    """The status to show for the part at ``index``."""
    part = message.parts[index]
    if isinstance(part, ToolCallPart):
        return _COMPLETE if part.has_result else message.status
    is_last = index == len(message.parts) - 1
    if not is_last or message.status.type is RunStatus.REQUIRES_ACTION:
        return _COMPLETE
    return message.status
