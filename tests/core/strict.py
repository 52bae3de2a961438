"""What strict providers refuse, as two verifiers of a request.

Both raise ``AssertionError`` with the provider's complaint. They look at the shapes that an adapter
sends: OpenAI's chat messages and Anthropic's messages.
"""

from __future__ import annotations

import json
from typing import Any

from agentui.core.history import RequestMessage, RequestToolCall, RequestToolResult
from agentui.core.parts import FilePart, ReasoningPart, TextPart

Shape = list[dict[str, Any]]


def verify(history: tuple[RequestMessage, ...]) -> None:
    """Raise unless both kinds of provider take the history."""
    verify_openai(openai_shape(history))
    verify_anthropic(anthropic_shape(history))


# OpenAI


def openai_shape(history: tuple[RequestMessage, ...]) -> Shape:
    shape: Shape = []
    for message in history:
        if message.role == "tool":
            shape += [
                {"role": "tool", "tool_call_id": part.id, "content": part.content}
                for part in message.parts
                if isinstance(part, RequestToolResult)
            ]
            continue
        calls = [
            {"id": part.id, "function": {"name": part.name, "arguments": part.args_text}}
            for part in message.parts
            if isinstance(part, RequestToolCall)
        ]
        content = [part.text for part in message.parts if isinstance(part, TextPart)]
        files = [part.data for part in message.parts if isinstance(part, FilePart)]
        shape.append({"role": message.role, "content": content + files, "tool_calls": calls})
    return shape


def verify_openai(shape: Shape) -> None:
    owed: list[str] = []
    for message in shape:
        if message["role"] == "tool":
            assert message["tool_call_id"] in owed, "tool message without its call before it"
            owed.remove(message["tool_call_id"])
            assert message["content"], "tool message without content"
            continue
        assert not owed, f"tool_call_ids did not have response messages: {owed}"
        calls = message.get("tool_calls") or []
        assert message["content"] or calls, "message without content and calls"
        assert all(text.strip() for text in message["content"]), "blank content"
        for call in calls:
            assert call["function"]["name"], "call without a name"
            assert isinstance(json.loads(call["function"]["arguments"]), dict), "arguments"
        owed = [call["id"] for call in calls]
        assert all(owed), "call without an id"
        assert len(set(owed)) == len(owed), "two calls with one id"
    assert not owed, f"tool_call_ids did not have response messages: {owed}"


# Anthropic


def anthropic_shape(history: tuple[RequestMessage, ...]) -> Shape:
    """System messages go elsewhere; neighbours of one role are one message, as the server joins them."""
    shape: Shape = []
    for message in history:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        blocks = [_block(part) for part in message.parts]
        if shape and shape[-1]["role"] == role:
            shape[-1]["content"] += blocks
        else:
            shape.append({"role": role, "content": blocks})
    return shape


def _block(part: Any) -> dict[str, Any]:
    match part:
        case TextPart():
            return {"type": "text", "text": part.text}
        case ReasoningPart():
            return {"type": "thinking", "thinking": part.text, **(part.provider_metadata or {})}
        case FilePart():
            return {"type": "document", "data": part.data}
        case RequestToolCall():
            arguments = json.loads(part.args_text)
            return {"type": "tool_use", "id": part.id, "name": part.name, "input": arguments}
        case RequestToolResult():
            return {"type": "tool_result", "tool_use_id": part.id, "content": part.content}
    raise AssertionError(part)


def verify_anthropic(shape: Shape) -> None:
    if not shape:
        return
    assert shape[0]["role"] == "user", "the first message must be the user's"
    used: set[str] = set()
    owed: list[str] = []
    for message in shape:
        blocks = message["content"]
        assert blocks, "message without content"
        assert not any(_is_blank(block) for block in blocks), (
            "text content blocks must be non-empty"
        )
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        assert sorted(answered) == sorted(owed), f"tool_use {owed} was answered by {answered}"
        kinds = [block["type"] for block in blocks]
        if message["role"] == "user":
            results = len(answered)
            assert set(kinds[:results]) <= {"tool_result"}, "tool results come first"
            owed = []
            continue
        assert kinds[-1] != "thinking", "the final block cannot be thinking"
        owed = [block["id"] for block in blocks if block["type"] == "tool_use"]
        assert not used & set(owed), "tool_use ids must be unique"
        assert len(set(owed)) == len(owed), "tool_use ids must be unique"
        used |= set(owed)
        if owed:
            assert set(kinds[kinds.index("tool_use") :]) == {"tool_use"}, "text after a tool_use"
        assert all(isinstance(block.get("input", {}), dict) for block in blocks), "input"
    assert not owed, f"tool_use ids without tool_result: {owed}"


def _is_blank(block: dict[str, Any]) -> bool:
    return block["type"] == "text" and not block["text"].strip()
