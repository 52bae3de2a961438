"""The tables are the rule: walked, guarded, drawn."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core import statuses
from agentui.core.statuses import (
    ACTIVE_RUN,
    ANSWERED,
    APPROVAL_TRANSITIONS,
    FINISHED_RUN,
    RUN_TRANSITIONS,
    TOOL_CALL_TRANSITIONS,
    ApprovalStatus,
    IllegalTransition,
    RunStatus,
    ToolCallStatus,
    check_transition,
    sources,
)

ROOT = Path(__file__).resolve().parents[2]
TABLES: dict[type[StrEnum], Mapping[Any, frozenset[Any]]] = {
    RunStatus: RUN_TRANSITIONS,
    ToolCallStatus: TOOL_CALL_TRANSITIONS,
    ApprovalStatus: APPROVAL_TRANSITIONS,
}
PAIRS = [(one, two) for words in TABLES for one in words for two in words]


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_every_pair_is_allowed_or_raises(before: StrEnum, after: StrEnum) -> None:
    if after in TABLES[type(before)][before]:
        check_transition(before, after)
        assert before in sources(after)
    else:
        with pytest.raises(IllegalTransition, match=f"{before.value} cannot become {after.value}"):
            check_transition(before, after)
        assert before not in sources(after)


@pytest.mark.parametrize("words", TABLES)
def test_every_word_stands_in_its_table(words: type[StrEnum]) -> None:
    assert set(TABLES[words]) == set(words)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (RunStatus.QUEUED, RunStatus),
        (ToolCallStatus.STREAMING, ToolCallStatus),
        (ApprovalStatus.PENDING, ApprovalStatus),
    ],
)
def test_every_word_is_reached(start: StrEnum, words: type[StrEnum]) -> None:
    reached, found = set(), {start}
    while found:
        at = found.pop()
        reached.add(at)
        found |= TABLES[words][at] - reached
    assert reached == set(words)


def test_what_is_over_stays_over() -> None:
    assert all(not RUN_TRANSITIONS[status] for status in FINISHED_RUN)
    assert all(not APPROVAL_TRANSITIONS[status] for status in set(ApprovalStatus) - {"pending"})
    settled = ANSWERED - {ToolCallStatus.INTERRUPTED}
    assert all(not TOOL_CALL_TRANSITIONS[status] for status in settled)
    assert not ACTIVE_RUN & FINISHED_RUN


@given(st.sampled_from(list(TABLES)).flatmap(lambda words: st.lists(st.sampled_from(list(words)))))
def test_a_walk_moves_only_along_the_table(wanted: list[StrEnum]) -> None:
    """Whatever is asked for, in whatever order: an illegal move raises and changes nothing."""
    if not wanted:
        return
    at = next(iter(type(wanted[0])))
    for word in wanted:
        before = at
        try:
            check_transition(at, word)
        except IllegalTransition:
            assert at is before
            assert word not in TABLES[type(at)][at]
        else:
            at = word


def test_the_tables_cannot_be_changed_by_a_guard() -> None:
    before = {word: set(after) for word, after in TOOL_CALL_TRANSITIONS.items()}
    for one, two in PAIRS:
        try:
            check_transition(one, two)
        except IllegalTransition:
            continue
    assert {word: set(after) for word, after in TOOL_CALL_TRANSITIONS.items()} == before


def test_the_diagrams_are_up_to_date() -> None:
    diagrams = _script("status_diagrams")
    page = (ROOT / "docs" / "statuses.md").read_text()
    assert page == diagrams.page(), "run: python scripts/status_diagrams.py"


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_importing_is_enough() -> None:
    assert statuses.COMPLETE.is_finished
    assert not statuses.RUNNING.is_finished
