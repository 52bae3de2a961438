"""What is taken from a request of the AI SDK's chat transports. Pure.

A request carries the whole conversation. Of it count: the last message, when it is the user's; the
outputs of the page's calls and the answers to approvals in the last assistant message; the page's
tools. System prompts, call settings, model names and keys, older messages and everything that is said
about calls of the server are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ...exceptions import InvalidInput
from ..items import Row
from ..taking import CallAnswer, GivenDecision
from ..user_parts import file_from_url

CANCELLED_BY_CLIENT = "User cancelled tool call by sending a new message."
"""assistant-ui writes this into every open call before it sends; the server has a rule of its own."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request as it was understood. ``parts`` of the user's new message, None when there is none."""

    chat: str
    trigger: Literal["submit-message", "regenerate-message"] = "submit-message"
    message_id: str | None = None
    parts: list[Row] | None = None
    new_id: str | None = None
    before: tuple[tuple[str, str], ...] | None = ()
    """Role and id of the messages before the last, oldest first; None when they were not sent."""
    last_id: str | None = None
    answers: tuple[CallAnswer, ...] = ()
    decisions: tuple[GivenDecision, ...] = ()
    shown: tuple[Row, ...] = ()
    """The parts that the client has of the last assistant message."""
    shown_id: str | None = None
    tools: list[Row] = field(default_factory=list)
    config: Row = field(default_factory=dict)


def decode_chat(body: Mapping[str, Any]) -> ChatRequest:
    """Understand a body. Raises :class:`InvalidInput` when it has not the form of one."""
    chat = body.get("id")
    if not isinstance(chat, str) or not chat:
        raise InvalidInput("id: the id of the chat is missing.")
    trigger = body.get("trigger", "submit-message")
    if trigger not in ("submit-message", "regenerate-message"):
        raise InvalidInput("trigger must be submit-message or regenerate-message.")
    messages = _messages(body)
    last = messages[-1] if messages else {}
    is_new = last.get("role") == "user" and trigger == "submit-message"
    shown = _continued(messages, _text(body.get("messageId")))
    shown_parts = _parts_of(shown)
    config = body.get("metadata")
    return ChatRequest(
        chat=chat,
        trigger=trigger,
        message_id=_text(body.get("messageId")),
        parts=user_parts(last) if is_new else None,
        new_id=_text(last.get("id")) if is_new else None,
        before=_before(body, messages),
        last_id=_text(last.get("id")),
        answers=tuple(_answers(shown_parts, is_new=is_new)),
        decisions=tuple(_decisions(shown_parts)),
        shown=tuple(shown_parts),
        shown_id=_text(shown.get("id")),
        tools=page_tools(body.get("tools")),
        config=config if isinstance(config, dict) else {},
    )


def user_parts(message: Mapping[str, Any]) -> list[Row]:
    """The parts of a user's message: text and files; whatever else it holds stays with the page."""
    parts: list[Row] = []
    for part in _parts_of(message):
        if part.get("type") == "text" and isinstance(part.get("text"), str):
            parts.append({"type": "text", "text": part["text"]})
        elif part.get("type") == "file":
            parts.append(
                file_from_url(part.get("url"), part.get("mediaType"), part.get("filename"))
            )
    return parts


def page_tools(tools: Any) -> list[Row]:
    """The tools a page offers: ``{name: {description?, parameters}}``, as assistant-ui sends them."""
    if tools is None:
        return []
    if not isinstance(tools, dict):
        raise InvalidInput("tools must be an object of tools by name.")
    offered = []
    for name, tool in tools.items():
        if not isinstance(tool, dict):
            raise InvalidInput(f"tools.{str(name)[:64]} must be an object.")
        given = {key: tool[key] for key in ("description", "parameters") if tool.get(key)}
        offered.append({"name": name, **given})
    return offered


def _messages(body: Mapping[str, Any]) -> list[Row]:
    messages = body.get("messages")
    if messages is None and isinstance(body.get("message"), dict):
        messages = [body["message"]]
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        raise InvalidInput("messages must be a list of messages.")
    return messages


def _before(body: Mapping[str, Any], messages: Sequence[Row]) -> tuple[tuple[str, str], ...] | None:
    if body.get("messages") is None:
        return None
    return tuple((str(one.get("role")), str(one.get("id", ""))) for one in messages[:-1])


def _continued(messages: Sequence[Row], named: str | None) -> Row:
    """The answer that goes on: the one named, which may be an earlier one, or the last."""
    for message in reversed(messages):
        if named is not None and message.get("id") == named and message.get("role") == "assistant":
            return message
    for message in reversed(messages[-2:]):
        if message.get("role") == "assistant":
            return message
    return {}


def _parts_of(message: Mapping[str, Any]) -> list[Row]:
    parts = message.get("parts")
    if not isinstance(parts, list):
        return []
    return [part for part in parts if isinstance(part, dict)]


def is_tool_part(part: Mapping[str, Any]) -> bool:
    kind = part.get("type")
    return isinstance(kind, str) and (kind.startswith("tool-") or kind == "dynamic-tool")


def _answers(parts: Sequence[Row], *, is_new: bool) -> Iterator[CallAnswer]:
    for part in parts:
        call = _text(part.get("toolCallId"))
        if not is_tool_part(part) or call is None:
            continue
        if part.get("state") == "output-available" and not part.get("preliminary"):
            yield CallAnswer(call, result=output_of(part))
        elif part.get("state") == "output-error":
            problem = part.get("errorText")
            problem = problem if isinstance(problem, str) and problem else "The tool failed."
            if not (is_new and problem == CANCELLED_BY_CLIENT):
                yield CallAnswer(call, error=problem)


def _decisions(parts: Sequence[Row]) -> Iterator[GivenDecision]:
    for part in parts:
        approval = part.get("approval")
        if not is_tool_part(part) or not isinstance(approval, dict):
            continue
        given, approved = _text(approval.get("id")), approval.get("approved")
        if part.get("state") != "approval-responded" or given is None:
            continue
        # Anything but a plain yes or no is no decision.
        if isinstance(approved, bool):
            option, reason = _text(approval.get("optionId")), _text(approval.get("reason"))
            yield GivenDecision(given, approved, option=option, reason=reason or "")


def output_of(part: Mapping[str, Any]) -> Any:
    """assistant-ui puts what is for the model next to the value; the value is what is kept."""
    output = part.get("output")
    if isinstance(output, dict) and "__aui_modelContent" in output:
        return output.get("value")
    return output


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
