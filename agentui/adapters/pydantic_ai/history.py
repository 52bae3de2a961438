"""Our request messages as pydantic-ai's, and what a provider wants back with them.

Reasoning, signatures and ids of a provider go back byte for byte to the model at the address they
came from, or not at all. A digest over the text they belong to shows whether somebody changed it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pydantic_core
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    ThinkingPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.messages import ModelRequest as PydanticRequest
from pydantic_ai.messages import TextPart as PydanticText
from pydantic_ai.messages import ToolCallPart as PydanticCall
from pydantic_ai.models import Model

from agentui.core.clean import TooDeep, clean
from agentui.core.history import RequestMessage, RequestToolCall, RequestToolResult
from agentui.core.parts import FilePart, ReasoningPart, TextPart
from agentui.core.texts import EMPTY_OUTPUT
from agentui.core.values import Json

KEY = "pydantic_ai"
"""Where all of it stands in ``provider_metadata``."""

#: Providers with a flag of their own for a tool's error; the others get the words alone.
_ERROR_FLAG = frozenset({"anthropic", "bedrock", "google", "google-cloud"})


@dataclass(frozen=True, slots=True)
class Origin:
    """The model that is asked, where it is asked. ``stamp`` is the same only for the same two."""

    system: str
    base_url: str | None
    stamp: str
    channel: Literal["field", "signed", "none"] = "signed"
    """How the model takes its reasoning back; in any other way it would become text."""

    @classmethod
    def of(cls, model: Model[Any], name: str) -> Origin:
        base_url = model.base_url
        # A digest, because the address may carry a password and this is stored.
        stamp = _digest(f"{name}\n{model.system}\n{model.model_name}\n{base_url}")[:16]
        return cls(model.system, base_url, stamp, _channel(model))


def metadata_of(part: ModelResponsePart, text: str, origin: Origin) -> dict[str, Json] | None:
    """What has to go back to the provider with ``part``, for storing; None when nothing has."""
    kept = {
        "id": getattr(part, "id", None),
        "signature": getattr(part, "signature", None),
        "provider_name": getattr(part, "provider_name", None),
        "provider_details": getattr(part, "provider_details", None),
    }
    kept = {name: value for name, value in kept.items() if value}
    if not kept.keys() - {"provider_name"}:
        return None
    plain = pydantic_core.to_jsonable_python(kept, serialize_unknown=True)
    try:
        if clean(plain) != plain:
            return None  # It could not be stored unchanged, so it is worth nothing.
    except (TooDeep, TypeError):
        return None
    return {KEY: {**plain, "origin": origin.stamp, "text": _digest(text)}}


def to_model_messages(
    messages: Sequence[RequestMessage], *, origin: Origin, resend_reasoning: bool
) -> list[ModelMessage]:
    """The messages for ``origin``. What follows one another on our side becomes one request."""
    found: list[ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            parts = list(_said(message, origin, resend_reasoning))
            if parts:
                found.append(
                    ModelResponse(
                        parts=parts, provider_name=origin.system, provider_url=origin.base_url
                    )
                )
            continue
        asked = _asked(message, origin)
        last = found[-1] if found else None
        if isinstance(last, PydanticRequest):
            found[-1] = PydanticRequest(parts=[*last.parts, *asked])
        elif asked:
            found.append(PydanticRequest(parts=asked))
    return found


def call_ids(messages: Iterable[RequestMessage]) -> frozenset[str]:
    """The ids of the calls in a request."""
    return frozenset(
        part.id
        for message in messages
        for part in message.parts
        if isinstance(part, RequestToolCall)
    )


# What the model said


def _said(
    message: RequestMessage, origin: Origin, resend_reasoning: bool
) -> Iterable[ModelResponsePart]:
    for part in message.parts:
        match part:
            case TextPart(text=text) if text.strip():
                yield PydanticText(text, **_without_signature(_kept(part, text, origin)))
            case ReasoningPart(text=text):
                kept = _kept(part, text, origin)
                if _goes_back(kept, origin, resend_reasoning):
                    yield ThinkingPart(text, **kept)
            case RequestToolCall():
                kept = _without_signature(_kept(part, part.args_text, origin))
                yield PydanticCall(part.name, part.args_text, part.id, **kept)
            case _:
                pass


def _kept(part: Any, text: str, origin: Origin) -> dict[str, Any]:
    kept = dict((part.provider_metadata or {}).get(KEY) or {})
    if kept.pop("origin", None) != origin.stamp or kept.pop("text", None) != _digest(text):
        return {}
    return kept


def _without_signature(kept: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in kept.items() if name != "signature"}


def _goes_back(kept: dict[str, Any], origin: Origin, resend_reasoning: bool) -> bool:
    if origin.channel != "field":
        return origin.channel == "signed" and bool(kept.get("signature"))
    if kept.get("id") == "content":
        return False  # It came as tags in the answer, and would go back as text.
    return bool(kept.get("signature")) or (resend_reasoning and bool(kept.get("id")))


def _channel(model: Model[Any]) -> Literal["field", "signed", "none"]:
    kinds = {kind.__name__ for kind in type(model).__mro__}
    if "OpenAIChatModel" in kinds:
        return "field"
    if "OpenAIResponsesModel" in kinds and not model.profile.get(
        "openai_supports_encrypted_reasoning_content", False
    ):
        return "none"
    return "signed"


# What the model is asked


def _asked(message: RequestMessage, origin: Origin) -> list[ModelRequestPart]:
    if message.role == "system":
        texts = [part.text for part in message.parts if isinstance(part, TextPart)]
        return [SystemPromptPart("\n\n".join(texts))] if texts else []
    if message.role == "tool":
        return [
            _tool_return(part, origin)
            for part in message.parts
            if isinstance(part, RequestToolResult)
        ]
    contents = [
        part.text if isinstance(part, TextPart) else _file(part)
        for part in message.parts
        if isinstance(part, FilePart) or (isinstance(part, TextPart) and part.text.strip())
    ]
    if not contents:
        return []
    if len(contents) == 1 and isinstance(contents[0], str):
        return [UserPromptPart(contents[0])]
    return [UserPromptPart(contents)]


def _tool_return(result: RequestToolResult, origin: Origin) -> ToolReturnPart:
    content: Any = result.content
    if isinstance(content, list):
        content = [item for item in map(_item, content) if not _is_blank(item)]
    if not content or _is_blank(content):
        content = EMPTY_OUTPUT
    failed = result.is_error and origin.system in _ERROR_FLAG
    return ToolReturnPart(
        result.name, content, result.id, outcome="failed" if failed else "success"
    )


def _is_blank(content: object) -> bool:
    return isinstance(content, str) and not content.strip()


def _item(item: Json) -> Any:
    match item:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "file"}:
            return _file(FilePart.from_json(item))
        case _:
            return json.dumps(item, ensure_ascii=False)


def _file(part: FilePart) -> UserContent:
    """The file itself when the request carries it. An address is named, never fetched from here."""
    data = part.data
    if data.startswith("data:") and ";base64," in data:
        data = data.partition(";base64,")[2]
    if part.source_type != "url" and "://" not in data:
        try:
            content = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            pass
        else:
            return BinaryContent(content, media_type=part.mime_type)
    return f"[File: {part.filename or 'unnamed'}, {part.mime_type}; its content is not included]"


def _digest(text: str) -> str:
    # UTF-16, so that a pair whose halves came apart counts as its character.
    return hashlib.sha256(text.encode("utf-16-le", "surrogatepass")).hexdigest()
