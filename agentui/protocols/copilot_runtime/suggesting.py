"""What the user could say next, as CopilotKit asks for it: a run that must call ``copilotkitSuggest``.

Its thread is made up for the purpose, so none is begun here. Answered are the texts that the agent has
for this (``Agent(suggestions=...)``).
"""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncGenerator
from typing import Any

from ...agents import registry

_TOOL = "copilotkitSuggest"


def is_asked(data: dict[str, Any]) -> bool:
    """Is this run one for suggestions?"""
    match data.get("forwardedProps"):
        case {"toolChoice": {"function": {"name": name}}}:
            return bool(name == _TOOL)
    return False


async def suggestions(agent: str, data: dict[str, Any]) -> AsyncGenerator[str, None]:
    """The events of such a run."""
    from ag_ui.core import (
        RunFinishedEvent,
        RunStartedEvent,
        ToolCallArgsEvent,
        ToolCallEndEvent,
        ToolCallStartEvent,
    )
    from ag_ui.encoder import EventEncoder

    encode = EventEncoder().encode
    ids: dict[str, Any] = {"thread_id": str(data.get("threadId")), "run_id": str(data.get("runId"))}
    yield encode(RunStartedEvent(**ids))
    if found := texts(agent):
        call = str(uuid.uuid4())
        args = {"suggestions": [{"title": text, "message": text} for text in found]}
        yield encode(ToolCallStartEvent(tool_call_id=call, tool_call_name=_TOOL))
        yield encode(ToolCallArgsEvent(tool_call_id=call, delta=json.dumps(args)))
        yield encode(ToolCallEndEvent(tool_call_id=call))
    yield encode(RunFinishedEvent(**ids))


def texts(agent: str) -> list[str]:
    """The texts that this agent proposes. Raises :class:`UnknownAgent`."""
    given = registry.get(agent).suggestions
    if not isinstance(given, (list, tuple)):
        return []
    return [text for text in given if isinstance(text, str)]
