"""What a client of each protocol posts."""

from __future__ import annotations

import uuid
from typing import Any

P = "/agentui/protocols"


def requests(text: str, agent: str = "helper") -> dict[str, tuple[str, dict[str, Any]]]:
    """The same new message in a thread of its own, as address and body for each protocol."""
    said = {"id": "1", "role": "user", "content": text}
    parts = [{"type": "text", "text": text}]
    shown = {"id": "1", "role": "user", "parts": parts}
    ag_ui = {"threadId": str(uuid.uuid4()), "runId": "1", "messages": [said]}
    command = {"type": "add-message", "message": {"role": "user", "parts": parts}}
    transport = {"commands": [command], "threadId": str(uuid.uuid4())}
    return {
        "ag-ui": (f"{P}/ag-ui/{agent}", ag_ui),
        "copilotkit": (
            f"{P}/copilotkit/agent/{agent}/run",
            {**ag_ui, "threadId": str(uuid.uuid4())},
        ),
        "ai-sdk": (f"{P}/ai-sdk/{agent}/chat", {"id": str(uuid.uuid4()), "messages": [shown]}),
        "plain-text": (
            f"{P}/plain-text/{agent}/chat",
            {"id": str(uuid.uuid4()), "messages": [shown]},
        ),
        "data-stream": (
            f"{P}/data-stream/{agent}/run",
            {"messages": [{"role": "user", "content": parts}]},
        ),
        "transport": (f"{P}/assistant-transport/{agent}/run", transport),
        "transport-sse": (
            f"{P}/assistant-transport/{agent}/run?protocol=assistant-transport",
            {**transport, "threadId": str(uuid.uuid4())},
        ),
        "openai": (
            f"{P}/openai/v1/chat/completions",
            {"model": agent, "messages": [said], "stream": True},
        ),
    }
