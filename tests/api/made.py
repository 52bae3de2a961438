"""Values made from a JSON schema by hypothesis: such as fit, and such as almost do."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

Json = Any
Schema = dict[str, Any]

_WORDS = st.one_of(
    st.sampled_from(["", "a", "\x00", "\ud800", "é👍", "../..", "null", "%s", "x" * 300]),
    st.text(max_size=20),
)
_NUMBERS = st.one_of(
    st.sampled_from([0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**40, 1.5, 1e308]), st.integers()
)


def _nested(levels: int) -> Json:
    value: Json = "deep"
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


#: What somebody sends who has not read the schema, or has.
ODD: st.SearchStrategy[Json] = st.one_of(
    st.none(),
    st.booleans(),
    _NUMBERS,
    _WORDS,
    st.sampled_from([[], {}, [[]], {"": None}, {"__proto__": {"a": 1}}]),
    st.sampled_from([30, 150, 900]).map(_nested),
)


class Maker:
    """``ids`` are those of rows that there are: a made id is one of them half of the time."""

    def __init__(self, components: dict[str, Schema], ids: list[str]) -> None:
        self._components = components
        self._ids = ids

    def fitting(self, schema: Schema) -> st.SearchStrategy[Json]:
        """Values that the schema accepts; where it says nothing, anything."""
        if "$ref" in schema:
            return self.fitting(self._components[schema["$ref"].rpartition("/")[2]])
        for name in ("anyOf", "oneOf"):
            if name in schema:
                return st.one_of([self.fitting(one) for one in schema[name]])
        if "allOf" in schema:
            return self.fitting(schema["allOf"][0])
        if "const" in schema:
            return st.just(schema["const"])
        if "enum" in schema:
            return st.sampled_from(schema["enum"])
        match schema.get("type"):
            case list() as kinds:
                return st.one_of([self.fitting({**schema, "type": kind}) for kind in kinds])
            case "object":
                return self._objects(schema)
            case "array":
                least, most = schema.get("minItems", 0), min(schema.get("maxItems", 3), 3)
                return st.lists(
                    self.fitting(schema.get("items", {})), min_size=least, max_size=max(least, most)
                )
            case "string":
                return self._strings(schema)
            case "integer" | "number":
                return st.integers(schema.get("minimum", -5), schema.get("maximum", 2**62))
            case "boolean":
                return st.booleans()
            case "null":
                return st.none()
        return ODD

    def almost(self, schema: Schema) -> st.SearchStrategy[Json]:
        """Values that fit, with something odd put, added or left out at one place."""
        return st.builds(_changed, self.fitting(schema), st.randoms(use_true_random=False), ODD)

    def _objects(self, schema: Schema) -> st.SearchStrategy[Json]:
        required = set(schema.get("required", ()))
        fields = {name: self.fitting(one) for name, one in schema.get("properties", {}).items()}
        if not fields:
            return st.dictionaries(_WORDS, ODD, max_size=2)
        needed = {name: one for name, one in fields.items() if name in required}
        others = {name: one for name, one in fields.items() if name not in required}
        return st.fixed_dictionaries(needed, optional=others)

    def _strings(self, schema: Schema) -> st.SearchStrategy[Json]:
        match schema.get("format"):
            case "uuid":
                return st.one_of(st.sampled_from(self._ids), st.uuids().map(str))
            case "date-time":
                return st.datetimes().map(lambda moment: moment.isoformat() + "Z")
        some = st.one_of(st.sampled_from(self._ids), _WORDS)
        return some.map(lambda text: text[: schema.get("maxLength", len(text))])


def _changed(value: Json, random: Any, odd: Json) -> Json:
    value = copy.deepcopy(value)
    places: list[tuple[Any, Any]] = []

    def look(at: Json) -> None:
        steps = at.items() if isinstance(at, dict) else enumerate(at)
        for step, inner in steps:
            places.append((at, step))
            if isinstance(inner, (dict, list)) and len(places) < 50:
                look(inner)

    if isinstance(value, (dict, list)):
        look(value)
    if not places or random.random() < 0.1:
        return odd
    holder, step = random.choice(places)
    if random.random() < 0.3:
        del holder[step]
    elif random.random() < 0.3 and isinstance(holder, dict):
        holder[random.choice(["x", "id", "__class__", "owner"])] = odd
    else:
        holder[step] = odd
    return value
