"""The tools a page offers to the agents its person talks to, checked one by one."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..agents import Tool, ToolDefinitionError
from ..conf import app_settings
from ..core.clean import TooDeep, clean
from ..exceptions import InvalidInput
from .validation import first_problem


class ToolInput(BaseModel):
    """A tool of the page. Whatever else a page keeps about it stays there."""

    model_config = ConfigDict(extra="ignore")

    name: str = Field(max_length=64, pattern=r"^[A-Za-z_][A-Za-z0-9_-]*$")
    description: str = Field(default="", max_length=4000)
    parameters: dict[str, Any] = Field(default_factory=lambda: {"type": "object", "properties": {}})
    available: bool | Literal["enabled", "disabled"] = True
    follow_up: bool = True
    agent: str | None = Field(default=None, max_length=200)


def checked_tools(tools: Any) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """The tools as a run keeps them, and those refused: ``{"name", "message"}`` each.

    Of two with one name and agent the later one is kept. What a page has switched off and its
    catch-all are left out without a word. Raises :class:`InvalidInput` for anything but a list.
    """
    if not isinstance(tools, list):
        raise InvalidInput("tools must be a list.")
    kept: dict[tuple[str, str], dict[str, Any]] = {}
    refused: list[dict[str, str]] = []
    for number, offered in enumerate(tools):
        name = offered.get("name") if isinstance(offered, dict) else None
        if name == "*":
            continue
        try:
            tool = _checked_tool(offered)
            if tool is None:
                continue
            key = (tool["name"], tool.get("agent", ""))
            if key not in kept and len(kept) >= app_settings.MAX_FRONTEND_TOOLS:
                raise ValueError(f"A page may offer {app_settings.MAX_FRONTEND_TOOLS} tools.")
            kept[key] = tool
        except ValueError as error:
            shown = clean(name)[:64] if isinstance(name, str) else ""
            refused.append({"name": shown or str(number), "message": str(error)})
    return [kept[key] for key in sorted(kept)], refused


def _checked_tool(offered: Any) -> dict[str, Any] | None:
    """Raises ``ValueError`` with what is wrong; None for a tool that is switched off."""
    try:
        given = ToolInput.model_validate(offered)
    except ValidationError as error:
        raise ValueError(first_problem(error)) from None
    if given.available in (False, "disabled"):
        return None
    try:
        made = Tool.frontend(clean(given.model_dump()))
    except (ToolDefinitionError, TooDeep) as error:
        raise ValueError(str(error)) from None
    return {
        "name": made.name,
        "description": made.description,
        "parameters": made.parameters,
        **({} if given.follow_up else {"follow_up": False}),
        **({"agent": given.agent} if given.agent else {}),
    }
