"""Arguments of human and browser tools, whose schema may come from a page."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from agentui.agents import Tool, frontend_tool
from agentui.agents.json_schema import problems_with
from agentui.exceptions import ToolArgumentsError

SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 2, "maxLength": 5},
        "count": {"type": "integer", "minimum": 1, "exclusiveMaximum": 10},
        "ratio": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "colour": {"enum": ["red", "blue", 1, None]},
        "fixed": {"const": "a"},
        "on": {"type": "boolean"},
        "maybe": {"type": ["string", "null"]},
        "list": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
        "place": {"$ref": "#/$defs/place"},
        "either": {"anyOf": [{"type": "integer"}, {"type": "object", "required": ["a"]}]},
        "both": {"allOf": [{"minLength": 1}, {"maxLength": 3}]},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 1},
        "free": True,
        "never_checked": {"type": "string", "format": "date", "pattern": "((a+)+)+$"},
    },
    "required": ["text"],
    "additionalProperties": False,
    "$defs": {
        "place": {
            "type": "object",
            "properties": {"x": {"type": "number"}, "next": {"$ref": "#/$defs/place"}},
            "required": ["x"],
            "additionalProperties": False,
        }
    },
}
page = frontend_tool("draw", "Draw.", SCHEMA)


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"count": 1, "ratio": 1, "colour": None, "fixed": "a", "on": False, "maybe": None},
        {"count": 9, "ratio": 0.5, "colour": 1, "list": [1, 2], "either": {"a": 0}, "both": "abc"},
        {"count": 2.0, "place": {"x": 1, "next": {"x": 2}}, "map": {"a": 1}, "free": [{}]},
        {"never_checked": "a" * 50 + "!"},
    ],
)
def test_what_fits(extra: dict[str, Any]) -> None:
    given = {"text": "ab", **extra}
    assert page.validate(json.dumps(given)) == given


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "text is missing"),
        ({"text": 1}, "text: should be a string; given 1"),
        ({"text": "a"}, "text: should have at least 2 characters; it has 1"),
        ({"text": "abcdef"}, "text: should have at most 5 characters; it has 6"),
        ({"text": "ab", "other": 1}, '"other" is not an argument of draw, which takes text, count'),
        ({"text": "ab", "count": True}, "count: should be an integer; given true"),
        ({"text": "ab", "count": 1.5}, "count: should be an integer; given 1.5"),
        ({"text": "ab", "count": 0}, "count: should be at least 1; given 0"),
        ({"text": "ab", "count": 10}, "count: should be less than 10; given 10"),
        ({"text": "ab", "ratio": 0}, "ratio: should be more than 0; given 0"),
        ({"text": "ab", "ratio": 2}, "ratio: should be at most 1; given 2"),
        ({"text": "ab", "colour": True}, 'colour: should be one of "red", "blue", 1, null'),
        ({"text": "ab", "fixed": "b"}, 'fixed: should be one of "a"; given "b"'),
        ({"text": "ab", "on": 0}, "on: should be a boolean; given 0"),
        ({"text": "ab", "maybe": 1}, "maybe: should be a string or a null; given 1"),
        ({"text": "ab", "list": []}, "list: should have at least 1 items; it has 0"),
        ({"text": "ab", "list": [1, "x"]}, 'list[1]: should be an integer; given "x"'),
        ({"text": "ab", "place": {}}, "place.x is missing"),
        ({"text": "ab", "place": {"x": 1, "y": 2}}, "place.y is not known there"),
        ({"text": "ab", "place": {"x": 1, "next": {"x": "?"}}}, "place.next.x: should be a number"),
        ({"text": "ab", "either": "x"}, "either: should be an integer"),
        ({"text": "ab", "either": {}}, "either"),
        ({"text": "ab", "both": "abcd"}, "both: should have at most 3 characters"),
        ({"text": "ab", "map": {"a": "x"}}, "map.a: should be an integer"),
        ({"text": "ab", "map": {"a": 1, "b": 2}}, "map: should have at most 1 members"),
    ],
)
def test_what_does_not_fit(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ToolArgumentsError) as error:
        page.validate(json.dumps(given))
    assert problem in error.value.message


def test_not_an_object() -> None:
    with pytest.raises(ToolArgumentsError, match="must be one JSON object"):
        page.validate("[]")


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": 7}},
        {"properties": {"a": {"properties": ["a"], "required": "a", "anyOf": 3, "allOf": {}}}},
        {"properties": {"a": {"type": 5, "enum": 5, "minimum": "x", "items": 4}}},
        {"properties": {"a": {"required": [[], {}], "additionalProperties": "no"}}},
        {"properties": {"a": {"$ref": 5}}},
        {"properties": {"a": {"$ref": "#/nowhere"}}, "$defs": []},
        {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"properties": {"a": {"type": ["what", "string", 5]}}},
    ],
)
def test_a_malformed_schema_checks_less_and_breaks_nothing(schema: dict[str, Any]) -> None:
    odd = Tool.frontend({"name": "odd", "parameters": schema})
    for value in ("x", {"b": 1}, [1], None, 1):
        try:
            assert odd.validate(json.dumps({"a": value})) == {"a": value}
        except ToolArgumentsError as error:
            assert "a: should be" in error.message  # noqa: PT017


def test_a_schema_that_points_at_itself_ends() -> None:
    loop = {"anyOf": [{"$ref": "#/$defs/loop"}, {"$ref": "#/$defs/loop"}]}
    schema = {"properties": {"a": {"$ref": "#/$defs/loop"}}, "$defs": {"loop": loop}}
    tool = Tool.frontend({"name": "loop", "parameters": schema})
    start = time.monotonic()
    assert tool.validate('{"a": 1}') == {"a": 1}
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("odd", ["", None, [], {}, 7])
def test_an_odd_word_among_the_types_of_a_page_is_passed_over(odd):
    assert problems_with({"type": [odd, "string"]}, 5) == [
        "the arguments: should be a string; given 5"
    ]
