"""What a tool may return, and what becomes of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from django.utils.translation import gettext_lazy
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agentui.agents import ToolResult, ToolResultError, encode_result, to_tool_result


class Colour(Enum):
    RED = "red"


class Order(BaseModel):
    number: int
    total: Decimal


@dataclass
class Point:
    x: float
    y: float


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        (None, None),
        ("text", "text"),
        (2**60, 2**60),
        (Decimal("12.50"), "12.50"),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, 3, 4, tzinfo=UTC), "2026-01-02T03:04:00Z"),
        (timedelta(minutes=90), "PT1H30M"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Colour.RED, "red"),
        (Order(number=1, total=Decimal("9.90")), {"number": 1, "total": "9.90"}),
        (Point(1.0, float("inf")), {"x": 1.0, "y": None}),
        ({"a": (1, {2}), 3: float("nan")}, {"a": [1, [2]], "3": None}),
        ([float("-inf"), -0.0], [None, -0.0]),
        ("a\x00b\ud83d", "ab\ufffd"),
        ({"k\x00": "\ud83d\ude00"}, {"k": "\U0001f600"}),
        (gettext_lazy("Yes"), "Yes"),
    ],
)
def test_encoding(value: Any, encoded: Any) -> None:
    assert encode_result(value) == encoded
    json.dumps(encode_result(value), allow_nan=False).encode()


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (b"bytes", "returned bytes"),
        ({"file": [bytearray(b"x")]}, "returned bytes"),
        (object(), "returned a object, which cannot become JSON"),
        ([lambda: 1], "cannot become JSON"),
        ("x" * 1000, "is 1,002 bytes of JSON; at most 1,000"),
        ("é" * 600, "is 1,202 bytes of JSON"),
    ],
)
def test_refusals(value: Any, problem: str) -> None:
    with pytest.raises(ToolResultError, match=problem) as error:
        encode_result(value, max_bytes=1000)
    assert error.value.code == "invalid_result"


def test_rows_are_no_results() -> None:
    user = get_user_model()(username="ada", password="secret")
    for value in (user, {"user": user}, get_user_model().objects.none()):
        with pytest.raises(ToolResultError, match="Return a dict or a list of what the model"):
            encode_result(value)


def test_circles_and_depth() -> None:
    circle: list[Any] = []
    circle.append(circle)
    deep: Any = 1
    for _ in range(5000):
        deep = [deep]
    for value in (circle, deep):
        with pytest.raises(ToolResultError, match="cannot become JSON"):
            encode_result(value)


def test_a_result_for_the_model_and_one_for_the_page() -> None:
    plain = to_tool_result({"a": Decimal(1)})
    assert plain == ToolResult({"a": "1"})
    split = to_tool_result(
        ToolResult(Decimal(1), artifact=Point(0, 1), model_content="short", is_error=True)
    )
    assert split == ToolResult("1", {"x": 0.0, "y": 1.0}, "short", True)
    with pytest.raises(ToolResultError):
        to_tool_result(ToolResult(1, artifact="x" * 50), max_bytes=20)


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.decimals()
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner)
)


@given(values)
def test_whatever_is_encoded_is_json_and_stays(value: Any) -> None:
    encoded = encode_result(value)
    text = json.dumps(encoded, allow_nan=False)
    text.encode()
    assert "\\u0000" not in text or "\\\\u0000" in text
    assert encode_result(encoded) == encoded
