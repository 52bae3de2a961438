"""What a request to ``/v1/chat/completions`` may say. Pure.

Unknown fields are passed over, as clients send all kinds: sampling and the like are the agent's to
say. Fields that would change what the answer is are refused where they cannot be had (``n``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.clean import TooDeep, clean
from ...exceptions import InvalidInput
from ..items import Row
from ..user_parts import file_from_url

_MOST_MESSAGES = 2000
_CALL = "call_"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message that the client says was there before: its words, and its files by their digest."""

    role: str
    text: str
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """A ``tool`` message behind the last assistant message. ``call`` is the id of a row."""

    call: str
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """``parts`` are those of the new user message, empty when there is none."""

    model: str
    earlier: tuple[Spoken, ...]
    parts: list[Row]
    answers: tuple[ToolAnswer, ...]
    tools: list[Row]
    thread: str | None
    is_stream: bool
    has_usage: bool
    digest: str


def decode_chat(body: Row) -> ChatRequest:
    """The request. Raises :class:`InvalidInput` with ``param``, the field that is wrong."""
    try:
        body = clean(body)
    except TooDeep as error:
        raise InvalidInput(str(error)) from None
    messages = _list(body, "messages")
    if not messages or len(messages) > _MOST_MESSAGES:
        raise _wrong("messages", f"Give 1 to {_MOST_MESSAGES} messages.")
    if body.get("n") not in (None, 1):
        raise _wrong("n", "There is one choice for each request.")
    if "functions" in body:
        raise _wrong("functions", "Use tools instead of functions.")
    if not isinstance(body.get("model"), str):
        raise _wrong("model", "model is the name of an agent.")
    options = body.get("stream_options")
    start = _after_last_assistant(messages)
    parts, answers = _new(messages[start:])
    return ChatRequest(
        model=body["model"],
        earlier=tuple(_spoken(messages[:start])),
        parts=parts,
        answers=tuple(answers),
        tools=[] if body.get("tool_choice") == "none" else _tools(body),
        thread=_thread(body),
        is_stream=body.get("stream") is True,
        has_usage=isinstance(options, dict) and options.get("include_usage") is True,
        digest=hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest(),
    )


def client_id(call: str) -> str:
    """A call's id as the client sees it; at most 40 characters, as some clients check."""
    return _CALL + call.replace("-", "")


def _after_last_assistant(messages: Sequence[Any]) -> int:
    last = 0
    for index, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise _wrong(f"messages[{index}]", "A message is an object with a role.")
        if message["role"] == "assistant":
            last = index + 1
    return last


def _new(messages: Sequence[Row]) -> tuple[list[Row], list[ToolAnswer]]:
    parts: list[Row] = []
    answers: dict[str, ToolAnswer] = {}
    for message in messages:
        match message["role"]:
            case "user":
                parts += _user_parts(message.get("content"))
            case "tool":
                named = message.get("tool_call_id")
                if not isinstance(named, str):
                    raise _wrong("messages", "A tool message needs its tool_call_id.")
                call = named.removeprefix(_CALL)
                # The first answer to a call stands, also within one request.
                answers.setdefault(call, ToolAnswer(call, _text(message.get("content"))))
            case "system" | "developer":
                continue
            case role:
                raise _wrong("messages", f"There are no messages with the role {role[:50]!r}.")
    return parts, list(answers.values())


def _spoken(messages: Sequence[Row]) -> Iterator[Spoken]:
    for message in messages:
        content = message.get("content")
        if message["role"] == "assistant":
            yield Spoken("assistant", _text(content))
        elif message["role"] == "user":
            yield spoken_by_user(_user_parts(content))


def spoken_by_user(parts: Sequence[Row]) -> Spoken:
    """A user message's parts, ready to be compared."""
    return Spoken(
        "user",
        "".join(part["text"] for part in parts if part["type"] == "text"),
        tuple(file_digest(part) for part in parts if part["type"] == "file"),
    )


def file_digest(part: Row) -> str:
    """What a file is compared by."""
    return hashlib.sha256(str(part.get("data") or part.get("url")).encode()).hexdigest()


def _user_parts(content: Any) -> list[Row]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    if not isinstance(content, list):
        raise _wrong("messages", "A user message needs content.")
    return [_user_part(part) for part in content]


def _user_part(part: Any) -> Row:
    match part:
        case {"type": "text", "text": str(text)}:
            return {"type": "text", "text": text}
        case {"type": "image_url", "image_url": {"url": url}}:
            return file_from_url(url)
        case {"type": "file", "file": {"file_data": data, **rest}}:
            return file_from_url(data, filename=rest.get("filename"))
    kind = part.get("type") if isinstance(part, dict) else part
    raise _wrong("messages", f"Content of the type {str(kind)[:50]!r} is not taken here.")


def _text(content: Any) -> str:
    """The words of an assistant or tool message; what is not words is passed over."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


def _tools(body: Row) -> list[Row]:
    found = []
    for tool in _list(body, "tools"):
        match tool:
            case {"type": "function", "function": {"name": str(name), **rest}}:
                found.append(
                    {
                        "name": name,
                        "description": rest.get("description") or "",
                        "parameters": rest.get("parameters")
                        or {"type": "object", "properties": {}},
                    }
                )
            case _:
                raise _wrong("tools", "Only tools of the type function are taken.")
    return found


def _thread(body: Row) -> str | None:
    metadata = body.get("metadata")
    named = body.get("thread")
    if named is None and isinstance(metadata, dict):
        named = metadata.get("thread")
    if named is not None and not isinstance(named, str):
        raise _wrong("thread", "thread must be a string.")
    return named


def _list(body: Row, name: str) -> list[Any]:
    value = body.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise _wrong(name, f"{name} must be a list.")
    return value


def _wrong(param: str, text: str) -> InvalidInput:
    return InvalidInput(text, param=param)
