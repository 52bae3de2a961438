"""What is remembered.

Rows that act and querysets that ask. Rows hold no rule about what happens next (that is ``core``)
and send nothing (that is ``actions`` and ``runtime``). Order inside a thread is its sequence
number, never a timestamp; every claim is a conditional UPDATE whose row count is checked.
"""

from .approvals import Approval, Decision, Grant, SentNotice
from .attachments import Attachment
from .commands import ClientCommand
from .messages import Message
from .run_events import RunEvent
from .runs import Run
from .threads import Thread
from .tool_calls import CallRecord, ToolCall

__all__ = [
    "Approval",
    "Attachment",
    "CallRecord",
    "ClientCommand",
    "Decision",
    "Grant",
    "Message",
    "Run",
    "RunEvent",
    "SentNotice",
    "Thread",
    "ToolCall",
]
