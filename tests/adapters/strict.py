"""What OpenAI and Anthropic refuse with HTTP 400, written down as checks of a request body."""

from __future__ import annotations

import json
from typing import Any

Body = dict[str, Any]


def check_openai(body: Body) -> None:
    """A Chat Completions request, as strict as the strictest server that speaks it."""
    open_ids: list[str] = []
    for message in body["messages"]:
        role, content = message["role"], message.get("content")
        if open_ids:
            assert role == "tool", "a call is followed by anything but its result"
        if role == "tool":
            assert message["tool_call_id"] in open_ids, "a result without its call"
            open_ids.remove(message["tool_call_id"])
            assert content.strip()
        elif role == "assistant":
            calls = message.get("tool_calls", [])
            open_ids = [call["id"] for call in calls]
            assert len(set(open_ids)) == len(open_ids)
            assert "tool_calls" not in message or calls, "an empty list of calls"
            assert calls if content is None else content.strip()
            for call in calls:
                assert call["id"]
                assert call["function"]["name"]
                assert isinstance(json.loads(call["function"]["arguments"]), dict)
        else:
            assert role in ("system", "developer", "user")
            _check_blocks(content)
    assert not open_ids, "a call has no result"
    json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def check_anthropic(body: Body) -> None:
    """A Messages request."""
    messages = body["messages"]
    assert messages[0]["role"] == "user"
    open_ids: list[str] = []
    for number, message in enumerate(messages):
        blocks = message["content"]
        if isinstance(blocks, str):
            blocks = [{"type": "text", "text": blocks}]
        assert blocks, "an empty message"
        kinds = [block["type"] for block in blocks]
        _check_blocks(blocks)
        if message["role"] == "user":
            results = [block for block in blocks if block["type"] == "tool_result"]
            assert sorted(block["tool_use_id"] for block in results) == sorted(open_ids)
            assert kinds[: len(results)] == ["tool_result"] * len(results), "results come first"
            for block in results:
                _check_blocks(block["content"])
            open_ids = []
        else:
            assert not open_ids
            assert number == 0 or messages[number - 1]["role"] == "user"
            uses = [block for block in blocks if block["type"] == "tool_use"]
            assert kinds[len(kinds) - len(uses) :] == ["tool_use"] * len(uses), "calls come last"
            assert all(isinstance(block["input"], dict) for block in uses)
            open_ids = [block["id"] for block in uses]
            for block in blocks:
                assert block["type"] != "thinking" or block["signature"]
    assert not open_ids, "a call has no result"
    assert messages[-1]["role"] == "user"
    json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def check_responses(body: Body) -> None:
    """A request to the Responses API."""
    called: list[str] = []
    for item in body["input"]:
        kind = item.get("type", "message")
        if kind == "function_call":
            assert isinstance(json.loads(item["arguments"]), dict)
            assert item["call_id"] not in called
            called.append(item["call_id"])
        elif kind == "function_call_output":
            assert item["call_id"] in called, "a result without its call"
            called.remove(item["call_id"])
            _check_blocks(item["output"])
        elif kind == "message":
            assert not called, "a call has no result"
            _check_blocks(item["content"])
        else:
            assert kind == "reasoning"
    assert not called
    json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def _check_blocks(content: Any) -> None:
    if isinstance(content, str):
        assert content.strip(), "blank text"
        return
    assert content
    for block in content:
        if block["type"] == "text":
            assert block["text"].strip(), "a blank text block"
