"""The argument text of one streamed tool call, put together with care.

Servers do odd things to it: they send ``{}`` or ``null`` first and the real arguments later, or, once
all is said, the whole arguments again, encoded twice. Blind joining turns either into text that no
parser takes. The rule here: what follows a whole JSON value is held back; if it only says the same
again it is dropped, else it is passed on as it came, so that the text stays invalid and the model is
told, instead of a call running with arguments that nobody meant.
"""

from __future__ import annotations

import json
import re
from typing import Any

_MARKS = re.compile(r'["\\{}\[\]]')
_PLACEHOLDERS = frozenset({"", "{}", "null"})


class CallArguments:
    """Takes the pieces of one argument text and gives those to pass on. Linear in the text."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._after: list[str] = []
        self._end = _JsonEnd()
        self._placeholder: str | None = ""

    @property
    def has_begun(self) -> bool:
        """True once any piece was more than space."""
        return bool(self._placeholder is None or self._placeholder.strip())

    def feed(self, piece: str) -> str:
        """The part of ``piece`` to pass on now; may be empty."""
        if self._placeholder is not None:
            piece = self._leave_placeholder(piece)
        if not piece:
            return ""
        if self._end.is_reached:
            self._after.append(piece)
            return ""
        end = self._end.feed(piece)
        if end is not None:
            self._after.append(piece[end:])
            piece = piece[:end]
        self._text.append(piece)
        return piece

    def finish(self) -> str:
        """What is left to pass on when the call is over. A call without arguments gets ``{}``."""
        if self._placeholder is not None:
            held, self._placeholder = self._placeholder.strip(), None
            return "{}" if held in _PLACEHOLDERS else held
        after = "".join(self._after)
        self._after.clear()
        if not after.strip() or _says_again("".join(self._text), after):
            return ""
        return after

    def _leave_placeholder(self, piece: str) -> str:
        """Hold ``{}`` and ``null`` back until it is clear that nothing replaces them."""
        assert self._placeholder is not None
        held = self._placeholder + piece
        text = held.strip()
        if any(placeholder.startswith(text) for placeholder in _PLACEHOLDERS):
            self._placeholder = held
            return ""
        self._placeholder = None
        for placeholder in ("{}", "null"):
            if text.startswith(placeholder) and text[len(placeholder) :].lstrip()[:1] == "{":
                return text[len(placeholder) :]
        return held


def _says_again(text: str, after: str) -> bool:
    """Whether ``after`` holds nothing but ``text``'s value again, as it is or encoded twice."""
    try:
        value = json.loads(text)
        rest = after.strip()
        while rest:
            again, end = json.JSONDecoder().raw_decode(rest)
            if not _equal(value, again) and not (
                isinstance(again, str) and _equal(value, json.loads(again))
            ):
                return False
            rest = rest[end:].lstrip()
    except (ValueError, RecursionError):
        return False
    return True


def _equal(one: Any, other: Any) -> bool:
    # 1 == True == 1.0 in Python; as arguments they differ.
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


class _JsonEnd:
    """Finds where the first JSON object or array of a text ends, piece by piece."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_string = False
        self._escaped_at_start = False
        self.is_reached = False

    def feed(self, piece: str) -> int | None:
        """The index just behind the end, when it lies in this piece."""
        skip = 0 if self._escaped_at_start else -1
        self._escaped_at_start = False
        for match in _MARKS.finditer(piece):
            at, mark = match.start(), match.group()
            if at == skip:
                continue
            if self._in_string:
                if mark == "\\":
                    skip = at + 1
                    self._escaped_at_start = skip == len(piece)
                elif mark == '"':
                    self._in_string = False
            elif mark == '"':
                self._in_string = True
            elif mark in "{[":
                self._depth += 1
            elif mark in "}]":
                self._depth -= 1
                if self._depth <= 0:
                    self.is_reached = True
                    return at + 1
        return None
