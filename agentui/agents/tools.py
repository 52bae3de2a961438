"""A tool: what the model may ask for, and what is done then."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, TypedDict, get_args

from agentui.core.statuses import ToolKind

from .context import RunContext
from .places import ToolDefinitionError, qualified_name
from .policy import ApprovalPolicy
from .schema import Schema, without_words

WhileWaiting = Literal["continue", "cancel", "reject"]

DEFAULT_TIMEOUT = 60.0

# What every provider takes as a function's name.
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")


class Definition(TypedDict):
    """A tool as the model is told of it."""

    name: str
    description: str
    parameters: Schema


@dataclass(frozen=True, eq=False, kw_only=True)
class Tool:
    """Made by :func:`tool`, :func:`human_tool` or :func:`frontend_tool`.

    ``timeout`` is in seconds, ``None`` means no limit. ``sequential`` tools run alone, in the order
    of the calls. ``check`` turns the text of the arguments into keyword arguments.
    """

    name: str
    description: str
    parameters: Schema
    check: Callable[[str], dict[str, Any]] = field(repr=False)
    kind: ToolKind = ToolKind.SERVER
    function: Callable[..., Any] | None = None
    context_parameter: str | None = None
    is_async: bool = False
    approval: ApprovalPolicy | None = None
    idempotent: bool = False
    transactional: bool = False
    sequential: bool = False
    timeout: float | None = DEFAULT_TIMEOUT
    while_waiting: WhileWaiting = "cancel"
    place: str = ""

    def __post_init__(self) -> None:
        check_tool(self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function itself, for a site's own code and tests: no validation, no approval."""
        if self.function is None:
            raise TypeError(f"{self.name} is answered in the browser; there is nothing to call")
        return self.function(*args, **kwargs)

    @property
    def takes_context(self) -> bool:
        return self.context_parameter is not None

    @property
    def definition(self) -> Definition:
        """For the model: ``ToolDefinition(**tool.definition)``."""
        return {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
        }

    def validate(self, args_text: str) -> dict[str, Any]:
        """The keyword arguments in ``args_text``; those that were not given are left out.

        Raises :class:`agentui.exceptions.ToolArgumentsError` with what the model has to change.
        """
        return self.check(args_text)

    def call_with(self, kwargs: dict[str, Any], ctx: RunContext) -> Any:
        """Call the function. For an async tool the answer is a coroutine to await."""
        if self.context_parameter is not None:
            kwargs = {**kwargs, self.context_parameter: ctx}
        return self(**kwargs)

    @cached_property
    def digest(self) -> str:
        """The tool's identity, the same in every process.

        A call keeps it, and does not run when the tool it finds later has another one. Words that
        only describe are not part of it; nor are the details of the policy, since a request that
        waits keeps the policy it was made under.
        """
        identity = [
            self.name,
            self.kind.value,
            qualified_name(self.function) if self.function else "",
            without_words(self.parameters),
            self.approval.audience if self.approval else "",
        ]
        return sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def check_tool(tool: Tool) -> None:
    """Raise :class:`ToolDefinitionError` for a tool whose settings contradict each other."""
    problem = _problem(tool)
    if problem:
        raise ToolDefinitionError(f"tool {tool.name!r}, {tool.place or 'unknown place'}: {problem}")


def default_while_waiting(kind: ToolKind, approval: ApprovalPolicy | None) -> WhileWaiting:
    """What a new message does to an open call: staff take their time, the user answers or moves on."""
    staff = approval is not None and approval.audience == "staff"
    return "continue" if staff and kind is ToolKind.SERVER else "cancel"


def _problem(tool: Tool) -> str:
    if not _NAME.fullmatch(tool.name):
        return "a name has at most 64 letters, digits, - and _, and begins with a letter or _."
    if tool.while_waiting not in get_args(WhileWaiting):
        return f"while_waiting={tool.while_waiting!r}; give one of {get_args(WhileWaiting)}."
    if tool.timeout is not None and not tool.timeout > 0:
        return f"timeout={tool.timeout!r}; give seconds above 0, or None for no limit."
    if tool.kind is not ToolKind.SERVER:
        return _problem_outside(tool)
    if tool.function is None:
        return "a server tool needs a function."
    if tool.transactional and tool.is_async:
        return (
            "transactional=True needs a sync function: Django has no transactions in async code. "
            "Write `def`, not `async def`."
        )
    if tool.transactional and tool.idempotent:
        return (
            "transactional=True already makes the call exactly once; idempotent=True means that "
            "it may run twice. Keep one."
        )
    return _problem_with_arguments(tool)


def _problem_outside(tool: Tool) -> str:
    """A call that is answered in the browser is not run here, so nothing about running applies."""
    for name in ("idempotent", "transactional", "sequential"):
        if getattr(tool, name):
            return f"{name}=True says how the server runs a tool; a {tool.kind} tool is not run."
    if tool.context_parameter:
        return f"a {tool.kind} tool is not run on the server, so it gets no RunContext."
    return _problem_with_arguments(tool)


def _problem_with_arguments(tool: Tool) -> str:
    if tool.approval is None:
        return ""
    known = tool.parameters.get("properties", {})
    named = [*tool.approval.editable]
    for option in tool.approval.policy_options:
        named.extend(option.arguments)
    missing = [name for name in named if name not in known]
    if missing:
        return f"its approval names {', '.join(missing)}; the tool takes {', '.join(known)}."
    return ""
