"""What a ``RunAgentInput`` says, once everything a client may not say has been left out.

The whole history comes with every request. Of it only the end is looked at: user messages behind the
last message of the agent. Tool messages and resume entries are taken as claims, to be compared with
what is open (:mod:`.intake`). System messages, assistant messages and their calls are never taken.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from ...actions.validation import first_problem
from ...core.clean import TooDeep, clean
from ...exceptions import InvalidInput, TooLarge

_LONGEST_ID = 200
_MAX_STATE = 256 * 1024
_MAX_PROPS = 64 * 1024

Part = dict[str, Any]


class _Form(BaseModel):
    model_config = ConfigDict(extra="ignore", alias_generator=to_camel)


class ResumeForm(_Form):
    interrupt_id: str = Field(max_length=_LONGEST_ID)
    status: Literal["resolved", "cancelled"]
    payload: Any = None


class _InputForm(_Form):
    thread_id: str = Field(min_length=1, max_length=_LONGEST_ID)
    run_id: str = Field(min_length=1, max_length=_LONGEST_ID)
    messages: list[dict[str, Any]]
    protocol_version: str | None = None
    state: Any = None
    tools: list[dict[str, Any]] | None = None
    context: list[dict[str, Any]] | None = None
    forwarded_props: Any = None
    resume: list[ResumeForm] | None = None


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """A tool message: a claim that the call has this answer."""

    id: str
    call: str
    content: str
    error: str | None


@dataclass(frozen=True, slots=True)
class Said:
    """A request of a client.

    ``new`` are id and parts of the user messages at the end, ``shown`` the ids of the last assistant
    message the client shows (its own, and those of its calls). ``is_blank``: it shows no message at
    all. ``asked`` is what its address asks for.
    """

    thread_id: str
    run_id: str
    is_modern: bool
    new: tuple[tuple[str, list[Part]], ...]
    shown: frozenset[str]
    answers: dict[str, ToolAnswer]
    resume: tuple[ResumeForm, ...]
    state: Any
    tools: list[Any]
    context: list[Any]
    props: dict[str, Any]
    is_blank: bool = False
    asked: Mapping[str, str] = field(default_factory=dict)

    @property
    def wishes(self) -> dict[str, Any]:
        """What the client asks of agentui: ``forwardedProps.agentui``."""
        wishes = self.props.get("agentui")
        return wishes if isinstance(wishes, dict) else {}

    @property
    def follows(self) -> bool:
        """The stream stays open while somebody else decides."""
        return self.wishes.get("follow") is True or self.asked.get("follow") == "1"

    @property
    def gates_calls(self) -> bool:
        """Approvals are interrupts of the protocol's own reason ``tool_call``."""
        return self.asked.get("approvals") == "tool_call"


def read_input(data: dict[str, Any], asked: Mapping[str, str] | None = None) -> Said:
    """The request in ``data``; ``asked`` are the parameters of its address.

    Raises :class:`InvalidInput` or :class:`TooLarge`.
    """
    try:
        form = _InputForm.model_validate(data)
    except ValidationError as error:
        raise InvalidInput(first_problem(error)) from None
    try:
        return Said(
            thread_id=form.thread_id,
            run_id=clean(form.run_id),
            is_modern=form.protocol_version is not None,
            new=tuple(_last_user_messages(form.messages)),
            shown=_last_shown(form.messages),
            answers={answer.call: answer for answer in _answers(form.messages)},
            resume=tuple(form.resume or ()),
            state=_bounded(clean(form.state), _MAX_STATE, "state"),
            tools=[_tool(tool) for tool in form.tools or ()],
            context=list(form.context or ()),
            props=_props(form.forwarded_props),
            is_blank=not form.messages,
            asked=dict(asked or {}),
        )
    except TooDeep as error:
        raise InvalidInput(str(error)) from None


def _last_user_messages(messages: list[dict[str, Any]]) -> list[tuple[str, list[Part]]]:
    found: list[tuple[str, list[Part]]] = []
    for message in reversed(messages):
        match message:
            case {"role": "assistant"}:
                break
            case {"role": "user", "id": str(id), "content": content} if len(id) <= _LONGEST_ID:
                found.append((clean(id), _parts(content)))
            case {"role": "user"}:
                raise InvalidInput("A user message needs an id and a content.")
    return found[::-1]


def _last_shown(messages: list[dict[str, Any]]) -> frozenset[str]:
    for message in reversed(messages):
        if message.get("role") == "assistant":
            calls = message.get("toolCalls")
            calls = calls if isinstance(calls, list) else []
            ids = [message.get("id"), *(c.get("id") for c in calls if isinstance(c, dict))]
            return frozenset(id for id in ids if isinstance(id, str))
    return frozenset()


def _answers(messages: list[dict[str, Any]]) -> list[ToolAnswer]:
    answers = []
    for message in messages:
        match message:
            case {"role": "tool", "toolCallId": str(call)}:
                id, error = message.get("id"), message.get("error")
                answers.append(
                    ToolAnswer(
                        id=clean(id) if isinstance(id, str) else "",
                        call=call,
                        content=_text(message.get("content")),
                        error=error if isinstance(error, str) else None,
                    )
                )
    return answers


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    texts = (p.get("text") for p in parts if isinstance(p, dict) and p.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _parts(content: Any) -> list[Part]:
    """The content of a user message as our parts; checked further when it is sent."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        raise InvalidInput("A user message's content must be a string or a list of parts.")
    return [_part(part) for part in content]


def _part(part: Any) -> Part:
    match part:
        case {"type": "text", "text": str(text)}:
            return {"type": "text", "text": text}
        case {
            "type": "image" | "audio" | "video" | "document",
            "source": {"type": "data", "value": str(data), "mimeType": str(mime_type)},
        }:
            return {"type": "file", "data": data, "mime_type": mime_type}
        case {"type": "binary", "mimeType": str(mime_type), "data": str(data)}:
            # What clients before 0.0.48 call a file.
            named = part.get("filename")
            filename = {"filename": named} if isinstance(named, str) else {}
            return {"type": "file", "data": data, "mime_type": mime_type, **filename}
        case {"type": "image" | "audio" | "video" | "document"}:
            raise InvalidInput("Send a file's data with the message; addresses are not fetched.")
        case _:
            raise InvalidInput("A user message has a part of a kind that is not known here.")


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    """Name, description and parameters; what is null is as if it were left out."""
    fields = ("name", "description", "parameters")
    return {name: tool[name] for name in fields if tool.get(name) is not None}


def _props(props: Any) -> dict[str, Any]:
    kept = clean(props) if isinstance(props, dict) else {}
    bounded: dict[str, Any] = _bounded(kept, _MAX_PROPS, "forwardedProps")
    return bounded


def _bounded(value: Any, limit: int, name: str) -> Any:
    if len(json.dumps(value, ensure_ascii=False)) > limit:
        raise TooLarge(f"{name} may have {limit:,} characters of JSON.")
    return value
