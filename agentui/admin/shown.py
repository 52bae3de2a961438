"""Text of models, tools and users as staff see it: never HTML, nothing hidden in it.

What cannot be seen, or changes how the rest is read (control and zero-width characters, bidi
overrides, unusual spaces, invisible tags), is written out as ``⟨U+202E⟩``, so that what is decided is
what is read. Line feeds stay, and so does the plain space; a tab stays in prose.
"""

from __future__ import annotations

import json
import unicodedata
from functools import lru_cache
from typing import Any

from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

#: Categories of which no character has a shape of its own: control, format, surrogate, private,
#: unassigned, line and paragraph separators, spaces.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
#: Letters and marks that are drawn as nothing (Unicode: Default_Ignorable_Code_Point).
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
_KEPT = frozenset(" \n\t")


def visible(text: object) -> SafeString:
    """The text escaped, with what cannot be seen written out."""
    return mark_safe("".join(map(_shown, str(text))))  # noqa: S308  each character is escaped


def plain(text: object) -> str:
    """The same as plain text, for a title or a message, where no markup can stand."""
    return "".join(_code(c) if is_unseen(c) else c for c in str(text))


def summary(text: object, length: int) -> str:
    """One line of at most ``length`` characters; an ellipsis says that there is more."""
    return Truncator(plain(" ".join(str(text).split(None)))).chars(length)


@lru_cache(maxsize=4096)
def is_unseen(character: str) -> bool:
    """True for a character that a person could not see, or would not see where it stands."""
    if character in _KEPT:
        return False
    point = ord(character)
    # Variation selectors: the 16th only makes a sign colourful, the others can carry hidden bytes.
    if 0xFE00 <= point <= 0xFE0E or 0xE0100 <= point <= 0xE01EF:
        return True
    return character in _BLANK or unicodedata.category(character) in _UNSEEN


@lru_cache(maxsize=4096)
def _shown(character: str) -> str:
    if is_unseen(character):
        name = unicodedata.name(character, "") or _("control character")
        return format_html(
            '<span class="agentui-unseen" title="{}">{}</span>', name, _code(character)
        )
    return conditional_escape(character)


def _code(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def pretty(value: Any) -> str:
    """JSON for a person: indented, every letter as it is. A text stays a text."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=2)


class Number(str):
    """A number with the digits it was written with: 1.10 and 9007199254740993 stay so."""

    __slots__ = ()


def arguments(args_text: str) -> list[tuple[SafeString, SafeString, str]] | None:
    """Name, value and kind of each argument, exactly; None when the text is no JSON object.

    The kind is ``text`` for a text, whose lines are shown as lines, and ``json`` for the rest.
    """
    try:
        value = json.loads(
            args_text or "{}", parse_int=Number, parse_float=Number, parse_constant=Number
        )
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    return [
        (visible(name), visible(literal(item)), "text" if type(item) is str else "json")
        for name, item in value.items()
    ]


def literal(value: Any, indent: str = "") -> str:
    """``value`` as indented JSON, its numbers as they were written; a text at the top is bare."""
    if type(value) is str and not indent:
        return value
    return _json(value, indent or "")


def _json(value: Any, indent: str) -> str:
    inner = indent + "  "
    match value:
        case Number():
            return str(value)
        case dict() if value:
            rows = [f"{inner}{_string(k)}: {_json(v, inner)}" for k, v in value.items()]
            return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
        case list() if value:
            return "[\n" + ",\n".join(inner + _json(v, inner) for v in value) + f"\n{indent}]"
        case str():
            return _string(value)
    return json.dumps(value)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def size(text: str) -> str:
    """How long a text is, in words, so that nobody takes what is in view for the whole."""
    lines = text.count("\n") + 1
    return _("%(characters)s, %(lines)s") % {
        "characters": ngettext("%(n)d character", "%(n)d characters", len(text)) % {"n": len(text)},
        "lines": ngettext("%(n)d line", "%(n)d lines", lines) % {"n": lines},
    }


def lines(texts: list[Any]) -> SafeString:
    """Texts one below the other, each escaped."""
    return format_html_join(mark_safe("<br>"), "{}", ((text,) for text in texts))
