"""Text and JSON as they may be stored, sent and shown: cleaned once, on the way in.

One rule for every database and every door. NUL is removed, because PostgreSQL refuses it. A lone
surrogate becomes U+FFFD, because it cannot be written as UTF-8; the two halves of a pair become
their one character. NaN and the infinities become null, because JSON has no word for them.
Integers keep every digit. Keys of objects are strings; of two keys that become equal the last wins.
What is cleaned is a fixed point: cleaning it again changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite

from .values import Json

MAX_DEPTH = 200
"""Objects and lists may be nested this deep; ``json`` itself gives up not far beyond."""

_MAX_INT_BITS = 14_000  # Python prints no integer of more than 4,300 digits (14,285 bits).
_UNCLEAN = re.compile("[\x00\ud800-\udfff]")
_HIGH_SURROGATES = ("\ud800", "\udbff")


class TooDeep(ValueError):
    """The value is nested deeper than can be stored."""

    def __init__(self) -> None:
        super().__init__(f"nested deeper than {MAX_DEPTH} levels")


def clean_text(text: str) -> str:
    """The text without NUL and without lone surrogates."""
    if not _UNCLEAN.search(text):
        return str(text)
    units = text.replace("\x00", "").encode("utf-16-le", "surrogatepass")
    return units.decode("utf-16-le", "replace")


def clean(value: Json, *, max_depth: int = MAX_DEPTH) -> Json:
    """The value as strict JSON.

    Raises :class:`TooDeep` for nesting beyond ``max_depth``, ``TypeError`` for what is no JSON.
    """
    return _clean(value, max_depth)


def _clean(value: Json, depth: int) -> Json:
    match value:
        case None | bool():
            return value
        case str():
            return clean_text(value)
        case int():
            return int(value) if value.bit_length() <= _MAX_INT_BITS else None
        case float():
            return float(value) if isfinite(value) else None
    if depth == 0:
        raise TooDeep
    match value:
        case Mapping():
            return {_key(key): _clean(item, depth - 1) for key, item in value.items()}
        case list() | tuple():
            return [_clean(item, depth - 1) for item in value]
    raise TypeError(f"{type(value).__name__} is not JSON")


def _key(key: object) -> str:
    match key:
        case str():
            return clean_text(key)
        case None:
            return "null"
        case bool():
            return "true" if key else "false"
        case int() | float():
            return str(key)
    raise TypeError(f"{type(key).__name__} cannot be the key of a JSON object")


class SurrogateJoiner:
    """Cleans a text that arrives in pieces, whose cuts may fall between the halves of a pair.

    The pieces it gives, joined, are ``clean_text`` of the pieces it was fed, joined.
    """

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """The next piece, clean; a first half at its end is held back until its second half comes."""
        text = self._held + piece.replace("\x00", "")
        self._held = ""
        if text and _HIGH_SURROGATES[0] <= text[-1] <= _HIGH_SURROGATES[1]:
            text, self._held = text[:-1], text[-1]
        return clean_text(text)

    def flush(self) -> str:
        """What is still held when the text ends."""
        held, self._held = self._held, ""
        return clean_text(held)
