"""From what a tool returns to JSON that can be stored, shown and sent."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticSerializationError, to_jsonable_python

from agentui.core.clean import clean
from agentui.core.values import Json
from agentui.exceptions import AgentUIError

MAX_RESULT_BYTES = 200_000


class ToolResultError(AgentUIError):
    """The tool returned something that cannot be stored as JSON."""

    code = "invalid_result"


class ToolError(AgentUIError):
    """The tool could not do what was asked."""

    # Raised by a site's tool: the message is for the model, which may then try differently.
    code = "tool_error"


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool returns when the model and the page should not see the same.

    ``result`` is for both; ``artifact`` is for the page only; ``model_content``, when given, is what
    the model sees in place of ``result``. ``is_error`` tells the model that the call did not succeed.
    """

    result: Any = None
    artifact: Any = None
    model_content: Any = None
    is_error: bool = False


def encode_result(value: Any, *, max_bytes: int = MAX_RESULT_BYTES) -> Json:
    """``value`` as clean JSON. Decimals and dates become strings, NaN and infinities null.

    Takes models, dataclasses, enums, UUIDs and containers of them. Raises :class:`ToolResultError`
    for anything else, for bytes, and when the JSON is larger than ``max_bytes``.
    """
    _refuse_bytes(value, depth=0)
    try:
        encoded = to_jsonable_python(value, inf_nan_mode="null", fallback=_fallback)
        encoded = clean(encoded)
    except (PydanticSerializationError, ValueError, TypeError, RecursionError) as error:
        raise ToolResultError(f"The tool's result cannot become JSON: {error}") from error
    size = len(json.dumps(encoded, ensure_ascii=False, allow_nan=False).encode())
    if size > max_bytes:
        raise ToolResultError(
            f"The tool's result is {size:,} bytes of JSON; at most {max_bytes:,} are kept. "
            "Ask it for less."
        )
    return encoded


def to_tool_result(value: Any, *, max_bytes: int = MAX_RESULT_BYTES) -> ToolResult:
    """What a tool returned as a :class:`ToolResult` whose fields are all clean JSON."""
    if not isinstance(value, ToolResult):
        return ToolResult(encode_result(value, max_bytes=max_bytes))
    return ToolResult(
        encode_result(value.result, max_bytes=max_bytes),
        encode_result(value.artifact, max_bytes=max_bytes),
        encode_result(value.model_content, max_bytes=max_bytes),
        value.is_error,
    )


def _fallback(value: Any) -> Any:
    if _is_lazy_text(value):
        return str(value)
    raise ToolResultError(
        f"The tool returned a {type(value).__qualname__}, which cannot become JSON. "
        "Return a dict or a list of what the model should see."
    )


def _is_lazy_text(value: Any) -> bool:
    # Only Django makes these; where it is not loaded there are none.
    functional = sys.modules.get("django.utils.functional")
    return functional is not None and isinstance(value, functional.Promise)


def _refuse_bytes(value: Any, *, depth: int) -> None:
    # Pydantic would decode them as UTF-8: it works in a test and fails on the first real file.
    if isinstance(value, (bytes, bytearray, memoryview)):
        raise ToolResultError(
            "The tool returned bytes. Return a text, a number or a link to the file."
        )
    if depth > 50:
        return
    if isinstance(value, Mapping):
        for item in value.values():
            _refuse_bytes(item, depth=depth + 1)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            _refuse_bytes(item, depth=depth + 1)
