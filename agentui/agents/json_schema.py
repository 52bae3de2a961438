"""Arguments checked against a JSON Schema that did not come from Python types.

Human and browser tools bring their own schema. The keywords that decide whether a handler can work
with what it gets are checked; others (formats, conditions) are left to the handler, which has to
treat its arguments as untrusted anyway.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeGuard

from agentui.core.values import Json, same_json

from .arguments import read_object, refusal, shown, unknown_argument
from .places import ToolDefinitionError
from .schema import Schema

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}
_MAX_STEPS = 20_000
_MAX_DEPTH = 60
_REFERENCE = re.compile(r"#/(\$defs|definitions)/(.+)")


#: One of these is in every schema of an object that says anything about its arguments.
_KEYWORDS = {
    "$ref", "additionalProperties", "allOf", "anyOf", "description", "oneOf", "patternProperties",
    "properties", "required", "title", "type",
}  # fmt: skip


def checked_parameters(name: str, parameters: Schema | None) -> Schema:
    """``parameters`` as a schema of type object. Raises :class:`ToolDefinitionError`."""
    if parameters is None:
        return {"type": "object", "properties": {}, "additionalProperties": False}
    if not isinstance(parameters, dict) or parameters.get("type", "object") != "object":
        raise ToolDefinitionError(
            f"tool {name!r}: its parameters have to be a JSON Schema of type object, "
            'for example {"type": "object", "properties": {"text": {"type": "string"}}}.'
        )
    properties = parameters.get("properties", {})
    required = parameters.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        raise ToolDefinitionError(
            f'tool {name!r}: "properties" has to be an object and "required" a list of names.'
        )
    if parameters and not _KEYWORDS & parameters.keys():
        names = ", ".join(parameters)
        raise ToolDefinitionError(
            f"tool {name!r}: {names} would describe nothing. Arguments stand under "
            '"properties": {"properties": {...}, "required": [...]}.'
        )
    return {**parameters, "type": "object", "properties": properties}


def validate_against(name: str, schema: Schema, args_text: str) -> dict[str, Any]:
    """The arguments in ``args_text``. Raises ``ToolArgumentsError`` naming what does not fit."""
    value = read_object(args_text)
    known = list(schema["properties"])
    problems = []
    if schema.get("additionalProperties") is False:
        problems = [unknown_argument(name, known, key) for key in value if key not in known]
    open_schema = {**schema, "additionalProperties": True}
    problems.extend(_Checker(schema).problems(value, open_schema, "", 0))
    if problems:
        raise refusal(problems)
    return value


def problems_with(schema: Schema, value: Json) -> list[str]:
    """What of ``value`` does not fit the schema, each as a sentence; empty when it fits."""
    return list(_Checker(schema).problems(value, schema, "", 0))


def with_order(schema: Schema | None) -> Schema | None:
    """The schema with the order of its fields in it: PostgreSQL keeps the keys of an object in an
    order of its own, and a form has the order in which it was written."""
    properties = (schema or {}).get("properties")
    if schema is None or not isinstance(properties, dict):
        return schema
    return {**schema, "x-order": list(properties)}


class _Checker:
    """The schema may come from a page, so neither its form nor its size is trusted."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        # Choices within choices that point at themselves would never end.
        self._left = _MAX_STEPS

    def problems(self, value: Json, schema: Any, path: str, depth: int) -> Iterator[str]:
        schema = self._resolved(schema)
        self._left -= 1
        if not isinstance(schema, dict) or self._left < 0 or depth > _MAX_DEPTH:
            return
        where = path or "the arguments"
        if not _has_type(value, schema.get("type")):
            yield f"{where}: should be {_types_text(schema['type'])}; given {shown(value)}"
            return
        enum = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(enum, list) and not any(same_json(value, item) for item in enum):
            allowed = ", ".join(shown(item) for item in enum[:20])
            yield f"{where}: should be one of {allowed}; given {shown(value)}"
            return
        yield from _bounds(value, schema, where)
        yield from self._combined(value, schema, path, depth + 1)
        if isinstance(value, dict):
            yield from self._members(value, schema, path, depth + 1)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                yield from self.problems(item, schema.get("items"), f"{path}[{index}]", depth + 1)

    def _members(
        self, value: dict[str, Json], schema: Schema, path: str, depth: int
    ) -> Iterator[str]:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        prefix = f"{path}." if path else ""
        for name in _list(schema, "required"):
            if isinstance(name, str) and name not in value:
                yield f"{prefix}{name} is missing"
        others = schema.get("additionalProperties", True)
        for name, item in value.items():
            if name in properties:
                yield from self.problems(item, properties[name], f"{prefix}{name}", depth)
            elif others is False:
                yield f"{prefix}{name} is not known there"
            else:
                yield from self.problems(item, others, f"{prefix}{name}", depth)

    def _combined(self, value: Json, schema: Schema, path: str, depth: int) -> Iterator[str]:
        for inner in _list(schema, "allOf"):
            yield from self.problems(value, inner, path, depth)
        for key in ("anyOf", "oneOf"):
            choices = _list(schema, key)
            faults = [list(self.problems(value, inner, path, depth)) for inner in choices]
            if faults and all(faults):
                # The choice with the fewest faults is most likely the one that was meant.
                yield from min(faults, key=len)

    def _resolved(self, schema: Any) -> Any:
        while isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
            self._left -= 1
            match = _REFERENCE.fullmatch(schema["$ref"])
            definitions = self._root.get(match[1]) if match else None
            if match is None or not isinstance(definitions, dict) or self._left < 0:
                return None
            schema = definitions.get(match[2])
        return schema


def _list(schema: Schema, key: str) -> list[Any]:
    value = schema.get(key)
    return value if isinstance(value, list) else []


def _bounds(value: Json, schema: Schema, where: str) -> Iterator[str]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        for keyword, fits, words in _LIMITS:
            limit = schema.get(keyword)
            if _is_number(limit) and not fits(value, limit):
                yield f"{where}: should be {words} {limit}; given {shown(value)}"
    for kind, unit, noun in _SIZES:
        if isinstance(value, kind):
            low, high = schema.get(f"min{unit}"), schema.get(f"max{unit}")
            if _is_number(low) and len(value) < low:
                yield f"{where}: should have at least {low} {noun}; it has {len(value)}"
            if _is_number(high) and len(value) > high:
                yield f"{where}: should have at most {high} {noun}; it has {len(value)}"


_LIMITS: tuple[tuple[str, Callable[[Any, Any], bool], str], ...] = (
    ("minimum", operator.ge, "at least"),
    ("maximum", operator.le, "at most"),
    ("exclusiveMinimum", operator.gt, "more than"),
    ("exclusiveMaximum", operator.lt, "less than"),
)
_SIZES: tuple[tuple[type[Any], str, str], ...] = (
    (str, "Length", "characters"),
    (list, "Items", "items"),
    (dict, "Properties", "members"),
)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _has_type(value: Json, wanted: Any) -> bool:
    names = wanted if isinstance(wanted, list) else [wanted]
    known = [name for name in names if isinstance(name, str) and name in _TYPES]
    if not known:
        return True
    return any(_is_of(value, name) for name in known)


def _is_of(value: Json, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


def _types_text(wanted: Any) -> str:
    names = wanted if isinstance(wanted, list) else [wanted]
    known = [name for name in names if isinstance(name, str) and name in _TYPES]
    return " or ".join(f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for name in known)
