"""Where something was written, for messages that a developer can act on."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

_PACKAGE = __name__.rpartition(".")[0]


class ToolDefinitionError(TypeError):
    """A tool, policy or agent that cannot work as it was written. Raised while it is imported."""


def qualified_name(function: Callable[..., Any]) -> str:
    """``"shop.agents.refund_order"``."""
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', None) or '?'}.{name}"


def place_of(function: Callable[..., Any]) -> str:
    """``"shop.agents.refund_order (/site/shop/agents.py, line 12)"``."""
    name = qualified_name(function)
    # Behind a decorator's wrapper is the line that the developer knows.
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return name
    return f"{name} ({code.co_filename}, line {code.co_firstlineno})"


def calling_place() -> str:
    """File and line of the code that called into this package."""
    frame = _calling_frame()
    if frame is None:
        return "unknown place"
    return f"{frame.f_code.co_filename}, line {frame.f_lineno}"


def calling_names() -> Mapping[str, Any]:
    """The local names where this package was called, so types made inside a function resolve."""
    frame = _calling_frame()
    return dict(frame.f_locals) if frame is not None else {}


def _calling_frame() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        # A dataclass's generated __init__ runs in the namespace of "<string>".
        inside = module == _PACKAGE or module.startswith(f"{_PACKAGE}.")
        if not inside and frame.f_code.co_filename != "<string>":
            return frame
        frame = frame.f_back
    return None
