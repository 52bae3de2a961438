"""Tools that a person or a page answers, and what a new message does to calls that wait."""

from __future__ import annotations

from typing import Any

import pytest

from agentui import ApprovalPolicy, frontend_tool, human_tool, tool
from agentui.agents import Tool, ToolDefinitionError


def free(a: int) -> None:
    """A function of this module."""


@pytest.mark.parametrize(
    ("approval", "expected"),
    [
        (None, "cancel"),
        ("user", "cancel"),
        ("staff", "continue"),
        (ApprovalPolicy(permission="shop.refund_order"), "continue"),
    ],
)
def test_what_a_new_message_does_by_default(approval: Any, expected: str) -> None:
    assert tool(approval=approval)(free).while_waiting == expected
    assert tool(approval=approval, while_waiting="reject")(free).while_waiting == "reject"


def test_tools_that_the_browser_answers() -> None:
    @tool(kind="human")
    def ask(question: str) -> str:
        """Ask the person."""
        raise AssertionError("never run")

    made = human_tool("pick", "Pick one.", {"properties": {"of": {"type": "array"}}})
    page = frontend_tool("set_theme", "Change the theme.")
    assert (ask.kind, made.kind, page.kind) == ("human", "human", "frontend")
    assert ask.timeout is made.timeout is None
    assert made.parameters == {"type": "object", "properties": {"of": {"type": "array"}}}
    assert page.parameters == {"type": "object", "properties": {}, "additionalProperties": False}
    assert "test_outside_tools.py" in made.place
    with pytest.raises(TypeError, match="nothing to call"):
        page()


@pytest.mark.parametrize(
    "parameters", [{"type": "array"}, ["a"], {"properties": []}, {"required": "a"}]
)
def test_a_schema_has_to_be_of_an_object(parameters: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="tool 'ask'"):
        human_tool("ask", "", parameters)


@pytest.mark.parametrize(
    "definition",
    [
        {},
        *({"name": name} for name in ("", "a b", None, 7, ["x"], "ä", "x" * 65, "a\n")),
        {"name": "a", "parameters": []},
        {"name": "a", "parameters": {"type": "string"}},
    ],
)
def test_a_page_cannot_bring_what_a_model_cannot_be_told(definition: dict[str, Any]) -> None:
    with pytest.raises(ToolDefinitionError):
        Tool.frontend(definition)


def test_a_page_brings_a_tool() -> None:
    made = Tool.frontend({"name": "go", "description": None, "parameters": None})
    assert made.kind == "frontend"
    assert made.description == ""
    assert made.validate("") == {}
