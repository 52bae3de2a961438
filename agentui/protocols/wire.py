"""JSON as it goes over the wire. Pure."""

from __future__ import annotations

import json
from typing import Any

#: What ends a stream of server-sent events for those clients that wait for a word.
DONE = "data: [DONE]\n\n"

# Line ends to some readers, though not in JSON; every frame of ours is one line to all of them.
_LINE_ENDS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\u0085\u2028\u2029"}


def compact(value: Any) -> str:
    """The value on one line, in as few characters as JSON needs."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_LINE_ENDS) if not text.isascii() else text


def sse(value: Any) -> str:
    """The value as one server-sent event."""
    return f"data: {compact(value)}\n\n"
