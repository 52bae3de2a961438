"""The staff's pages: threads, runs and tool calls to read, approvals to decide.

Nothing that a model, a tool or a user wrote is HTML here, and what cannot be seen in it is written
out (:mod:`.shown`). A decision is made by :func:`agentui.actions.decide_approval` and by nothing
else; no page decides by GET.
"""

from __future__ import annotations

from django.contrib import admin

from .approval import ApprovalAdmin
from .badge import show_waiting_count
from .decision import DecisionAdmin
from .grant import GrantAdmin
from .run import RunAdmin
from .thread import ThreadAdmin
from .tool_call import ToolCallAdmin

show_waiting_count(admin.site)

__all__ = [
    "ApprovalAdmin",
    "DecisionAdmin",
    "GrantAdmin",
    "RunAdmin",
    "ThreadAdmin",
    "ToolCallAdmin",
    "show_waiting_count",
]
