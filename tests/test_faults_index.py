"""Every test that tests/faults.md and tests/clients.md name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = (TESTS / "faults.md").read_text()
CLIENTS = (TESTS / "clients.md").read_text()


@pytest.mark.parametrize("index", [PAGE, CLIENTS], ids=["faults", "clients"])
def test_an_index_names_tests_that_exist(index: str) -> None:
    file = TESTS
    # A name of a package or of a hook is no test.
    named = [name for name in re.findall(r"`([^`]+)`", index) if "/" in name or "::" in name]
    assert len(named) > 40
    for name in named:
        path, _, test = name.partition("::")
        if path:
            file = (TESTS.parent if path.startswith("agentui/") else TESTS) / path
        assert file.exists(), name
        if test:
            assert f"def {test.rstrip('*')}" in file.read_text(), name


def test_so_do_those_of_the_front_end() -> None:
    named = re.findall(r"`(agentui/[^`]+)` \(([^)]+)\)", PAGE)
    assert named
    for path, titles in named:
        written = (TESTS.parent / path).read_text()
        for title in re.findall(r'"([^"]+)"', titles):
            assert f'"{title}' in written, (path, title)
