"""Which functions cannot be tools, and which settings make no sense for one."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import Field

from agentui import ApprovalPolicy, PolicyOption, RunContext, human_tool, tool
from agentui.agents import ToolDefinitionError

if TYPE_CHECKING:
    from fractions import Fraction


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
    assert "test_definition_refused.py, line " in message


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


def test_arguments_that_are_no_schema_are_not_lost() -> None:
    with pytest.raises(ToolDefinitionError, match="question would describe nothing"):
        human_tool("ask", "Ask.", {"question": {"type": "string"}})
    assert human_tool("ask", "Ask.", {"required": ["question"]}).parameters["required"]
    assert human_tool("ask", "Ask.", {}).parameters["properties"] == {}


def test_a_transaction_needs_a_sync_function() -> None:
    async def save(a: int) -> None: ...

    with pytest.raises(ToolDefinitionError, match="no transactions in async code"):
        tool(transactional=True)(save)


def test_a_tool_of_the_browser_gets_no_context() -> None:
    def ask(ctx: RunContext, question: str) -> None: ...

    with pytest.raises(ToolDefinitionError, match="gets no RunContext"):
        tool(kind="human")(ask)


def test_options_of_an_approval_name_real_arguments() -> None:
    always = PolicyOption("allow_always", "user", arguments=("b",), expires_after=timedelta(days=1))
    policy = ApprovalPolicy.staff(options=[always, "deny_once"])
    with pytest.raises(ToolDefinitionError, match="names b; the tool takes a"):
        tool(approval=policy)(lambda_free)
