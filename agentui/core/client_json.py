"""JSON as clients send it: read strictly, its texts cleaned on the way in.

What is read here can be written again as JSON and as UTF-8, whoever repeats it: in an answer, in a
frame, in a key made from it.
"""

from __future__ import annotations

import json
import re
from math import isinf

from .clean import TooDeep, clean
from .values import Json

#: What only an escape can bring into a text: NUL, and half of a pair. Others need no cleaning.
_SUSPECT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
#: Deeper than any reader of ours goes; what is stored has a limit of its own.
_DEEPEST = 10_000


def read_json(raw: str | bytes) -> Json:
    """The JSON value. Raises ``ValueError`` for whatever is none, and for what nests too deeply."""
    text = raw if isinstance(raw, str) else raw.decode(json.detect_encoding(raw))
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
        # A text that came as a str may hold half a pair without an escape.
        is_plain = text.isascii() or isinstance(raw, bytes)
        if not is_plain or _SUSPECT.search(text):
            value = clean(value, max_depth=_DEEPEST)
    except (RecursionError, TooDeep):
        raise ValueError("nested too deeply") from None
    return value


def _no_constant(word: str) -> Json:
    raise ValueError(f"{word} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ValueError(f"{text[:30]} is too large a number")
    return value
