"""Every test that tests/faults.md names is there."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent


def test_the_index_of_faults_names_tests_that_exist() -> None:
    file = TESTS
    named = re.findall(r"`([^`]+)`", (TESTS / "faults.md").read_text())
    assert len(named) > 40
    for name in named:
        path, _, test = name.partition("::")
        if path == "agentui/frontend":
            continue
        file = TESTS / path if path else file
        assert file.exists(), name
        if test:
            assert f"def {test.rstrip('*')}" in file.read_text(), name
