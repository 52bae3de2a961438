"""What a request says, in the few words that the decision needs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from agentui.adapters import ModelRequest
from agentui.core import texts
from agentui.core.history import RequestMessage, RequestToolCall, RequestToolResult
from agentui.core.parts import TextPart

_EVENT = texts.event("")
_OUTCOME = re.compile(
    r"The call (?P<name>\w+)\((?P<args>.*)\) that was waiting is now (?P<status>\w+)\. "
    r"Result: (?P<result>.*)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answered; ``text`` is exactly what the model is sent."""

    name: str
    args: dict[str, Any]
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """``answers`` came since the person, or an event, spoke last. ``tools`` may be called."""

    said: str = ""
    answers: tuple[Answer, ...] = ()
    tools: frozenset[str] = frozenset()
    is_event: bool = False

    def answer_of(self, name: str, **args: Any) -> Answer | None:
        """The last answer of this tool, called with these arguments among others."""
        fitting = [
            answer
            for answer in self.answers
            if answer.name == name and args.items() <= answer.args.items()
        ]
        return fitting[-1] if fitting else None

    @property
    def outcome(self) -> Answer | None:
        """How a call ended that waited when the model last heard of it, if an event tells that."""
        told = _OUTCOME.search(self.said) if self.is_event else None
        if told is None:
            return None
        return Answer(
            told["name"], _object(told["args"]), told["result"], told["status"] != "complete"
        )


def read_situation(request: ModelRequest) -> Situation:
    messages = request.messages
    spoken = max((at for at, m in enumerate(messages) if m.role == "user"), default=-1)
    said = _text(messages[spoken]) if spoken >= 0 else ""
    return Situation(
        said=said.removeprefix(_EVENT).strip(),
        answers=_answers(messages[spoken + 1 :]),
        tools=frozenset(tool.name for tool in request.tools),
        is_event=said.startswith(_EVENT),
    )


def _answers(messages: tuple[RequestMessage, ...]) -> tuple[Answer, ...]:
    parts = [part for message in messages for part in message.parts]
    calls = {part.id: part for part in parts if isinstance(part, RequestToolCall)}
    return tuple(
        Answer(part.name, _object(calls[part.id].args_text), _content(part.content), part.is_error)
        for part in parts
        if isinstance(part, RequestToolResult)
    )


def _text(message: RequestMessage) -> str:
    return "\n".join(part.text for part in message.parts if isinstance(part, TextPart))


def _content(content: str | list[Any]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(item.get("text", "")) for item in content if isinstance(item, dict))


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
