"""What a site's developer writes: agents, tools, and who has to approve.

Nothing here knows rows, channels or a model, and nothing needs Django to be set up: an ``agents.py``
can be imported anywhere. The runtime fills a :class:`RunContext` and calls.
"""

from __future__ import annotations

from .agent import Agent
from .context import RunContext, ToolCancelled
from .definition import frontend_tool, human_tool, tool
from .options import PolicyOption
from .places import ToolDefinitionError
from .policy import ApprovalPolicy
from .registration import NO_AGENT, Registry, autodiscover, registry
from .results import ToolError, ToolResult, ToolResultError, encode_result, to_tool_result
from .tools import Tool
from .who import ApprovalRequest

__all__ = [
    "NO_AGENT",
    "Agent",
    "ApprovalPolicy",
    "ApprovalRequest",
    "PolicyOption",
    "Registry",
    "RunContext",
    "Tool",
    "ToolCancelled",
    "ToolDefinitionError",
    "ToolError",
    "ToolResult",
    "ToolResultError",
    "autodiscover",
    "encode_result",
    "frontend_tool",
    "human_tool",
    "registry",
    "to_tool_result",
    "tool",
]
