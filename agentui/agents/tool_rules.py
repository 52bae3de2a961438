"""Which settings of a tool contradict each other. Checked while it is imported."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentui.core.statuses import ToolKind

from .places import ToolDefinitionError

if TYPE_CHECKING:
    from .tools import Tool

# What every provider takes as a function's name.
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
_WHILE_WAITING = ("continue", "cancel", "reject")


def check_tool(tool: Tool) -> None:
    """Raise :class:`ToolDefinitionError` for a tool whose settings contradict each other."""
    problem = _problem(tool)
    if problem:
        raise ToolDefinitionError(f"tool {tool.name!r}, {tool.place or 'unknown place'}: {problem}")


def _problem(tool: Tool) -> str:
    if not _NAME.fullmatch(tool.name):
        return "a name has at most 64 letters, digits, - and _, and begins with a letter or _."
    if tool.while_waiting not in _WHILE_WAITING:
        return f"while_waiting={tool.while_waiting!r}; give one of {_WHILE_WAITING}."
    if tool.timeout is not None and not tool.timeout > 0:
        return f"timeout={tool.timeout!r}; give seconds above 0, or None for no limit."
    if tool.kind is not ToolKind.SERVER:
        return _problem_outside(tool)
    if tool.function is None:
        return "a server tool needs a function."
    if tool.transactional and tool.is_async:
        return (
            "transactional=True needs a sync function: Django has no transactions in async code. "
            "Write `def`, not `async def`."
        )
    if tool.transactional and tool.idempotent:
        return (
            "transactional=True already makes the call exactly once; idempotent=True means that "
            "it may run twice. Keep one."
        )
    if tool.answer is not None:
        return "answer= is the form of a person's answer; a server tool is not answered by one."
    return _problem_with_arguments(tool)


def _problem_outside(tool: Tool) -> str:
    """A call that is answered in the browser is not run here, so nothing about running applies."""
    for name in ("idempotent", "transactional", "sequential"):
        if getattr(tool, name):
            return f"{name}=True says how the server runs a tool; a {tool.kind} tool is not run."
    if tool.context_parameter:
        return f"a {tool.kind} tool is not run on the server, so it gets no RunContext."
    if tool.answer is not None and tool.approval is not None and tool.approval.required != 1:
        return "one person gives the answer, so its approval cannot require several."
    return _problem_with_arguments(tool)


def _problem_with_arguments(tool: Tool) -> str:
    if tool.approval is None:
        return ""
    known = tool.parameters.get("properties", {})
    named = [*tool.approval.editable]
    for option in tool.approval.policy_options:
        named.extend(option.arguments)
    missing = [name for name in named if name not in known]
    if missing:
        return f"its approval names {', '.join(missing)}; the tool takes {', '.join(known)}."
    return ""
