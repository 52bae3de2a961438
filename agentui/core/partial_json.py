"""The arguments of a call: shown while they stream, parsed strictly once they are whole.

Strictly (:func:`parse_args`): one JSON object and nothing after it; no text at all means ``{}``; of
equal keys the last wins; integers keep every digit; NaN, infinities and numbers beyond a double are
refused; size and depth are bounded. What comes out is clean (:mod:`.clean`).

Partially (:func:`parse_partial`): what can be said of the text so far, for the page. A string that
is not closed is shown as far as it goes, without the escape it breaks off in; a key, a literal or a
minus sign that is not whole is left out. Parsing costs the whole text, so it is done at intervals,
never at every delta.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from pydantic_core import from_json

from .clean import TooDeep, clean
from .values import Json

MAX_CHARS = 1_000_000
"""The longest arguments that are parsed: generous for a model, harmless for a server."""

FieldState = Literal["complete", "partial"]


class ArgumentsError(ValueError):
    """The arguments are not one JSON object; the text says why, for the model to act on."""


def parse_args(text: str, *, max_chars: int = MAX_CHARS) -> dict[str, Json]:
    """The arguments of a call, from its whole text. Raises :class:`ArgumentsError`."""
    try:
        args: dict[str, Json] = clean(load_args(text, max_chars=max_chars))
    except TooDeep as error:
        raise ArgumentsError(f"The JSON is {error}.") from None
    return args


def load_args(text: str, *, max_chars: int = MAX_CHARS) -> dict[str, Json]:
    """As :func:`parse_args`, but not yet clean: exactly what the text says."""
    if len(text) > max_chars:
        raise ArgumentsError(f"{len(text)} characters; at most {max_chars} are allowed.")
    if not text.strip():
        return {}
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except ArgumentsError:
        raise
    except RecursionError:
        raise ArgumentsError("The JSON is nested too deep.") from None
    except ValueError as error:
        raise ArgumentsError(f"Not valid JSON: {error}.") from None
    if not isinstance(value, dict):
        raise ArgumentsError(f"Expected a JSON object, not {_JSON_NAMES[type(value)]}.")
    return value


_JSON_NAMES = {
    list: "an array",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "a boolean",
    type(None): "null",
}


def _no_constant(word: str) -> Json:
    raise ArgumentsError(f"{word} is not valid JSON.")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ArgumentsError(f"The number {digits[:40]} is too large.")
    return number


@dataclass(frozen=True, slots=True)
class PartialObject:
    """What is known of a JSON text. ``open_path`` leads to the innermost value still open."""

    value: Json
    state: FieldState
    open_path: tuple[str, ...] = ()

    def field_state(self, path: Sequence[str | int] = ()) -> FieldState:
        """Whether the value at ``path`` may still change; one that is not there yet may."""
        if self.state == "complete":
            return "complete"
        value = self.value
        for depth, segment in enumerate(path):
            on_open_path = depth < len(self.open_path) and self.open_path[depth] == str(segment)
            if not on_open_path:
                return "complete" if _has(value, segment) else "partial"
            if not _has(value, segment):
                return "partial"
            value = value[segment if isinstance(value, dict) else int(segment)]
        return "partial"


def _has(value: Json, segment: str | int) -> bool:
    if isinstance(value, dict):
        return segment in value
    return isinstance(value, list) and str(segment).isdigit() and int(segment) < len(value)


def parse_partial(text: str) -> PartialObject | None:
    """What is known of a text that may not be whole; ``None`` when nothing can be said of it."""
    if not text.strip():
        return PartialObject({}, "partial")
    open_path = _open_path(text)
    try:
        if open_path is None:
            value = from_json(text, allow_inf_nan=False)
        else:
            value = from_json(text, allow_inf_nan=False, allow_partial="trailing-strings")
    except ValueError:
        return None
    if not isinstance(value, dict | list) or _pollutes(value):
        return None
    if open_path is None:
        return PartialObject(value, "complete")
    return PartialObject(value, "partial", open_path)


def args_so_far(text: str) -> dict[str, Json]:
    """The arguments as far as they can be read: whole, still being written, or broken off."""
    try:
        return parse_args(text)
    except ArgumentsError:
        found = parse_partial(text) if len(text) <= MAX_CHARS else None
    if found is None or not isinstance(found.value, dict):
        return {}
    try:
        args: dict[str, Json] = clean(found.value)
    except TooDeep:
        return {}
    return args


_TOKEN = re.compile(r'"(?:[^"\\]+|\\.)*("?)|[][{},:]|[^][{},:"\s]+', re.DOTALL)


def _open_path(text: str) -> tuple[str, ...] | None:
    """The keys and indices that lead to the innermost open value; ``None`` when none is open.

    It looks at brackets, commas and strings only: whether the text is JSON is the parser's to say.
    """
    frames: list[str | int | None] = []  # where each open value is: an index, a key, no key yet
    objects: list[bool] = []
    value_is_open = False
    for token in _TOKEN.finditer(text):
        word = token.group()
        is_key = bool(frames) and objects[-1] and frames[-1] is None
        value_is_open = False
        match word[0]:
            case "{" | "[":
                objects.append(word == "{")
                frames.append(None if word == "{" else 0)
            case "}" | "]" if frames:
                objects.pop()
                frames.pop()
            case "," if frames:
                frames[-1] = None if objects[-1] else int(frames[-1] or 0) + 1
            case '"' if is_key:
                frames[-1] = _key(word) if token.group(1) else None
            case '"':
                value_is_open = not token.group(1)
            case "}" | "]" | "," | ":":
                pass
            case _:
                value_is_open = token.end() == len(text) and not word.isalpha()
    if not frames:
        return None
    path = frames if value_is_open else frames[:-1]
    return tuple(str(segment) for segment in path if segment is not None)


def _key(word: str) -> str:
    try:
        return str(json.loads(word))
    except ValueError:
        return word[1:-1]


def _pollutes(value: Json) -> bool:
    """True for keys that change an object's prototype in a browser: the page never sees those."""
    found = [value]
    while found:
        match found.pop():
            case {"__proto__": _} | {"constructor": {"prototype": _}}:
                return True
            case dict() as fields:
                found.extend(fields.values())
            case list() as items:
                found.extend(items)
    return False
