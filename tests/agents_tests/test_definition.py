"""`@tool`: what the model is told of a function, and which functions cannot be tools."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any, Literal, Optional
from uuid import UUID

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from agentui import ApprovalPolicy, RunContext, human_tool, tool
from agentui.agents import Tool, ToolDefinitionError, frontend_tool
from agentui.core.statuses import ToolKind

if TYPE_CHECKING:
    from fractions import Fraction


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


def refused_functions() -> Iterator[tuple[Callable[..., Any], str]]:
    def positional(a: int, /) -> None: ...
    def arguments(*names: str) -> None: ...
    def keywords(**options: str) -> None: ...
    def untyped(order_id) -> None: ...  # type: ignore[no-untyped-def]
    def field_default(a: int = Field(gt=0)) -> None: ...
    def unserialisable(when: Callable[[], None]) -> None: ...
    def odd_class(worker: Thread) -> None: ...
    def hidden(value: Fraction) -> None: ...
    def generator() -> Iterator[int]:
        yield 1

    async def async_generator() -> AsyncIterator[int]:
        yield 1

    yield positional, "positional-only.*remove the `/`"
    yield arguments, r"takes \*names.*`names: list\[...\]`"
    yield keywords, r"takes \*\*options"
    yield untyped, "parameter 'order_id' has no type. Write `order_id: int`"
    yield field_default, r"Annotated\[..., Field"
    yield unserialisable, "parameter 'when' has a type that JSON cannot carry"
    yield odd_class, "parameter 'worker' has a type that JSON cannot carry.*look rows up"
    yield hidden, "type 'Fraction' is not known.*not under `if TYPE_CHECKING:`"
    yield generator, "it yields"
    yield async_generator, "it yields"


@pytest.mark.parametrize(
    ("function", "problem"),
    [pytest.param(f, problem, id=f.__name__) for f, problem in refused_functions()],
)
def test_what_cannot_be_a_tool(function: Callable[..., Any], problem: str) -> None:
    with pytest.raises(ToolDefinitionError, match=problem) as error:
        tool(function)
    message = str(error.value)
    assert f"{function.__qualname__} (" in message
    assert "test_definition.py, line " in message


def test_what_is_no_function_is_refused() -> None:
    class Callable_:
        def __call__(self, a: int) -> None: ...

        def method(self, a: int) -> None: ...

    for thing in (Callable_(), print, functools.partial(print), 7):
        with pytest.raises(ToolDefinitionError, match="takes a function written with"):
            tool(thing)  # type: ignore[arg-type]
    with pytest.raises(ToolDefinitionError, match="A tool is a plain function, not a method"):
        tool(Callable_.method)
    with pytest.raises(ToolDefinitionError, match="is a tool already"):
        tool(tool(lambda_free))


def lambda_free(a: int) -> None:
    """A function of this module."""


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"transactional": True, "idempotent": True}, "Keep one"),
        ({"timeout": 0}, "timeout=0"),
        ({"timeout": -1}, "timeout=-1"),
        ({"while_waiting": "wait"}, "while_waiting='wait'"),
        ({"name": "no spaces please"}, "at most 64 letters"),
        ({"name": "x" * 65}, "at most 64 letters"),
        ({"kind": "remote"}, "kind='remote'; give one of 'server', 'frontend', 'human'"),
        ({"kind": "human", "idempotent": True}, "idempotent=True says how the server runs"),
        ({"kind": "frontend", "transactional": True}, "transactional=True says how"),
        ({"approval": "boss"}, 'Give "user", "staff"'),
        ({"approval": ApprovalPolicy.staff(editable=["b"])}, "approval names b; the tool takes a"),
    ],
)
def test_settings_that_make_no_sense(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ToolDefinitionError, match=problem):
        tool(**options)(lambda_free)


def test_a_transaction_needs_a_sync_function() -> None:
    async def save(a: int) -> None: ...

    with pytest.raises(ToolDefinitionError, match="no transactions in async code"):
        tool(transactional=True)(save)


def test_a_tool_of_the_browser_gets_no_context() -> None:
    def ask(ctx: RunContext, question: str) -> None: ...

    with pytest.raises(ToolDefinitionError, match="gets no RunContext"):
        tool(kind="human")(ask)


@pytest.mark.parametrize(
    ("approval", "expected"),
    [
        (None, "cancel"),
        ("user", "cancel"),
        ("staff", "continue"),
        (ApprovalPolicy(permission="shop.refund_order"), "continue"),
    ],
)
def test_what_a_new_message_does_by_default(approval: Any, expected: str) -> None:
    assert tool(approval=approval)(lambda_free).while_waiting == expected
    assert tool(approval=approval, while_waiting="reject")(lambda_free).while_waiting == "reject"


def test_tools_that_the_browser_answers() -> None:
    @tool(kind="human")
    def ask(question: str) -> str:
        """Ask the person."""
        raise AssertionError("never run")

    made = human_tool("pick", "Pick one.", {"properties": {"of": {"type": "array"}}})
    page = frontend_tool("set_theme", "Change the theme.")
    assert (ask.kind, made.kind, page.kind) == ("human", "human", "frontend")
    assert ask.timeout is made.timeout is None
    assert made.parameters == {"type": "object", "properties": {"of": {"type": "array"}}}
    assert page.parameters == {"type": "object", "properties": {}, "additionalProperties": False}
    assert "test_definition.py" in made.place
    with pytest.raises(TypeError, match="nothing to call"):
        page()


@pytest.mark.parametrize(
    "parameters", [{"type": "array"}, ["a"], {"properties": []}, {"required": "a"}]
)
def test_a_schema_has_to_be_of_an_object(parameters: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="tool 'ask'"):
        human_tool("ask", "", parameters)


@pytest.mark.parametrize(
    "definition",
    [
        {},
        *({"name": name} for name in ("", "a b", None, 7, ["x"], "ä", "x" * 65, "a\n")),
        {"name": "a", "parameters": []},
        {"name": "a", "parameters": {"type": "string"}},
    ],
)
def test_a_page_cannot_bring_what_a_model_cannot_be_told(definition: dict[str, Any]) -> None:
    with pytest.raises(ToolDefinitionError):
        Tool.frontend(definition)


def test_a_page_brings_a_tool() -> None:
    made = Tool.frontend({"name": "go", "description": None, "parameters": None})
    assert made.kind == "frontend"
    assert made.description == ""
    assert made.validate("") == {}


def test_options_of_an_approval_name_real_arguments() -> None:
    from agentui.agents import PolicyOption

    always = PolicyOption("allow_always", "user", arguments=("b",), expires_after=timedelta(days=1))
    policy = ApprovalPolicy.staff(options=[always, "deny_once"])
    with pytest.raises(ToolDefinitionError, match="names b; the tool takes a"):
        tool(approval=policy)(lambda_free)
