"""Put an agent in front of people, in any Django site.

Follow one message::

    a door            consumers, api, admin, protocols        translates
    -> actions        one verb, one action                    permission, transition, signal
    -> models         rows are the truth                      claims are conditional UPDATEs
    -> runtime        run_loop: a do-while of roundtrips      adapter -> accumulator -> journal
    -> core           next_step, should_continue, history     pure: what happens next
    -> runtime.feed   journal and row changes                 back to every open page

``import agentui`` loads no Django, so an ``agents.py`` can be imported anywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .agents import Agent as Agent
    from .agents import ApprovalPolicy as ApprovalPolicy
    from .agents import ApprovalRequest as ApprovalRequest
    from .agents import PolicyOption as PolicyOption
    from .agents import RunContext as RunContext
    from .agents import Tool as Tool
    from .agents import ToolError as ToolError
    from .agents import ToolResult as ToolResult
    from .agents import frontend_tool as frontend_tool
    from .agents import human_tool as human_tool
    from .agents import tool as tool

__all__ = [
    "Agent",
    "ApprovalPolicy",
    "ApprovalRequest",
    "PolicyOption",
    "RunContext",
    "Tool",
    "ToolError",
    "ToolResult",
    "frontend_tool",
    "human_tool",
    "tool",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from . import agents

        return getattr(agents, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
