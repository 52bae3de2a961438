"""How tools are written: ``@tool``, ``human_tool`` and ``frontend_tool``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, overload

from agentui.core.statuses import ToolKind

from .arguments import validate_arguments
from .docstrings import read_docstring
from .places import ToolDefinitionError, calling_names, calling_place, place_of
from .policy import ApprovalPolicy
from .schema import Schema
from .signature import read_signature
from .tools import DEFAULT_TIMEOUT, Tool, WhileWaiting, default_while_waiting, outside_tool

Function = Callable[..., Any]


@overload
def tool(function: Function, /) -> Tool: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    kind: ToolKind | str = ToolKind.SERVER,
    approval: ApprovalPolicy | str | None = None,
    idempotent: bool = False,
    transactional: bool = False,
    sequential: bool = False,
    timeout: float | None = DEFAULT_TIMEOUT,
    while_waiting: WhileWaiting | None = None,
    answer: Schema | None = None,
) -> Callable[[Function], Tool]: ...


def tool(function: Function | None = None, /, **options: Any) -> Any:
    """Let an agent call this function.

    The name, the type hints and the docstring are what the model is told. A parameter annotated
    with :class:`RunContext` is filled in and not shown to it.

    name, description: in place of the function's own.
    kind: ``"server"`` runs here; ``"human"`` is answered by the person in the chat, ``"frontend"``
        by a handler in the browser: the function's body is then never run.
    approval: ``"user"``, ``"staff"`` or an :class:`ApprovalPolicy`.
    idempotent: may be run again after a crash, with the same ``ctx.idempotency_key``.
    transactional: a sync function that writes to the site's own database only; its writes and its
        result are committed together, so it runs exactly once.
    sequential: never at the same time as another tool of its run.
    timeout: in seconds, ``None`` for no limit.
    while_waiting: what a new message does while this call waits for a person: ``"continue"`` leaves
        it open (the default when staff decide), ``"cancel"`` ends it, ``"reject"`` refuses the message.
    answer: for a human tool, a JSON Schema that the answer has to fit; a form is made from it.

    Raises :class:`ToolDefinitionError` when the function cannot be a tool, saying what to change.
    """
    if function is None:
        return partial(_make, **options)
    if options:
        raise ToolDefinitionError("write @tool or @tool(name=..., ...), not both at once")
    return _make(function)


def _make(
    function: Function,
    *,
    name: str | None = None,
    description: str | None = None,
    kind: ToolKind | str = ToolKind.SERVER,
    approval: ApprovalPolicy | str | None = None,
    while_waiting: WhileWaiting | None = None,
    **options: Any,
) -> Tool:
    _check_function(function)
    docstring = read_docstring(function.__doc__)
    signature = read_signature(function, docstring, calling_names())
    tool_name = name or function.__name__
    tool_kind = _kind(kind, place_of(function))
    policy = ApprovalPolicy.of(approval)
    if tool_kind is not ToolKind.SERVER:
        options.setdefault("timeout", None)
    return Tool(
        name=tool_name,
        description=docstring.description if description is None else description,
        parameters=signature.schema,
        check=partial(validate_arguments, tool_name, signature.names, signature.adapter),
        kind=tool_kind,
        function=function,
        context_parameter=signature.context,
        is_async=inspect.iscoroutinefunction(inspect.unwrap(function)),
        approval=policy,
        while_waiting=while_waiting or default_while_waiting(policy),
        place=place_of(function),
        strays=tuple(n for n in docstring.arguments if n not in signature.all_names),
        **options,
    )


def human_tool(
    name: str,
    description: str = "",
    parameters: Schema | None = None,
    *,
    answer: Schema | None = None,
    approval: ApprovalPolicy | str | None = None,
    while_waiting: WhileWaiting | None = None,
) -> Tool:
    """A question to a person. ``parameters`` is a JSON Schema of type object.

    answer: a JSON Schema that the answer has to fit; a form is made from it. Without it the answer
        may be anything.
    approval: who answers, where it is not the person in the chat: together with ``answer``, staff
        answer in the admin by filling in the form, or deny.
    """
    return outside_tool(
        ToolKind.HUMAN,
        name,
        description,
        parameters,
        place=calling_place(),
        approval=approval,
        while_waiting=while_waiting,
        answer=answer,
    )


def frontend_tool(
    name: str,
    description: str = "",
    parameters: Schema | None = None,
    *,
    approval: ApprovalPolicy | str | None = None,
    while_waiting: WhileWaiting | None = None,
) -> Tool:
    """A tool that a handler in the browser runs. ``parameters`` is a JSON Schema of type object."""
    return outside_tool(
        ToolKind.FRONTEND,
        name,
        description,
        parameters,
        place=calling_place(),
        approval=approval,
        while_waiting=while_waiting,
    )


def _kind(kind: ToolKind | str, place: str) -> ToolKind:
    try:
        return ToolKind(kind)
    except ValueError:
        known = ", ".join(repr(k.value) for k in ToolKind)
        raise ToolDefinitionError(f"{place}: kind={kind!r}; give one of {known}.") from None


def _check_function(function: Any) -> None:
    place = place_of(function) if callable(function) else repr(function)
    if isinstance(function, Tool):
        raise ToolDefinitionError(f"{function.place} is a tool already.")
    if not inspect.isfunction(function):
        raise ToolDefinitionError(
            f"{place} cannot be a tool: @tool takes a function written with `def` or `async def`."
        )
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise ToolDefinitionError(
            f"{place} cannot be a tool: it yields. Return the result, and call "
            "`ctx.progress(...)` for what should be seen meanwhile."
        )
