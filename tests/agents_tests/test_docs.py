"""The page for the site's developer is true: its code runs, and it names every setting."""

from __future__ import annotations

import asyncio
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agentui import Agent, ApprovalPolicy
from agentui.adapters import ChatModelAdapter, ModelRequest
from agentui.agents import Tool, registry, tool
from agentui.core.accumulator import accumulate
from agentui.core.history import RequestMessage, RequestToolResult
from agentui.core.parts import Message, TextPart
from agentui.core.statuses import Role

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "agents.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_code_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    # A real module: a policy's function is found again by its module and name.
    module = ModuleType("shop_agents")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    space: dict[str, Any] = vars(module)
    with registry.temporary():
        for block in BLOCKS:
            exec(compile(block, "agents.md", "exec", dont_inherit=True), space)
        for name in [name for name in space if name.startswith("test_")]:
            space[name]()
    assert isinstance(space["refund_order"], Tool)
    asked = RequestMessage(role="user", parts=(TextPart(text="Returns?"),))
    found = RequestToolResult(id="call-1", name="search", content="Within 30 days.")
    told = RequestMessage(role="tool", parts=(found,))
    librarian = space["Librarian"]()
    assert answer(librarian, asked).tool_calls[0].tool_name == "search"
    assert answer(librarian, asked, told).text == "I found: Within 30 days."


def answer(model: ChatModelAdapter, *messages: RequestMessage) -> Message:
    """What the model says, put together by the rules of a run."""

    async def asked() -> Message:
        request = ModelRequest(model=model.name, messages=messages)
        events = [event async for event in model.stream(request)]
        return accumulate(Message(id="m", role=Role.ASSISTANT), events)

    return asyncio.run(asked())


@pytest.mark.parametrize("made", [Agent, ApprovalPolicy])
def test_every_setting_is_named(made: type) -> None:
    for name in inspect.signature(made).parameters:
        assert f"`{name}`" in PAGE or f"`{name}`," in PAGE or name == "name"


def test_every_option_of_a_tool_is_named() -> None:
    names = [name for name in inspect.signature(Tool).parameters if name in TOLD]
    assert sorted(names) == sorted(TOLD)
    for name in TOLD:
        assert f"{name}=" in PAGE
    assert tool(lambda_like).name == "lambda_like"


TOLD = (
    "approval",
    "description",
    "idempotent",
    "kind",
    "name",
    "sequential",
    "timeout",
    "transactional",
    "while_waiting",
)


def lambda_like(text: str) -> str:
    return text
