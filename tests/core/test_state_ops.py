"""Operations on the state: all or nothing when strict, as much as fits when lenient."""

from __future__ import annotations

import contextlib
import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core.state_ops import StateOperationError, apply_operations

from .generate import JSON

SEGMENTS = st.sampled_from(["a", "b", "0", "1", "7", "-1", "", "__proto__"])
OPERATIONS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["set", "append-text", "delete"]),
        "path": st.lists(SEGMENTS, max_size=3),
        "value": JSON,
    }
)
STATES = st.recursive(
    st.none() | st.text(max_size=3) | st.integers(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab01"), inner),
    max_leaves=6,
)


@given(STATES, st.lists(OPERATIONS, max_size=4))
def test_the_given_state_is_never_written_to(state: Any, operations: list[Any]) -> None:
    before = copy.deepcopy(state)
    with contextlib.suppress(StateOperationError):
        apply_operations(state, operations)
    apply_operations(state, operations, strict=False)
    assert state == before


@given(STATES, st.lists(OPERATIONS, max_size=4))
def test_lenient_agrees_with_strict_where_strict_takes_it(
    state: Any, operations: list[Any]
) -> None:
    try:
        strict = apply_operations(state, operations)
    except StateOperationError:
        return
    assert apply_operations(state, operations, strict=False) == strict


@given(STATES, st.lists(OPERATIONS, max_size=4))
def test_operations_one_by_one_are_the_same(state: Any, operations: list[Any]) -> None:
    one_by_one = state
    for operation in operations:
        one_by_one = apply_operations(one_by_one, [operation], strict=False)
    assert apply_operations(state, operations, strict=False) == one_by_one


@given(STATES, JSON)
def test_what_is_set_is_read(state: Any, value: Any) -> None:
    operation = {"type": "set", "path": ["a", "b"], "value": value}
    if isinstance(state, dict) and isinstance(state.get("a"), dict | None):
        assert apply_operations(state, [operation])["a"]["b"] == value


@pytest.mark.parametrize(
    ("state", "operation", "message"),
    [
        ({"a": 1}, {"type": "set", "path": ["a", "b"], "value": 1}, "Invalid path: [a, b]"),
        ([], {"type": "set", "path": ["x"], "value": 1}, "Expected array index at [x]"),
        ([], {"type": "set", "path": ["²"], "value": 1}, "Expected array index at [²]"),
        ([], {"type": "set", "path": ["2"], "value": 1}, "Insert array index out of bounds"),
        ({}, {"type": "set", "path": ["constructor"], "value": 1}, "Unsafe gorp path segment"),
        ({"m": 1}, {"type": "append-text", "path": ["m"], "value": "x"}, "Expected string at path"),
        ({}, {"type": "append-text", "path": ["m"], "value": 1}, "Unknown operation"),
        ({}, {"type": "set", "path": "m", "value": 1}, "Unknown operation"),
        ({}, {"type": "set", "path": ["m"]}, "Unknown operation"),
        ({}, "set", "Unknown operation"),
        ({}, {"type": "set", "path": ["a"] * 101, "value": 1}, "at most 100"),
    ],
)
def test_what_breaks_a_rule_raises_or_is_skipped(state: Any, operation: Any, message: str) -> None:
    with pytest.raises(StateOperationError) as raised:
        apply_operations(state, [operation])
    assert message in str(raised.value)
    lenient = apply_operations(state, [operation], strict=False)
    assert lenient == ([1] if "out of bounds" in message else state)


def test_a_strict_failure_changes_nothing() -> None:
    state = {"a": 1}
    operations = [
        {"type": "set", "path": ["a"], "value": 2},
        {"type": "set", "path": ["a", "b"], "value": 3},
    ]
    with pytest.raises(StateOperationError):
        apply_operations(state, operations)
    assert state == {"a": 1}
