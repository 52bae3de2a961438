"""What is taken from a request of assistant-ui's ``useDataStreamRuntime``. Pure.

The messages are prompts for a model, without ids and without approvals. Of them count: the last one,
when it is the user's, and the results at the very end, when they are of calls of ours. ``approvals``
is an addition of this server's, for the page's ``body``: the stock request does not carry decisions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...exceptions import InvalidInput
from ..items import Row
from ..taking import CallAnswer, GivenDecision
from ..ui_message_stream.decoder import page_tools
from ..user_parts import file_from_url

CLOSED_BY_CLIENT = "Tool call was not completed"
"""What the client itself writes behind a call that has no result yet."""


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """A request as it was understood."""

    thread: str | None
    parts: list[Row] | None = None
    user_id: str | None = None
    """What the client calls the last user message, if it says."""
    before: tuple[tuple[str, str], ...] = ()
    answers: tuple[CallAnswer, ...] = ()
    decisions: tuple[GivenDecision, ...] = ()
    calls: tuple[str, ...] = ()
    """Ids of all calls in the messages, in order."""
    shown: tuple[tuple[str, str], ...] = ()
    """``("text", text)`` and ``("tool_call", id)`` of the unfinished answer at the end."""
    tools: list[Row] = field(default_factory=list)
    config: Row = field(default_factory=dict)


def decode_prompt(body: Mapping[str, Any]) -> PromptRequest:
    """Understand a body. Raises :class:`InvalidInput` when it has not the form of one."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        raise InvalidInput("messages must be a list of messages.")
    messages = [one for one in messages if one.get("role") != "system"]
    last = messages[-1] if messages else {}
    is_users = last.get("role") == "user"
    thread = body.get("threadId")
    if thread is not None and not isinstance(thread, str):
        raise InvalidInput("threadId must be a string.")
    config = body.get("runConfig")
    tail = [] if is_users else _tail(messages)
    return PromptRequest(
        thread=thread or None,
        parts=_user_parts(last) if is_users else None,
        user_id=_user_id(body, last) if is_users else None,
        before=tuple((str(m.get("role")), str(m.get("unstable_id", ""))) for m in messages[:-1]),
        answers=tuple(_answers(tail)),
        decisions=tuple(given_decisions(body.get("approvals"))),
        calls=tuple(_calls(messages)),
        shown=tuple(_shown(tail)),
        tools=page_tools(body.get("tools")),
        config=config if isinstance(config, dict) else {},
    )


def given_decisions(approvals: Any) -> Iterator[GivenDecision]:
    """``[{"id", "approved"?, "optionId"?, "reason"?}]``; entries of another form are passed over."""
    for given in approvals if isinstance(approvals, list) else ():
        if not isinstance(given, dict) or not isinstance(given.get("id"), str):
            continue
        approved, option = given.get("approved"), given.get("optionId")
        option = option if isinstance(option, str) and option else None
        if isinstance(approved, bool) or (approved is None and option):
            reason = given.get("reason")
            reason = reason if isinstance(reason, str) else ""
            yield GivenDecision(given["id"], approved, option=option, reason=reason)


def _tail(messages: Sequence[Row]) -> list[Row]:
    """The unfinished answer: everything behind the last user message."""
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].get("role") == "user":
            return list(messages[index + 1 :])
    return []


def _content(message: Mapping[str, Any]) -> list[Row]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [part for part in content if isinstance(part, dict)]


def _user_parts(message: Mapping[str, Any]) -> list[Row]:
    parts: list[Row] = []
    for part in _content(message):
        if part.get("type") == "text" and isinstance(part.get("text"), str):
            parts.append({"type": "text", "text": part["text"]})
        elif part.get("type") == "file":
            media_type, data = part.get("mediaType"), part.get("data")
            if isinstance(data, str) and ":" not in data:
                data = f"data:{media_type};base64,{data}"
            parts.append(file_from_url(data, media_type, part.get("filename")))
    return parts


def _user_id(body: Mapping[str, Any], message: Mapping[str, Any]) -> str | None:
    """Its own id when it is sent, else the id of what the answer's parent is: this message."""
    for value in (message.get("unstable_id"), body.get("parentId")):
        if isinstance(value, str) and value:
            return value
    return None


def _answers(tail: Sequence[Row]) -> Iterator[CallAnswer]:
    for part in (part for one in tail if one.get("role") == "tool" for part in _content(one)):
        call, output = part.get("toolCallId"), part.get("output")
        if part.get("type") != "tool-result" or not isinstance(call, str):
            continue
        if not isinstance(output, dict):
            continue
        value = output.get("value")
        if not str(output.get("type")).startswith("error"):
            yield CallAnswer(call, result=value)
            continue
        problem = value.get("error") if isinstance(value, dict) else value
        if problem != CLOSED_BY_CLIENT:
            text = problem if isinstance(problem, str) else json.dumps(problem)
            yield CallAnswer(call, error=text)


def _calls(messages: Sequence[Row]) -> Iterator[str]:
    for part in (part for one in messages for part in _content(one)):
        if part.get("type") == "tool-call" and isinstance(part.get("toolCallId"), str):
            yield part["toolCallId"]


def _shown(tail: Sequence[Row]) -> Iterator[tuple[str, str]]:
    for part in (part for one in tail if one.get("role") == "assistant" for part in _content(one)):
        if part.get("type") == "text" and part.get("text"):
            yield "text", str(part["text"])
        elif part.get("type") == "tool-call":
            yield "tool_call", str(part.get("toolCallId"))
