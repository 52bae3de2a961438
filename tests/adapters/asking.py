"""Asking an adapter as the run does, down to the settled message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agentui.adapters import ChatModelAdapter, ModelRequest, ToolDefinition
from agentui.core.accumulator import Accumulator
from agentui.core.clean import SurrogateJoiner
from agentui.core.events import (
    ErrorEvent,
    MessageFinish,
    PartFinish,
    PartStart,
    StreamEvent,
    TextDelta,
    ToolCallArgsFinish,
    event_from_json,
    event_to_json,
)
from agentui.core.history import build_history
from agentui.core.parts import Message, Metadata, Step, TextPart, ToolCallPart
from agentui.core.settle import settle_roundtrip
from agentui.core.statuses import Role, ToolCallStatus
from agentui.exceptions import ModelError

STREAMS = Path(__file__).parent.parent / "streams"
#: No repeats by the SDK: a test waits for no pause, and counts the requests.
ONCE = {"max_retries": 0}


def stream_bytes(name: str) -> bytes:
    return (STREAMS / f"{name}.txt").read_bytes()


def user(text: str, id: str = "u1") -> Message:
    return Message(id, Role.USER, (TextPart(text),))


def request(
    messages: Sequence[Message] = (), *, model: str | None = None, **fields: Any
) -> ModelRequest:
    history = build_history(messages or [user("hi")], model=model)
    tools = (ToolDefinition("get_weather", "The weather."), ToolDefinition("get_time"))
    values: dict[str, Any] = {"tools": tools, "settings": ONCE, "run_id": "r1"} | fields
    return ModelRequest(model=model or "", messages=history, **values)


@dataclass
class Answer:
    message: Message
    events: list[StreamEvent] = field(default_factory=list)
    error: ModelError | None = None

    @property
    def calls(self) -> list[tuple[str, str, str]]:
        return [(c.tool_call_id, c.tool_name, c.args_text) for c in self.message.tool_calls]

    @property
    def call_statuses(self) -> list[ToolCallStatus]:
        return [call.status for call in self.message.tool_calls]

    @property
    def status(self) -> tuple[str, str]:
        return self.message.status.type.value, self.message.status.reason.value

    @property
    def finish(self) -> MessageFinish:
        finishes = [event for event in self.events if isinstance(event, MessageFinish)]
        assert len(finishes) == 1
        return finishes[0]


async def ask(adapter: ChatModelAdapter, asked: ModelRequest, id: str = "a1") -> Answer:
    """The answer to ``asked``, its events checked, accumulated, cleaned and settled."""
    message = Message(
        id, Role.ASSISTANT, model=adapter.name, metadata=Metadata(steps=(Step(start=0),))
    )
    accumulator = Accumulator(message)
    answer = Answer(message)
    joiners: dict[tuple[int, ...], SurrogateJoiner] = {}
    try:
        async for event in adapter.stream(asked):
            answer.events.append(event)
            for seen in _as_the_run_does(event, joiners, id):
                assert event_from_json(event_to_json(seen)) == seen
                accumulator.apply(seen)
    except ModelError as error:
        answer.error = error
        accumulator.apply(ErrorEvent(error.message, code=error.code))
    else:
        check_order(answer.events)
    answer.message = settle_roundtrip(accumulator.message)
    return answer


def answered(message: Message, *results: str) -> Message:
    """The message with its calls answered, as stored after the tools ran."""
    left = list(results)
    return replace(
        message,
        parts=tuple(
            replace(part, status=ToolCallStatus.COMPLETE, result=left.pop(0))
            if isinstance(part, ToolCallPart) and not part.has_result
            else part
            for part in message.parts
        ),
    )


def check_order(events: Sequence[StreamEvent]) -> None:
    """Every part opens empty, once, in order, before its deltas, and is closed; one end."""
    opened = [event.part for event in events if isinstance(event, PartStart)]
    count = 0
    for event in events:
        match event:
            case PartStart(part=ToolCallPart() as call):
                assert call.tool_call_id.strip()
                assert call.tool_name.strip()
                assert (call.id, call.args_text) == ("", "")
                count += 1
            case PartStart(part=part):
                assert getattr(part, "text", "") == ""
                count += 1
            case TextDelta(path=(at,)) | ToolCallArgsFinish(path=(at,)) | PartFinish(path=(at,)):
                assert at < count
    closed = {event.path for event in events if isinstance(event, PartFinish)}
    assert closed == {(at,) for at in range(len(opened))}
    assert isinstance(events[-1], MessageFinish)


def _as_the_run_does(
    event: StreamEvent, joiners: dict[tuple[int, ...], SurrogateJoiner], id: str
) -> Iterable[StreamEvent]:
    match event:
        case PartStart(part=ToolCallPart() as call):
            yield replace(event, part=replace(call, id=f"{id}-{call.tool_call_id}"))
        case TextDelta():
            text = joiners.setdefault(event.path, SurrogateJoiner()).feed(event.text_delta)
            if text:
                yield replace(event, text_delta=text)
        case PartFinish():
            if rest := joiners.setdefault(event.path, SurrogateJoiner()).flush():
                yield TextDelta(event.path, rest)
            yield event
        case _:
            yield event
