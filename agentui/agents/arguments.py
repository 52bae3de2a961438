"""From the text a model wrote to keyword arguments, or to a text it can correct itself by."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from agentui.core.clean import clean_text
from agentui.core.values import Json
from agentui.exceptions import ToolArgumentsError

logger = logging.getLogger("agentui.tools")

_SHOWN_PROBLEMS = 10
_SHOWN_CHARS = 100

# The closing quote may be missing: to look for it again from every escaped one would take long.
_TOKEN = re.compile(
    r'"(?:[^"\\]++|\\.)*+"?|-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?|NaN|-?Infinity', re.DOTALL
)
_ESCAPE = re.compile(
    r"(?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\u(?P<unit>[0-9a-fA-F]{4})|\\.",
    re.DOTALL,
)


def prepare(args_text: str) -> str:
    """``args_text`` as exact JSON: nothing at all is ``{}``, broken characters are replaced.

    A number that a float cannot hold becomes a string, so that a ``Decimal`` gets every digit.
    Raises :class:`ToolArgumentsError` for NaN and infinities, which JSON does not have.
    """
    text = clean_text(args_text).strip()
    if text in ("", "null"):
        return "{}"
    return _TOKEN.sub(_exact_token, text)


def read_object(args_text: str) -> dict[str, Json]:
    """The JSON object in ``args_text``, unchecked."""
    return _object(prepare(args_text))


def validate_arguments(
    tool_name: str,
    names: Sequence[str],
    adapter: TypeAdapter[dict[str, Any]],
    args_text: str,
) -> dict[str, Any]:
    """The keyword arguments in ``args_text``; those that were not given are left out."""
    text = prepare(args_text)
    _object(text)
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        problems = [_problem(tool_name, names, item) for item in error.errors(include_url=False)]
    except Exception as error:
        # A validator of the site's own broke. The model cannot know, but it may try differently.
        logger.exception("the arguments of %s could not be checked", tool_name)
        problems = [f"The arguments could not be checked ({type(error).__name__})"]
    raise refusal(problems)


def refusal(problems: Sequence[str]) -> ToolArgumentsError:
    """One error that says everything that is wrong, ready for ``core.texts.invalid_arguments``."""
    sentences = [f"{problem}." for problem in problems[:_SHOWN_PROBLEMS]]
    if len(problems) > _SHOWN_PROBLEMS:
        sentences.append(f"There are {len(problems) - _SHOWN_PROBLEMS} more problems.")
    return ToolArgumentsError(" ".join(sentences))


def shown(value: Any) -> str:
    """``value`` as short, harmless JSON."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    text = clean_text(text)
    if len(text) > _SHOWN_CHARS:
        text = f"{text[:_SHOWN_CHARS]}... ({len(text)} characters)"
    return text


def unknown_argument(tool_name: str, names: Sequence[str], name: str) -> str:
    """What is wrong with an argument that the tool does not have."""
    takes = ", ".join(names) if names else "no arguments"
    return f"{shown(name)} is not an argument of {tool_name}, which takes {takes}"


def _object(text: str) -> dict[str, Json]:
    try:
        value = json.loads(text, object_pairs_hook=_unique)
    except RecursionError:
        raise refusal(["They are nested too deep"]) from None
    except ValueError as error:
        raise refusal([f"They are not valid JSON: {error}"]) from None
    if not isinstance(value, dict):
        raise refusal([f"They must be one JSON object; given {shown(value)}"])
    return value


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    # Readers differ in which of two equal keys they take; what a person saw must be what runs.
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{shown(twice)} is given twice in one object")
    return value


def _problem(tool_name: str, names: Sequence[str], error: ErrorDetails) -> str:
    path = _path(error["loc"])
    match error["type"]:
        case "missing":
            return f"{path} is missing"
        case "extra_forbidden" if len(error["loc"]) == 1:
            return unknown_argument(tool_name, names, str(error["loc"][0]))
        case "extra_forbidden":
            return f"{path} is not known there"
    message = error["msg"].removeprefix("Input ").removeprefix("Value error, ")
    return f"{path}: {message}; given {shown(error['input'])}"


def _path(location: tuple[int | str, ...]) -> str:
    text = ""
    for step in location:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return clean_text(text.removeprefix(".")) or "the arguments"


def _exact_token(match: re.Match[str]) -> str:
    token = match[0]
    if token[0] == '"':
        return _ESCAPE.sub(_whole_escape, token) if "\\u" in token else token
    if token[-1] in "Ny":
        raise ToolArgumentsError(
            f"The arguments hold {token}, which is not JSON. Give a number, or leave it out."
        )
    is_exact = token.lstrip("-").isdigit() or _is_exact_float(token)
    return token if is_exact else f'"{token}"'


def _is_exact_float(token: str) -> bool:
    try:
        return Decimal(token) == Decimal(repr(float(token)))
    except InvalidOperation:  # an exponent that even a Decimal does not take
        return False


def _whole_escape(match: re.Match[str]) -> str:
    """NUL is dropped and half a surrogate pair replaced, as everywhere else on the way in."""
    unit = match["unit"]
    if unit == "0000":
        return ""
    if unit is not None and 0xD800 <= int(unit, 16) <= 0xDFFF:
        return "\\ufffd"
    return match[0]
