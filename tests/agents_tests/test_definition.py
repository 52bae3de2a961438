"""`@tool`: what the model is told of a function."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Optional
from uuid import UUID

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from agentui import RunContext, tool
from agentui.agents import Tool, ToolDefinitionError
from agentui.core.statuses import ToolKind


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Address(BaseModel):
    street: str
    number: int = Field(ge=1, description="Of the house.")


class Node(BaseModel):
    name: str
    children: list[Node] = []


class Size(TypedDict):
    width: int
    height: int


@dataclass
class Point:
    x: float
    y: float = 0.0


def properties(made: Tool) -> dict[str, Any]:
    return dict(made.parameters["properties"])


def test_a_tool_is_told_by_its_function() -> None:
    @tool
    def find_order(order_id: int, note: str = "none") -> dict[str, int]:
        """Find an order.

        It may be old.

        Args:
            order_id: The order's number.
            note: Why it is looked for,
                in a few words.

        Returns:
            The order.
        """
        return {"order": order_id}

    assert find_order.definition == {
        "name": "find_order",
        "description": "Find an order.\n\nIt may be old.",
        "parameters": {
            "type": "object",
            "properties": {
                "order_id": {"type": "integer", "description": "The order's number."},
                "note": {
                    "type": "string",
                    "description": "Why it is looked for, in a few words.",
                    "default": "none",
                },
            },
            "required": ["order_id"],
            "additionalProperties": False,
        },
    }
    assert find_order.kind is ToolKind.SERVER
    assert find_order.timeout == 60
    assert not find_order.is_async
    assert not find_order.takes_context


def test_the_function_stays_usable() -> None:
    @tool
    def double(number: int) -> int:
        return number * 2

    assert double(4) == 8
    assert double.call({"number": 4}, RunContext()) == 8


def test_types() -> None:
    @tool
    def every(
        amount: Decimal,
        day: date,
        moment: datetime,
        key: UUID,
        colour: Colour,
        mode: Literal["fast", "slow"],
        maybe: Optional[int],  # noqa: UP045
        names: list[str],
        address: Address,
        size: Size,
        point: Point,
        scores: dict[str, float],
        limited: Annotated[int, Field(gt=0, description="Above 0.")],
        anything: Any,
    ) -> None:
        """
        Args:
            limited: not used, the annotation says it.
        """

    assert properties(every) == {
        "amount": {"type": "number"},
        "day": {"type": "string", "format": "date"},
        "moment": {"type": "string", "format": "date-time"},
        "key": {"type": "string", "format": "uuid"},
        "colour": {"type": "string", "enum": ["red", "blue"]},
        "mode": {"type": "string", "enum": ["fast", "slow"]},
        "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "names": {"type": "array", "items": {"type": "string"}},
        "address": {
            "type": "object",
            "properties": {
                "street": {"type": "string"},
                "number": {"type": "integer", "minimum": 1, "description": "Of the house."},
            },
            "required": ["street", "number"],
            "additionalProperties": False,
        },
        "size": {
            "type": "object",
            "properties": {"width": {"type": "integer"}, "height": {"type": "integer"}},
            "required": ["width", "height"],
            "additionalProperties": False,
        },
        "point": {
            "type": "object",
            "properties": {"x": {"type": "number"}, "y": {"type": "number", "default": 0.0}},
            "required": ["x"],
            "additionalProperties": False,
        },
        "scores": {"type": "object", "additionalProperties": {"type": "number"}},
        "limited": {"type": "integer", "exclusiveMinimum": 0, "description": "Above 0."},
        "anything": {},
    }
    assert len(every.parameters["required"]) == 14


def test_bounds_of_a_decimal_are_told() -> None:
    @tool
    def pay(amount: Annotated[Decimal, Field(gt=0, le=Decimal("99.5"))]) -> None: ...

    assert properties(pay)["amount"] == {
        "type": "number",
        "exclusiveMinimum": 0.0,
        "maximum": 99.5,
    }


def test_a_recursive_type_keeps_its_definition() -> None:
    @tool
    def plant(tree: Node, address: Address) -> None: ...

    assert properties(plant)["tree"] == {"$ref": "#/$defs/Node"}
    assert set(plant.parameters["$defs"]) == {"Node"}
    assert "$ref" not in str(properties(plant)["address"])
    given = plant.validate(
        '{"tree": {"name": "a", "children": [{"name": "b"}]},'
        ' "address": {"street": "s", "number": 1}}'
    )
    assert given["tree"].children[0].name == "b"


def test_a_choice_between_models_needs_no_openapi() -> None:
    class Cat(BaseModel):
        kind: Literal["cat"]

    class Dog(BaseModel):
        kind: Literal["dog"]

    @tool
    def adopt(pet: Annotated[Cat | Dog, Field(discriminator="kind")]) -> None: ...

    assert "discriminator" not in str(adopt.parameters)
    assert isinstance(adopt.validate('{"pet": {"kind": "dog"}}')["pet"], Dog)


def test_names_that_pydantic_keeps_for_itself() -> None:
    @tool
    def odd(json: str, schema: int, model_config: bool, _x: str = "", title: str = "") -> None: ...

    given = odd.validate(
        '{"json": "a", "schema": 1, "model_config": true, "_x": "b", "title": "c"}'
    )
    assert given == {"json": "a", "schema": 1, "model_config": True, "_x": "b", "title": "c"}
    assert list(properties(odd)) == ["json", "schema", "model_config", "_x", "title"]


def test_a_default_that_is_not_given_stays_the_functions_own() -> None:
    marker = object()

    @tool
    def look(name: str, where: Any = marker, colour: Colour = Colour.RED) -> Any:
        return where, colour

    assert look.validate('{"name": "x"}') == {"name": "x"}
    assert look.call(look.validate('{"name": "x"}'), RunContext()) == (marker, Colour.RED)
    assert properties(look)["colour"]["default"] == "red"
    assert "default" not in properties(look)["where"]


@pytest.mark.parametrize("position", ["first", "middle", "last", "optional", "annotated"])
def test_the_context_may_stand_anywhere(position: str) -> None:
    def first(ctx: RunContext, a: int, b: int = 0) -> Any:
        return ctx.run_id, a, b

    def middle(a: int, ctx: RunContext, b: int = 0) -> Any:
        return ctx.run_id, a, b

    def last(a: int, *, b: int = 0, run: RunContext) -> Any:
        return run.run_id, a, b

    def optional(a: int, b: int = 0, ctx: RunContext | None = None) -> Any:
        return ctx.run_id if ctx else "", a, b

    def annotated(a: int, ctx: Annotated[RunContext, "the run"], b: int = 0) -> Any:
        return ctx.run_id, a, b

    made = tool(locals()[position])
    assert list(properties(made)) == ["a", "b"]
    assert made.takes_context
    assert made.call(made.validate('{"a": 1}'), RunContext(run_id="r")) == ("r", 1, 0)


def test_a_list_of_contexts_is_no_context() -> None:
    def strange(contexts: list[RunContext]) -> None: ...

    with pytest.raises(ToolDefinitionError, match="contexts"):
        tool(strange)


def test_two_contexts_are_refused() -> None:
    def greedy(one: RunContext, two: RunContext) -> None: ...

    with pytest.raises(ToolDefinitionError, match="both 'one' and 'two' are a RunContext"):
        tool(greedy)


async def test_async_tools() -> None:
    @tool
    async def fetch(url: str) -> str:
        return url.upper()

    assert fetch.is_async
    assert await fetch.call({"url": "a"}, RunContext()) == "A"


def test_a_decorated_function_is_read_through_its_wrapper() -> None:
    def logged(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return wrapper

    @tool
    @logged
    async def fetch(url: str) -> str:
        """Fetch it."""
        return url

    assert fetch.is_async
    assert list(properties(fetch)) == ["url"]
    assert "test_definition.py" in fetch.place
