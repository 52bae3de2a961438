"""What the offline model says beside a thread: a title, and what the customer may want to say next."""

from __future__ import annotations

import re

from agentui.adapters import ModelRequest, Say, last_user_text

_NEXT = (
    (r"refund", ("Where is my order 1002?", "List my orders", "Thank you!")),
    (r"order", ("Refund order 1002 20 because the cup was broken", "List my orders")),
    (r"table|code|long", ("Show me code", "Show me a table", "Count slowly")),
)


def beside(request: ModelRequest) -> list[Say]:
    """The answer to ``ModelTitles`` and ``ModelSuggestions``."""
    said = re.findall(r"^user: (.*)$", last_user_text(request), re.MULTILINE)
    if "title" in request.instructions:
        return [Say(_title(said[0] if said else ""))]
    last = said[-1] if said else ""
    lines = next((lines for words, lines in _NEXT if re.search(words, last, re.I)), ())
    return [Say("\n".join(line for line in lines if line.lower() != last.lower()))]


def _title(said: str) -> str:
    order = re.search(r"refund.*?(\d{3,})", said, re.I)
    return f"Refund for order {order[1]}" if order else " ".join(said.split()[:6])
