"""What the model is sent: the thread's messages as requests of one roundtrip each.

The rules:

- An assistant message is cut where its roundtrips began (``metadata.steps``). Each piece becomes one
  assistant message, its calls last, and right after it one tool message with the answers, in the
  order of the calls. Without steps it is cut where text follows a call.
- Every call has exactly one answer: its result, or the true words that it still waits. A call that
  still streams, or a call without a name, has none and raises: nothing is repaired in silence.
- Blank text is left out; a user's message never is, nor is a tool's answer: they say that they are
  empty. A thought that nothing follows is left out: it was cut off before it led to anything.
- Reasoning, files an assistant made, and a provider's own data go back unchanged to the model that
  wrote them, and to no other.
- Arguments go back as they were written. Text that is no JSON object is wrapped in one, under
  ``INVALID_JSON``, for some providers parse it; the call's answer says what was wrong.
- Call ids are the provider's, unchanged. One that stands in the request already (providers that
  count from zero) gives way to the call's own row id.
- Sources, data parts and artifacts are for the page. Events are told in the user's place, marked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol, TypeVar

from . import texts
from .clean import TooDeep, clean, clean_text
from .partial_json import ArgumentsError, load_args
from .parts import FilePart, Message, Part, ReasoningPart, TextPart, ToolCallPart
from .statuses import Reason, Role, ToolCallStatus
from .values import Json, Value

INVALID_JSON = "INVALID_JSON"
_SHOWN_INVALID = 4_000

RequestRole = Literal["system", "user", "assistant", "tool"]


class HistoryError(ValueError):
    """The thread cannot be sent: a call in it has no answer, or no name."""


@dataclass(frozen=True, slots=True)
class RequestToolCall(Value):
    """A call the model made. ``args_text`` is one JSON object."""

    id: str
    name: str
    args_text: str
    type: Literal["tool_call"] = "tool_call"
    provider_metadata: dict[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class RequestToolResult(Value):
    """The answer to the call ``id``: a text that is not blank, or a list of text and file objects."""

    id: str
    name: str
    content: str | list[Json]
    type: Literal["tool_result"] = "tool_result"
    is_error: bool = False


RequestPart = TextPart | ReasoningPart | FilePart | RequestToolCall | RequestToolResult


@dataclass(frozen=True, slots=True)
class RequestMessage(Value):
    """One message of a request."""

    role: RequestRole
    parts: tuple[RequestPart, ...]


def build_history(messages: Sequence[Message], *, model: str | None) -> tuple[RequestMessage, ...]:
    """The request for ``model``. Raises :class:`HistoryError` rather than sending half a thread."""
    used: set[str] = set()
    history: list[RequestMessage] = []
    for message in messages:
        match message.role:
            case Role.SYSTEM:
                history += _spoken("system", _written(message))
            case Role.USER:
                parts = _written(message) or (TextPart(texts.EMPTY_USER_MESSAGE),)
                history += _spoken("user", parts)
            case Role.EVENT:
                history += _spoken("user", (TextPart(texts.event(message.text)),))
            case Role.ASSISTANT:
                for piece in _roundtrips(message):
                    history += _exchange(message, piece, model, used)
    return tuple(history)


class _HasRole(Protocol):
    @property
    def role(self) -> str: ...


_M = TypeVar("_M", bound=_HasRole)


def window(messages: Sequence[_M], limit: int | None) -> tuple[_M, ...]:
    """The newest messages, at most ``limit`` of them, starting where somebody spoke to the model.

    It takes messages of a thread, or of a request: a tool message is never cut from its calls.
    System messages stay, and do not count. The last exchange stays whole, however long it is.
    """
    spoken = [at for at, message in enumerate(messages) if message.role != "system"]
    starts = [at for at in spoken if messages[at].role in ("user", "event")]
    if limit is None or not starts:
        return tuple(messages)
    oldest = spoken[-limit:][0] if limit > 0 else len(messages)
    start = next((at for at in starts if at >= oldest), starts[-1])
    return tuple(
        message for at, message in enumerate(messages) if at >= start or message.role == "system"
    )


# What people and the application said


def _spoken(role: RequestRole, parts: tuple[RequestPart, ...]) -> list[RequestMessage]:
    return [RequestMessage(role, parts)] if parts else []


def _written(message: Message) -> tuple[TextPart | FilePart, ...]:
    """Text and files, as anybody may have sent them: a provider's data is no part of it."""
    kept = (part for part in message.parts if isinstance(part, TextPart | FilePart))
    return tuple(
        TextPart(part.text) if isinstance(part, TextPart) else part
        for part in kept
        if not _is_blank(part)
    )


# What the model said


def _roundtrips(message: Message) -> Iterator[tuple[Part, ...]]:
    """The parts of the message, cut where its roundtrips began."""
    parts = message.parts
    if message.metadata.steps:
        starts = {step.start for step in message.metadata.steps}
    else:
        starts = {
            at
            for at in range(1, len(parts))
            if isinstance(parts[at - 1], ToolCallPart) and not isinstance(parts[at], ToolCallPart)
        }
    cuts = sorted({0, len(parts)} | {start for start in starts if 0 < start < len(parts)})
    return (parts[start:end] for start, end in pairwise(cuts))


def _exchange(
    message: Message, piece: tuple[Part, ...], model: str | None, used: set[str]
) -> list[RequestMessage]:
    """One roundtrip: what the model said, and the answers to its calls."""
    same_model = message.model is not None and message.model == model
    said = [sent for part in piece if (sent := _as_said(part, same_model))]
    calls, answers = [], []
    for part in piece:
        if isinstance(part, ToolCallPart):
            call_id = _id_for(part, used)
            calls.append(_call(part, call_id, same_model))
            answers.append(_answer(part, call_id))
    if calls:
        return [
            RequestMessage("assistant", (*said, *calls)),
            RequestMessage("tool", tuple(answers)),
        ]
    while said and isinstance(said[-1], ReasoningPart):
        said.pop()
    return _spoken("assistant", tuple(said))


def _is_blank(part: Part) -> bool:
    match part:
        case TextPart(text=text):
            return not text.strip()
        case ReasoningPart(text=text, provider_metadata=metadata):
            return not text.strip() and not metadata  # A redacted thought has no words.
        case _:
            return False


def _as_said(part: Part, same_model: bool) -> TextPart | ReasoningPart | FilePart | None:
    if _is_blank(part):
        return None
    match part:
        case TextPart() | ReasoningPart() | FilePart() if same_model:
            return part
        case TextPart(text=text):
            return TextPart(text)
        case _:
            return None


def _id_for(call: ToolCallPart, used: set[str]) -> str:
    call_id = call.id if call.tool_call_id in used else call.tool_call_id
    if not call_id or not call.tool_name or call_id in used:
        raise HistoryError(
            f"The call {call.id!r} to {call.tool_name!r} has no id or name of its own"
        )
    used.add(call_id)
    return call_id


def _call(call: ToolCallPart, call_id: str, same_model: bool) -> RequestToolCall:
    return RequestToolCall(
        id=call_id,
        name=call.tool_name,
        args_text=_sendable(call.args_text),
        provider_metadata=call.provider_metadata if same_model else None,
    )


def _sendable(args_text: str) -> str:
    """One JSON object: the exact text if it is one that every JSON reader takes."""
    if not args_text.strip():
        return "{}"
    try:
        written = load_args(args_text)
        cleaned = clean(written)
    except (ArgumentsError, TooDeep):
        text = clean_text(args_text)
        if len(text) > _SHOWN_INVALID:
            text = f"{text[:_SHOWN_INVALID]} ... ({len(text)} characters)"
        return json.dumps({INVALID_JSON: text}, ensure_ascii=False)
    return args_text if cleaned == written else json.dumps(cleaned, ensure_ascii=False)


# What the calls were answered


def _answer(call: ToolCallPart, call_id: str) -> RequestToolResult:
    if call.status is ToolCallStatus.STREAMING:
        raise HistoryError(f"The call {call.id!r} to {call.tool_name!r} is still being written")
    if not call.has_result:
        return RequestToolResult(call_id, call.tool_name, texts.waiting(call.status))
    return RequestToolResult(
        call_id,
        call.tool_name,
        _content(call),
        is_error=call.is_error or call.status is not ToolCallStatus.COMPLETE,
    )


def _content(call: ToolCallPart) -> str | list[Json]:
    value = call.result if call.model_content is None else call.model_content
    match value:
        case None:
            return _outcome(call)
        case str():
            return value if value.strip() else texts.EMPTY_OUTPUT
        case [{"type": "text" | "file"}, *_] if value is call.model_content:
            kept = [item for item in value if item.get("type") != "text" or item["text"].strip()]
            return kept or texts.EMPTY_OUTPUT
        case _:
            return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _outcome(call: ToolCallPart) -> str:
    """The words for a call that ended without any of its own."""
    match call.status:
        case ToolCallStatus.DENIED:
            return texts.denied(call.approval.reason if call.approval else None)
        case ToolCallStatus.EXPIRED:
            return texts.EXPIRED
        case ToolCallStatus.INTERRUPTED:
            return texts.INTERRUPTED
        case ToolCallStatus.CANCELLED:
            return texts.not_run(Reason.CANCELLED)
        case _:
            return texts.EMPTY_OUTPUT
