"""From a function's signature to what a model may give."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, Field, PydanticUserError, TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticSerializationError, to_jsonable_python

# Before Python 3.12 pydantic needs this TypedDict and not typing's. It comes with pydantic.
from typing_extensions import TypedDict

from .context import RunContext
from .docstrings import Docstring
from .places import ToolDefinitionError, place_of
from .schema import Schema, arguments_schema

_EMPTY = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Signature:
    """``adapter`` turns JSON text into keyword arguments; ``context`` names the RunContext."""

    adapter: TypeAdapter[dict[str, Any]]
    schema: Schema
    names: tuple[str, ...]
    context: str | None

    @property
    def all_names(self) -> tuple[str, ...]:
        """Every parameter, those that the model is not told of too."""
        return self.names if self.context is None else (*self.names, self.context)


def read_signature(
    function: Callable[..., Any], docstring: Docstring, local_names: Mapping[str, Any]
) -> Signature:
    """What ``function`` takes. Raises :class:`ToolDefinitionError` saying what to change."""
    hints = _hints(function, local_names)
    context: str | None = None
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        _check_parameter(function, parameter)
        if name not in hints:
            raise _refused(
                function,
                f"parameter {name!r} has no type. Write `{name}: int` or whatever it is: the "
                "model is told its type and what it gives is checked against it"
                + (". A tool is a plain function, not a method" if name in _METHOD else ""),
            )
        if _is_context(hints[name]):
            if context is not None:
                raise _refused(
                    function, f"both {context!r} and {name!r} are a RunContext; keep one"
                )
            context = name
        else:
            fields[name] = _field(parameter, hints[name], docstring.arguments.get(name))
    adapter, schema = _adapter(function, fields)
    return Signature(adapter, schema, tuple(fields), context)


_METHOD = ("self", "cls")


def _hints(function: Callable[..., Any], local_names: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except Exception:
        # A type made inside a function is found only here. It comes second, because a name of the
        # caller's must not hide one of the function's own module.
        return _hints_with(function, local_names)


def _hints_with(function: Callable[..., Any], local_names: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return get_type_hints(function, localns=dict(local_names), include_extras=True)
    except NameError as error:
        raise _refused(
            function,
            f"the type {getattr(error, 'name', None)!r} is not known where the tool is defined. "
            "Import it at the top of the file, not under `if TYPE_CHECKING:`",
        ) from error
    except Exception as error:
        raise _refused(function, f"its type hints cannot be read: {error}") from error


def _check_parameter(function: Callable[..., Any], parameter: inspect.Parameter) -> None:
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        raise _refused(
            function,
            f"it takes *{parameter.name}. A model gives arguments by name: take a "
            f"`{parameter.name}: list[...]` instead",
        )
    if parameter.kind is inspect.Parameter.VAR_KEYWORD:
        raise _refused(
            function,
            f"it takes **{parameter.name}. A model has to be told each argument: name them, or "
            f"take a `{parameter.name}: dict[str, ...]`",
        )
    if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
        raise _refused(
            function,
            f"parameter {parameter.name!r} is positional-only. A model gives arguments by name: "
            "remove the `/`",
        )
    if isinstance(parameter.default, FieldInfo):
        raise _refused(
            function,
            f"parameter {parameter.name!r} has Field(...) as its default. Write "
            f"`{parameter.name}: Annotated[..., Field(...)]`",
        )


def _is_context(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return _is_context(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        others = [arg for arg in get_args(hint) if arg is not NoneType]
        return len(others) == 1 and _is_context(others[0])
    return isinstance(hint, type) and issubclass(hint, RunContext)


def _field(parameter: inspect.Parameter, hint: Any, description: str | None) -> Any:
    if description and not _is_described(hint):
        hint = Annotated[hint, Field(description=description)]
    if parameter.default is _EMPTY:
        return hint
    try:
        default = to_jsonable_python(parameter.default, inf_nan_mode="null")
    except (PydanticSerializationError, ValueError):
        return NotRequired[hint]
    return NotRequired[Annotated[hint, Field(json_schema_extra={"default": default})]]


def _is_described(hint: Any) -> bool:
    return any(
        isinstance(item, FieldInfo) and item.description
        for item in getattr(hint, "__metadata__", ())
    )


def _adapter(
    function: Callable[..., Any], fields: dict[str, Any]
) -> tuple[TypeAdapter[dict[str, Any]], Schema]:
    # A TypedDict and not a model: any name is allowed in it ("json", "_x"), and an argument that
    # was not given stays away, so that the function's own default holds.
    arguments = _typed_dict("Arguments", fields)
    arguments.__pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False)
    try:
        adapter: TypeAdapter[dict[str, Any]] = TypeAdapter(arguments)
        return adapter, arguments_schema(adapter)
    except (PydanticSchemaGenerationError, PydanticUserError, TypeError) as error:
        first = str(error).partition("\n")[0]
        raise _refused(
            function,
            f"{_culprit(fields)}has a type that JSON cannot carry: {first}. Use str, int, "
            "Decimal, date, an Enum, a list, a dataclass or a pydantic model, and look rows up "
            "by their id inside the tool",
        ) from error


# Made from names that are known only now, so a type checker cannot follow.
_typed_dict: Callable[[str, dict[str, Any]], Any] = TypedDict  # type: ignore[assignment]


def _culprit(fields: dict[str, Any]) -> str:
    for name, hint in fields.items():
        try:
            TypeAdapter(_typed_dict("Alone", {name: hint})).json_schema()
        except Exception:
            return f"parameter {name!r} "
    return "it "


def _refused(function: Callable[..., Any], problem: str) -> ToolDefinitionError:
    return ToolDefinitionError(f"{place_of(function)} cannot be a tool: {problem}.")
