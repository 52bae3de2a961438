"""A call that waits finds its tool again by this, or does not run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentui import ApprovalPolicy, tool
from agentui.agents import Tool, frontend_tool, human_tool

SOURCE = """
from __future__ import annotations
from decimal import Decimal
from pydantic import BaseModel
from agentui import tool

class Line(BaseModel):
    sku: str
    counts: dict[str, int] = {}

@tool(approval="staff")
def refund(order: int, amount: Decimal, lines: list[Line], tags: set[str] = frozenset()) -> None:
    '''Refund it.'''

print(refund.digest)
"""


def test_the_same_in_every_process(tmp_path: Path) -> None:
    path = tmp_path / "site_agents.py"
    path.write_text(SOURCE)
    root = Path(__file__).resolve().parents[2]
    found = {
        subprocess.run(
            [sys.executable, path],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": str(root), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1
    assert len(found.pop().strip()) == 64


def refund(order: int, amount: int = 1) -> None:
    """Refund it.

    Args:
        order: The number.
    """


def renamed(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    function.__qualname__ = name
    return function


def with_other_words(order: int, amount: int = 1) -> None:
    """Pay it back.

    Args:
        order: The order's number, as on the invoice.
    """


def with_other_type(order: str, amount: int = 1) -> None: ...


def with_other_default(order: int, amount: int = 2) -> None: ...


def with_description_argument(order: int, amount: int = 1, description: str = "") -> None: ...


def make(function: Callable[..., Any], **options: Any) -> Tool:
    function.__qualname__, function.__module__ = "refund", "shop.agents"
    return tool(**{"name": "refund", **options})(function)


BASE = make(refund)


@pytest.mark.parametrize(
    "other",
    [
        make(with_other_words),
        make(refund, description="Something else."),
        make(refund, timeout=5, idempotent=True),
        make(refund, while_waiting="reject"),
    ],
)
def test_what_does_not_change_it(other: Tool) -> None:
    assert other.digest == BASE.digest


@pytest.mark.parametrize(
    "other",
    [
        make(refund, name="refund_order"),
        make(with_other_type),
        make(with_other_default),
        make(with_description_argument),
        make(refund, kind="human"),
        make(refund, approval="user"),
        make(refund, approval="staff"),
        human_tool("refund"),
    ],
)
def test_what_changes_it(other: Tool) -> None:
    assert other.digest != BASE.digest


def test_another_function_of_the_same_name_changes_it() -> None:
    before = BASE.digest
    moved = make(lambda_like)
    lambda_like.__qualname__ = "other.refund"
    assert moved.digest != before


def lambda_like(order: int, amount: int = 1) -> None: ...


def test_a_request_keeps_its_policy_so_its_details_do_not_change_it() -> None:
    one = make(refund, approval=ApprovalPolicy(permission="shop.refund_order"))
    two = make(refund, approval=ApprovalPolicy(group="Support", required=2))
    assert one.digest == two.digest == make(refund, approval="staff").digest
    assert one.digest != make(refund, approval="user").digest


def test_browser_tools() -> None:
    one = frontend_tool("go", "Go.", {"properties": {"to": {"type": "string", "description": "a"}}})
    two = frontend_tool("go", "Go!", {"properties": {"to": {"type": "string", "description": "b"}}})
    three = frontend_tool("go", "Go.", {"properties": {"to": {"type": "integer"}}})
    assert one.digest == two.digest != three.digest
