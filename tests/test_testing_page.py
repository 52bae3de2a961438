"""The tests that docs/testing.md shows are run as they stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentui.agents import registry
from agentui.testing import Call, ScriptedAdapter, approve
from tests.story import fresh_layer, immediate

__all__ = ["fresh_layer", "immediate"]

PAGE = Path(__file__).resolve().parent.parent / "docs" / "testing.md"
BLOCKS = [
    block
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    if not block.startswith("# tests/settings.py")
]

with registry.temporary():
    for _block in BLOCKS:
        exec(compile(_block, str(PAGE), "exec", dont_inherit=True), globals())


@pytest.fixture(autouse=True)
def its_agent(immediate: None) -> Iterator[None]:
    with registry.temporary(globals()["helper"]):
        yield


@pytest.mark.django_db(transaction=True)
def test_a_call_that_needs_no_approval_says_how_it_is_answered(
    customer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(globals()["helper"], "model", ScriptedAdapter([[Call("ask_why", {})]]))
    call = globals()["ask"](customer, "Close my account").tool_calls.get()
    with pytest.raises(LookupError, match="submit_tool_result"):
        approve(call, customer)
