"""What the site's agents are and can do. Pure."""

from __future__ import annotations

from typing import Any

from ... import __version__
from ...agents import Agent, registry

DEFAULT = "default"
"""The agent that CopilotKit asks for when it is told no name: the site's only one."""


def resolve(name: str) -> str:
    """The agent that a client calls so."""
    agents = registry.all()
    if name == DEFAULT and len(agents) == 1:
        return agents[0].name
    return name


def runtime_info() -> dict[str, Any]:
    """The answer of ``/info``."""
    agents = {agent.name: _described(agent) for agent in registry.all()}
    if len(agents) == 1:
        agents[DEFAULT] = next(iter(agents.values()))
    return {
        "version": __version__,
        "mode": "sse",
        "agents": agents,
        "audioFileTranscriptionEnabled": False,
        "suggestions": True,
        "threadEndpoints": {
            "list": True,
            "inspect": True,
            "mutations": True,
            "realtimeMetadata": False,
        },
    }


def _described(agent: Agent) -> dict[str, Any]:
    return {
        "name": agent.name,
        "description": agent.description or agent.title,
        "className": "agentui",
        "capabilities": capabilities(agent),
    }


def capabilities(agent: Agent) -> dict[str, Any]:
    """What this agent can do, in AG-UI's words."""
    approvals = any(tool.approval is not None for tool in agent.usable_tools)
    return {
        "identity": {"name": agent.name, "type": "agentui", "description": agent.description},
        "transport": {"streaming": True, "resumable": True},
        "tools": {
            "supported": True,
            "parallelCalls": agent.tool_concurrency > 1,
            "clientProvided": agent.accepts_frontend_tools,
        },
        "state": {"snapshots": True, "deltas": True, "persistentState": True},
        "reasoning": {"supported": True, "streaming": True},
        "execution": {"maxIterations": agent.max_roundtrips},
        "humanInTheLoop": {
            "supported": True,
            "approvals": approvals,
            "interrupts": approvals,
            "approveWithEdits": any(
                tool.approval is not None and bool(tool.approval.editable)
                for tool in agent.usable_tools
            ),
        },
    }
