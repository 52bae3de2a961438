"""The objects of the protocol: a completion, its chunks, its errors. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..items import Row
from .encoder import ChatEncoder

_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    429: "rate_limit_error",
}


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer: for which model, begun when (in seconds)."""

    model: str
    created: int

    def whole(self, encoder: ChatEncoder, deltas: Iterable[Row]) -> Row:
        """The answer of a request without ``stream``."""
        message: Row = {"role": "assistant", "content": None, "refusal": None}
        for delta in deltas:
            for name in ("content", "reasoning_content"):
                if name in delta:
                    message[name] = (message.get(name) or "") + delta[name]
            for call in delta.get("tool_calls", ()):
                plain = {name: value for name, value in call.items() if name != "index"}
                message.setdefault("tool_calls", []).append(plain)
        choice = {
            "index": 0,
            "message": message,
            "finish_reason": encoder.finish_reason,
            "logprobs": None,
        }
        return {
            **self._head(encoder, "chat.completion"),
            "choices": [choice],
            "usage": encoder.usage,
            "agentui": encoder.state,
        }

    def chunk(self, encoder: ChatEncoder, delta: Row, finish_reason: str | None = None) -> str:
        """A piece of a streamed answer. The last one says how it ended."""
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
        state = {"agentui": encoder.state} if finish_reason else {}
        return sse({**self._head(encoder, "chat.completion.chunk"), "choices": [choice], **state})

    def usage_chunk(self, encoder: ChatEncoder) -> str:
        """What ``stream_options.include_usage`` asks for, after the last piece."""
        head = self._head(encoder, "chat.completion.chunk")
        return sse({**head, "choices": [], "usage": encoder.usage})

    def _head(self, encoder: ChatEncoder, kind: str) -> Row:
        return {
            "id": f"chatcmpl-{encoder.message_id.replace('-', '')}",
            "object": kind,
            "created": self.created,
            "model": self.model,
        }


def error_body(message: str, code: str, status: int, param: str | None = None) -> Row:
    """An error as OpenAI's clients read it."""
    kind = "server_error" if status >= 500 else _TYPES.get(status, "invalid_request_error")
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def sse(value: Any) -> str:
    return f"data: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n\n"
