"""What the schema allows, the tool takes; what it takes is exactly what was written."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Literal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from agentui import tool
from agentui.agents import Tool
from agentui.agents.json_schema import validate_against
from agentui.core.clean import clean
from agentui.exceptions import ToolArgumentsError


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Line(BaseModel):
    sku: str
    count: int = 1
    price: Decimal | None = None


Hint = tuple[Any, st.SearchStrategy[Any], Callable[[Any], Any]]


def same(value: Any) -> Any:
    return value


text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
decimals = st.decimals(allow_nan=False, allow_infinity=False)
lines = st.builds(Line, sku=text, count=st.integers(), price=st.none() | decimals)

#: A type, values of it, and how a model writes such a value in JSON.
HINTS: list[Hint] = [
    (int, st.integers(-(10**30), 10**30), same),
    (str, text, same),
    (bool, st.booleans(), same),
    (float, st.floats(allow_nan=False, allow_infinity=False), same),
    (Decimal, decimals, str),
    (date, st.dates(), date.isoformat),
    (datetime, st.datetimes(timezones=st.just(UTC)), datetime.isoformat),
    (UUID, st.uuids(), str),
    (Colour, st.sampled_from(Colour), lambda colour: colour.value),
    (Literal["fast", "slow"], st.sampled_from(["fast", "slow"]), same),
    (list[int], st.lists(st.integers(), max_size=5), same),
    (dict[str, int], st.dictionaries(text, st.integers(), max_size=5), same),
    (int | None, st.none() | st.integers(), same),
    (Line, lines, lambda line: json.loads(line.model_dump_json())),
    (
        list[Line],
        st.lists(lines, max_size=3),
        lambda all_: [json.loads(x.model_dump_json()) for x in all_],
    ),
]


def make_tool(hints: list[Hint], optional: list[bool]) -> Tool:
    """A tool whose parameters ``p0``, ``p1``, ... have these types."""
    names = [f"p{index}" for index in range(len(hints))]
    parameters = ", ".join(
        f"{name}: Any = None" if is_optional else f"{name}: Any"
        for name, is_optional in zip(names, optional, strict=True)
    )
    space: dict[str, Any] = {"Any": Any}
    exec(f"def made(*, {parameters}):\n    return locals()\n", space)
    space["made"].__annotations__ = {
        name: hint for name, (hint, _, _) in zip(names, hints, strict=True)
    }
    return tool(space["made"])


@st.composite
def calls(draw: st.DrawFn) -> tuple[Tool, dict[str, Any], dict[str, Any]]:
    hints = draw(st.lists(st.sampled_from(HINTS), min_size=1, max_size=5))
    optional = draw(st.lists(st.booleans(), min_size=len(hints), max_size=len(hints)))
    values, written = {}, {}
    for index, ((_, strategy, write), is_optional) in enumerate(zip(hints, optional, strict=True)):
        if is_optional and draw(st.booleans()):
            continue
        value = draw(strategy)
        values[f"p{index}"], written[f"p{index}"] = value, write(value)
    return make_tool(hints, optional), values, written


@settings(max_examples=150, deadline=None)
@given(calls(), st.booleans())
def test_arguments_come_back_as_they_were(
    call: tuple[Tool, dict[str, Any], dict[str, Any]], ascii_only: bool
) -> None:
    made, values, written = call
    args_text = json.dumps(written, ensure_ascii=ascii_only)
    assert made.validate(args_text) == values
    assert set(made.plain_args(args_text)) == set(written)


@settings(max_examples=100, deadline=None)
@given(calls())
def test_the_schema_agrees_with_the_tool(
    call: tuple[Tool, dict[str, Any], dict[str, Any]],
) -> None:
    """Our own reader of JSON Schema, which knows nothing of Python types, accepts them too.

    Except that a Decimal may also be written as a string, which the schema does not offer.
    """
    made, _, written = call
    numbers = _decimals_as_numbers(written, made.parameters["properties"])
    text_ = json.dumps(numbers)
    assert validate_against("made", made.parameters, text_) == json.loads(text_)
    made.validate(text_)


def _decimals_as_numbers(written: Any, properties: dict[str, Any]) -> Any:
    def number(value: Any, schema: dict[str, Any]) -> Any:
        if "anyOf" in schema:
            schema = schema["anyOf"][0]
        if schema.get("type") == "number" and isinstance(value, str):
            return 1.5
        if schema.get("type") == "array":
            return [number(item, schema.get("items", {})) for item in value]
        if isinstance(value, dict) and "properties" in schema:
            return {key: number(item, schema["properties"][key]) for key, item in value.items()}
        return value

    return {name: number(value, properties[name]) for name, value in written.items()}


@settings(max_examples=150, deadline=None)
@given(calls(), st.text(max_size=8))
def test_an_unknown_argument_is_always_named(
    call: tuple[Tool, dict[str, Any], dict[str, Any]], name: str
) -> None:
    made, _, written = call
    cleaned = clean(name)
    if cleaned in made.parameters["properties"]:
        return
    with pytest.raises(ToolArgumentsError) as error:
        made.validate(json.dumps({**written, name: 1}))
    named = json.dumps(cleaned, ensure_ascii=False)
    assert f"{named} is not an argument of made" in error.value.message


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.text('{}[]":,\\u0d8fn1e.-', max_size=40))
def test_any_text_is_taken_or_refused(args_text: str) -> None:
    """Never another exception, whatever a model writes."""
    made = make_tool([HINTS[0], HINTS[4]], [True, True])
    for read in (made.validate, made.plain_args):
        try:
            assert isinstance(read(args_text), dict)
        except ToolArgumentsError as error:
            error.message.encode()


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=5),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=9), st.lists, max_leaves=9
        ),
        max_size=4,
    )
)
def test_plain_arguments_are_clean(value: dict[str, Any]) -> None:
    """The parsed arguments that are stored equal what cleaning the value itself gives."""
    if len(clean(value)) != len(value):
        return  # two names become one: refused
    made = make_tool([HINTS[0]], [True])
    assert made.plain_args(json.dumps(value)) == clean(value)
