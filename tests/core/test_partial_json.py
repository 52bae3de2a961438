"""Arguments: shown while they grow, parsed strictly when they are whole."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core.clean import clean
from agentui.core.partial_json import (
    MAX_CHARS,
    ArgumentsError,
    args_so_far,
    parse_args,
    parse_partial,
)

from .generate import JSON

OBJECTS = st.dictionaries(st.text(max_size=5), JSON, max_size=4)


@given(OBJECTS, st.booleans())
def test_whole_arguments_are_read_as_they_are(value: dict[str, Any], ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert parse_args(text) == clean(value)
    found = parse_partial(text)
    assert found is None or (found.state, found.value) == ("complete", value)


@given(OBJECTS, st.data())
def test_any_beginning_of_an_object_can_be_shown(
    value: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    cut = data.draw(st.integers(0, len(text) - 1))
    found = parse_partial(text[:cut])
    assert found is not None
    assert found.state == "partial"
    assert found.value.keys() <= value.keys()
    for key in found.value:
        if found.field_state([key]) == "complete":
            assert found.value[key] == value[key]


@given(st.text())
def test_no_text_breaks_either_parser(text: str) -> None:
    parse_partial(text)
    with contextlib.suppress(ArgumentsError):
        parse_args(text)


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("", {}),
        (" \n", {}),
        ("{}", {}),
        (' {"a": 1} ', {"a": 1}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('{"n": 9007199254740993}', {"n": 9007199254740993}),
        ('{"n": 123456789012345678901234567890}', {"n": 123456789012345678901234567890}),
        ('{"s": "\\ud83c\\udf78"}', {"s": "\U0001f378"}),
        ('{"s": "\\ud83c"}', {"s": "\ufffd"}),
        ('{"s": "x\\u0000y"}', {"s": "xy"}),
    ],
)
def test_what_is_taken(text: str, args: dict[str, Any]) -> None:
    assert parse_args(text) == args


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1} {"a": 2}', "Extra data"),
        ('{"a": 1}x', "Extra data"),
        ('{"a": "cut', "Not valid JSON"),
        ("[1]", "Expected a JSON object, not an array"),
        ('"{}"', "Expected a JSON object, not a string"),
        ("null", "Expected a JSON object, not null"),
        ("1.5", "not a number"),
        ("true", "not a boolean"),
        ('{"a": NaN}', "NaN is not valid JSON"),
        ('{"a": -Infinity}', "-Infinity is not valid JSON"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "9" * 5000 + "}", "Not valid JSON"),
        ('{"a": ' * 300 + "1" + "}" * 300, "nested deeper"),
        ("[" * 200_000, "nested too deep"),
        ('{"a": "' + "x" * MAX_CHARS + '"}', "at most 1000000"),
    ],
    ids=range(15),
)
def test_what_is_refused_and_why(text: str, words: str) -> None:
    with pytest.raises(ArgumentsError, match=words):
        parse_args(text)


@pytest.mark.parametrize(
    ("text", "value", "open_path"),
    [
        ('{"a": "x\\', {"a": "x"}, ("a",)),
        ('{"a": "x\\ud83c', {"a": "x"}, ("a",)),
        ('{"a": true', {"a": True}, ()),
        ('{"a": tru', {}, ()),
        ('{"a": 1.', {}, ("a",)),
        ('{"a', {}, ()),
        ('{"a": [1, {"b": "x', {"a": [1, {"b": "x"}]}, ("a", "1", "b")),
        ("[1, 2", [1, 2], ("1",)),
        ('{"a": {"b": 1}, ', {"a": {"b": 1}}, ()),
        ('{"a": "}]{[,:', {"a": "}]{[,:"}, ("a",)),
    ],
)
def test_what_is_shown(text: str, value: Any, open_path: tuple[str, ...]) -> None:
    found = parse_partial(text)
    assert found is not None
    assert (found.value, found.state, found.open_path) == (value, "partial", open_path)


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}x', "x", '"text', "12", '{"a" 1', "]", '{"constructor": {"prototype": 1}}', "{,"],
)
def test_what_cannot_be_shown(text: str) -> None:
    assert parse_partial(text) is None


def test_a_long_string_is_scanned_once() -> None:
    """Catastrophic backtracking would not come back."""
    assert parse_partial('{"a": "' + '\\"' * 200_000) is not None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", {}),
        ('{"a": 1}', {"a": 1}),
        ('{"city": "Os', {"city": "Os"}),
        ('{"a": "x\\u0000y", "b": tr', {"a": "xy"}),
        ("nonsense", {}),
        ("[1, 2", {}),
        ('{"__proto__": {"is_admin": 1}, "a": 1', {}),
        ('{"a": ' + "[" * 150 + "1", {"a": ...}),
        ('{"a": ' + "[" * 250 + "1", {}),
        ('{"a": "' + "x" * MAX_CHARS, {}),
    ],
    ids=lambda value: str(value)[:20],
)
def test_arguments_that_are_not_whole_are_shown_as_far_as_they_go(
    text: str, shown: dict[str, Any]
) -> None:
    found = args_so_far(text)
    assert found.keys() == shown.keys()
    assert all(shown[key] in (..., found[key]) for key in shown)
