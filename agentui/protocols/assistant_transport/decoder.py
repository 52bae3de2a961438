"""What is taken from a request of assistant-ui's ``useAssistantTransportRuntime``. Pure.

A request is a list of commands and the state as the client has it. The state is not read: the rows
are. Beside the two commands that the client knows by itself there are three for a page to send with
``useAssistantTransportSendCommand``: ``decide-approval``, ``regenerate`` and ``cancel-run``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...exceptions import InvalidInput
from ..data_stream.decoder import given_decisions
from ..items import Row
from ..taking import CallAnswer, GivenDecision
from ..ui_message_stream.decoder import page_tools
from ..user_parts import file_from_url

COMMANDS = ("add-message", "add-tool-result", "decide-approval", "regenerate", "cancel-run")


@dataclass(frozen=True, slots=True)
class AddMessage:
    parts: list[Row]
    client_id: str | None = None
    parent: str | None = None
    edits: str | None = None


@dataclass(slots=True)
class CommandRequest:
    """A request as it was understood."""

    thread: str | None
    messages: list[AddMessage] = field(default_factory=list)
    answers: list[CallAnswer] = field(default_factory=list)
    decisions: list[GivenDecision] = field(default_factory=list)
    regenerate: str | None = None
    is_cancelled: bool = False
    tools: list[Row] = field(default_factory=list)


def decode_commands(body: Mapping[str, Any]) -> CommandRequest:
    """Understand a body. Raises :class:`InvalidInput` when it has not the form of one."""
    commands = body.get("commands")
    if not isinstance(commands, list) or not all(isinstance(one, dict) for one in commands):
        raise InvalidInput("commands must be a list of commands.")
    thread = body.get("threadId")
    if thread is not None and not isinstance(thread, str):
        raise InvalidInput("threadId must be a string.")
    request = CommandRequest(thread or None, tools=page_tools(body.get("tools")))
    for command in commands:
        _take(command, request)
    return request


def _take(command: Row, request: CommandRequest) -> None:
    match command:
        case {"type": "add-message", "message": {"role": "user", "parts": list(parts)} as message}:
            request.messages.append(
                AddMessage(
                    _user_parts(parts),
                    client_id=_text(message.get("id")),
                    parent=_text(command.get("parentId")),
                    edits=_text(command.get("sourceId")),
                )
            )
        case {"type": "add-message", "message": {"role": "assistant"}}:
            raise InvalidInput("Only the user's messages can be added; the agent writes its own.")
        case {"type": "add-tool-result", "toolCallId": str(call)}:
            result = command.get("result")
            if command.get("isError") is True:
                problem = result.get("error") if isinstance(result, dict) else result
                problem = problem if isinstance(problem, str) else "The tool failed."
                request.answers.append(CallAnswer(call, error=problem))
            else:
                request.answers.append(CallAnswer(call, result=result))
        case {"type": "decide-approval", "approvalId": str(approval)}:
            decisions = list(given_decisions([{**command, "id": approval}]))
            if not decisions:
                raise InvalidInput(
                    "decide-approval needs `approved`: true or false, or `optionId`."
                )
            request.decisions += decisions
        case {"type": "regenerate", "messageId": str(message_id)}:
            request.regenerate = message_id
        case {"type": "cancel-run"}:
            request.is_cancelled = True
        case _:
            kind = str(command.get("type"))[:50]
            raise InvalidInput(f"{kind!r} is no command here: {', '.join(COMMANDS)}.")


def _user_parts(parts: list[Any]) -> list[Row]:
    taken: list[Row] = []
    for part in parts:
        match part:
            case {"type": "text", "text": str(text)}:
                taken.append({"type": "text", "text": text})
            case {"type": "image", "image": image}:
                taken.append(file_from_url(image))
            case {"type": "file", "data": data}:
                taken.append(file_from_url(data, part.get("mimeType"), part.get("filename")))
    return taken


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
