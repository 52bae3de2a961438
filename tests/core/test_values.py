"""When two JSON values are the same: as JSON says, not as Python does."""

from __future__ import annotations

from typing import Any

import pytest

from agentui.core.values import same_json


@pytest.mark.parametrize(
    "value", [None, True, 0, 1.5, "", "x", [], [1, [True]], {"a": {"b": [None, False]}}]
)
def test_a_value_is_the_same_as_itself(value: Any) -> None:
    assert same_json(value, value)


def test_a_number_is_the_same_however_it_is_written() -> None:
    assert same_json({"a": [1, 2.0]}, {"a": [1.0, 2]})
    assert not same_json(2**53 + 1, float(2**53))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        (0, False),
        ([True], [1]),
        ({"a": [{"b": False}]}, {"a": [{"b": 0}]}),
        ({"a": None}, {}),
        ([1], [1, 1]),
        ("1", 1),
        (None, False),
    ],
)
def test_what_python_calls_equal_may_be_another_value(one: Any, other: Any) -> None:
    assert not same_json(one, other)
    assert not same_json(other, one)
