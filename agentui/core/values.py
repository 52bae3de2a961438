"""Values that know their JSON form.

One rule, both ways: a field that holds its default is left out, except ``type``, which comes first.
A required field is always there, also when it is null, so ``from_json(to_json(value)) == value``.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from functools import cache
from typing import Any, Self

Json = Any
"""Anything that ``json.dumps(..., allow_nan=False)`` takes."""


@cache
def _layout(cls: type) -> tuple[tuple[str, Any], ...]:
    layout = [
        (field.name, MISSING if field.name == "type" else field.default) for field in fields(cls)
    ]
    return tuple(sorted(layout, key=lambda item: item[0] != "type"))


class Value:
    """Base of the frozen dataclasses in this package that travel as JSON objects."""

    __slots__ = ()

    def to_json(self) -> dict[str, Json]:
        """This value as a JSON object; fields at their default are left out."""
        data = {}
        cls: type = type(self)
        for name, default in _layout(cls):
            value = getattr(self, name)
            if default is MISSING or value != default or type(value) is not type(default):
                data[name] = _plain(value)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Json]) -> Self:
        """The value of a JSON object made by :meth:`to_json`; unknown keys are passed over."""
        layout_of: type = cls
        return cls(**{name: data[name] for name, _ in _layout(layout_of) if name in data})


def _plain(value: Json) -> Json:
    if isinstance(value, Value):
        return value.to_json()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def same_json(one: Json, other: Json) -> bool:
    """The same JSON value. In Python True is 1, also deep inside; in JSON it is not."""
    match one, other:
        case bool(), _:
            return one is other
        case _, bool():
            return False
        case dict(), dict():
            return one.keys() == other.keys() and all(same_json(one[k], other[k]) for k in one)
        case list(), list():
            return len(one) == len(other) and all(map(same_json, one, other))
    return bool(one == other)
