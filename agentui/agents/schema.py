"""The JSON Schema a model is shown: self-contained, closed, and without noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

Schema = dict[str, Any]

_MAPS = ("properties", "$defs", "patternProperties", "dependentSchemas")
_LISTS = ("anyOf", "allOf", "oneOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then")
_REF = "#/$defs/"
_BOUNDS: tuple[Literal["multiple_of", "le", "ge", "lt", "gt"], ...] = (
    "multiple_of",
    "le",
    "ge",
    "lt",
    "gt",
)


class _ForModels(GenerateJsonSchema):
    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        # Pydantic's own answer adds a string with a look-ahead pattern, which several providers
        # refuse. A number in the text is read exactly, see arguments.py.
        number = core_schema.float_schema()
        for bound in _BOUNDS:
            if bound in schema:
                number[bound] = float(schema[bound])
        return self.float_schema(number)


def arguments_schema(adapter: TypeAdapter[Any]) -> Schema:
    """The schema of a tool's arguments; what it accepts, ``adapter`` accepts."""
    schema = adapter.json_schema(schema_generator=_ForModels)
    definitions: dict[str, Schema] = schema.pop("$defs", {})
    recursive = {name for name in definitions if name in _reachable(name, definitions)}
    result = _tidy(schema, definitions, recursive)
    if recursive:
        result["$defs"] = {
            name: _tidy(definitions[name], definitions, recursive) for name in sorted(recursive)
        }
    result.setdefault("type", "object")
    result.setdefault("properties", {})
    result["additionalProperties"] = False
    result.pop("description", None)
    return result


def without_words(schema: Schema) -> Schema:
    """``schema`` without its descriptions: what is left decides which arguments are valid."""
    kept = {key: value for key, value in schema.items() if key not in ("description", "examples")}
    return _each(kept, without_words)


def _tidy(schema: Schema, definitions: dict[str, Schema], recursive: set[str]) -> Schema:
    name = schema.get("$ref", "").removeprefix(_REF)
    if name and name not in recursive:
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**definitions[name], **beside}
        return _tidy(schema, definitions, recursive)
    kept = {
        key: value
        for key, value in schema.items()
        # "discriminator" belongs to OpenAPI and points at definitions that are inlined here.
        if key != "discriminator" and not (key == "title" and isinstance(value, str))
    }
    kept = _each(kept, lambda inner: _tidy(inner, definitions, recursive))
    if "properties" in kept:
        kept.setdefault("additionalProperties", False)
    return kept


def _each(schema: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """``schema`` with ``change`` made to each schema directly inside it."""
    result = dict(schema)
    for key, value in schema.items():
        if key in _MAPS and isinstance(value, dict):
            result[key] = {name: change(inner) for name, inner in value.items()}
        elif key in _LISTS and isinstance(value, list):
            result[key] = [change(inner) for inner in value]
        elif key in _SINGLE and isinstance(value, dict):
            result[key] = change(value)
    return result


def _reachable(name: str, definitions: dict[str, Schema]) -> set[str]:
    seen: set[str] = set()
    waiting = list(_references(definitions[name]))
    while waiting:
        other = waiting.pop()
        if other not in seen:
            seen.add(other)
            waiting.extend(_references(definitions.get(other, {})))
    return seen


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref" and isinstance(inner, str):
                yield inner.removeprefix(_REF)
            else:
                yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)
