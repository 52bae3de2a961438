"""A tool: what the model may ask for, and what is done then."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha256
from typing import Any, Literal, TypedDict

from agentui.core.statuses import ToolKind
from agentui.core.values import Json

from .arguments import read_object
from .context import RunContext
from .json_schema import checked_parameters, validate_against
from .places import qualified_name
from .policy import ApprovalPolicy
from .schema import Schema, without_words
from .tool_rules import check_tool

WhileWaiting = Literal["continue", "cancel", "reject"]

DEFAULT_TIMEOUT = 60.0


class Definition(TypedDict):
    """A tool as the model is told of it."""

    name: str
    description: str
    parameters: Schema


@dataclass(frozen=True, eq=False, kw_only=True)
class Tool:
    """Made by :func:`tool`, :func:`human_tool` or :func:`frontend_tool`.

    ``timeout`` is in seconds, ``None`` means no limit. ``sequential`` tools run alone, in the order
    of the calls. ``answer`` is the schema of a human tool's answer. ``check`` turns the text of the arguments into keyword arguments. ``strays`` are
    arguments that the docstring describes and the function does not have.
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
    answer: Schema | None = None
    place: str = ""
    strays: tuple[str, ...] = ()

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

    def plain_args(self, args_text: str) -> dict[str, Json]:
        """The arguments as plain JSON, for a column that can be searched."""
        return read_object(args_text)

    def call(self, kwargs: dict[str, Any], ctx: RunContext) -> Any:
        """Call the function. For an async tool the answer is a coroutine to await."""
        if self.context_parameter is not None:
            kwargs = {**kwargs, self.context_parameter: ctx}
        return self(**kwargs)

    def describe_error(self, error: Exception) -> str:
        """What the model is told about an exception that was not meant for it.

        Its text may hold anything, from a password to a row of somebody else, so it stays in the
        log. To tell the model something, a tool raises :class:`ToolError`.
        """
        return f"an unexpected {type(error).__name__}; the details are in the site's log"

    @classmethod
    def frontend(cls, definition: Mapping[str, Any]) -> Tool:
        """A tool that a page brought along: ``{name, description?, parameters?}``.

        Raises :class:`ToolDefinitionError` when the model could not be told of it.
        """
        return outside_tool(
            ToolKind.FRONTEND,
            str(definition.get("name") or ""),
            str(definition.get("description") or ""),
            definition.get("parameters"),
            place="a page in the browser",
        )

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
            "" if self.approval is None else "user" if self.approval.is_user else "staff",
        ]
        if self.answer is not None:
            identity.append(without_words(self.answer))
        return sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def outside_tool(
    kind: ToolKind,
    name: str,
    description: str,
    parameters: Schema | None,
    *,
    place: str,
    approval: ApprovalPolicy | str | None = None,
    while_waiting: WhileWaiting | None = None,
    answer: Schema | None = None,
) -> Tool:
    """A tool with a JSON Schema and no function: it is answered in the browser."""
    schema = checked_parameters(name, parameters)
    policy = ApprovalPolicy.of(approval)
    return Tool(
        name=name,
        description=description,
        parameters=schema,
        check=partial(validate_against, name, schema),
        kind=kind,
        approval=policy,
        timeout=None,
        while_waiting=while_waiting or default_while_waiting(policy),
        answer=answer,
        place=place,
    )


def default_while_waiting(approval: ApprovalPolicy | None) -> WhileWaiting:
    """What a new message does to an open call: staff take their time, the user moves on."""
    return "cancel" if approval is None or approval.is_user else "continue"
