"""The tests that docs/testing.md shows are run as they stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentui.agents import registry
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


@pytest.fixture
def in_process(settings: Any, its_agent: None) -> None:
    settings.AGENTUI = {**settings.AGENTUI, "LAUNCHER": "in_process"}


@pytest.fixture
def customer(user: Any) -> Any:
    return user


@pytest.fixture
def colleague(staff: Any) -> Any:
    return staff
