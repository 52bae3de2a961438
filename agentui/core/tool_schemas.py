"""Which of a page's tools the model is told about.

The page names its tools with their kind and whether they are available. What goes on the wire is
name, description and parameters, sorted by name so that equal tools give equal requests (providers
cache by prefix). A tool is left out when it is disabled, when the server answers it, when it has no
parameters, or when it is a browser tool that the page cannot run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .values import Json


def tool_schemas(tools: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Json]]:
    """``{name: {"description"?, "parameters"}}`` of the tools to offer, sorted by name."""
    return {name: _schema(tools[name]) for name in sorted(tools) if _is_offered(tools[name])}


def _is_offered(tool: Mapping[str, Any]) -> bool:
    if tool.get("disabled") or not tool.get("parameters"):
        return False
    match tool.get("type"):
        case "backend":
            return False
        case "frontend":
            return bool(tool.get("execute"))
        case _:
            return True


def _schema(tool: Mapping[str, Any]) -> dict[str, Json]:
    described = {"description": tool["description"]} if tool.get("description") else {}
    return {**described, "parameters": tool["parameters"]}
