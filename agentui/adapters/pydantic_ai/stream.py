"""pydantic-ai's stream events as ours."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai.messages import (
    FilePart as PydanticFile,
)
from pydantic_ai.messages import (
    ModelResponsePart,
    PartDeltaEvent,
    PartEndEvent,
    PartStartEvent,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.messages import TextPart as PydanticText

from agentui.adapters.call_args import CallArguments
from agentui.core.clean import clean_text
from agentui.core.events import (
    PartFinish,
    PartStart,
    Path,
    StreamEvent,
    TextDelta,
    ToolCallArgsFinish,
)
from agentui.core.parts import FilePart, ReasoningPart, TextPart
from agentui.core.parts import ToolCallPart as OurCall
from agentui.core.values import Json
from agentui.exceptions import ModelError

from .history import Origin, metadata_of


@dataclass
class _Open:
    """A part of the answer while it streams. ``part`` holds all but its text, which is ``pieces``."""

    part: ModelResponsePart
    name: str = ""
    path: Path | None = None
    pieces: list[str] = field(default_factory=list)
    space: str = ""
    args: CallArguments = field(default_factory=CallArguments)
    args_object: dict[str, Any] = field(default_factory=dict)
    sent: dict[str, Json] | None = None
    is_finished: bool = False


class StreamTranslator:
    """Takes the library's events one by one and gives ours.

    A part opens when it has something to show, so blank text never becomes a part. A call opens one
    event after its name came, because some servers send the name in pieces and others repeat it.
    """

    def __init__(self, origin: Origin, *, taken_ids: frozenset[str] = frozenset()) -> None:
        self._origin = origin
        self._taken_ids = set(taken_ids)
        self._open: dict[int, _Open] = {}
        self._waiting: _Open | None = None
        self._count = 0
        self.has_calls = False
        self.has_answer = False

    def feed(self, event: object) -> Iterable[StreamEvent]:
        """Our events for one of the library's."""
        match event:
            case PartStartEvent():
                yield from self._begin_waiting()
                yield from self._on_start(event.index, event.part)
            case PartDeltaEvent(delta=ToolCallPartDelta() as delta):
                yield from self._on_call_delta(self._open.get(event.index), delta)
            case PartDeltaEvent(delta=TextPartDelta() | ThinkingPartDelta() as delta):
                yield from self._begin_waiting()
                yield from self._on_text_delta(self._open.get(event.index), delta)
            case PartEndEvent():
                opened = self._open.get(event.index)
                if opened and not isinstance(opened.part, ToolCallPart):
                    yield from self._finish_text(opened)
            case _:
                pass

    def say(self, text: str) -> Iterable[StreamEvent]:
        """A whole text part, after all others."""
        yield from self._begin_waiting()
        yield from self._on_start(-1, PydanticText(text))

    def finish(self, *, is_cut: bool) -> Iterable[StreamEvent]:
        """The end of the stream. When it was cut, no call's arguments are declared whole."""
        yield from self._begin_waiting()
        for opened in self._open.values():
            if isinstance(opened.part, ToolCallPart):
                yield from self._finish_call(opened, is_cut=is_cut)
            else:
                yield from self._finish_text(opened)

    # Parts

    def _on_start(self, index: int, part: ModelResponsePart) -> Iterable[StreamEvent]:
        match part:
            case PydanticText() | ThinkingPart():
                opened = self._open[index] = _Open(replace(part, content=""))
                yield from self._write(opened, part.content)
            case ToolCallPart():
                # Held back until the next event; see the class.
                opened = _Open(replace(part, args=None), name=part.tool_name)
                self._open[index] = self._waiting = opened
                if part.args:
                    yield from self._on_args(opened, part.args)
            case PydanticFile(content=content):
                self.has_answer = True
                data = base64.b64encode(content.data).decode()
                path = self._next_path()
                yield PartStart(FilePart(data, content.media_type, source_type="base64"))
                yield PartFinish(path)
            case _:
                pass  # Tools that the provider runs by itself; nothing here offers any.

    def _next_path(self) -> Path:
        self._count += 1
        return (self._count - 1,)

    # Text and reasoning

    def _on_text_delta(
        self, opened: _Open | None, delta: TextPartDelta | ThinkingPartDelta
    ) -> Iterable[StreamEvent]:
        if opened is None:
            return
        if isinstance(delta, TextPartDelta):
            if delta.provider_name or delta.provider_details:
                opened.part = replace(delta, content_delta="").apply(opened.part)
        elif delta.provider_name or delta.provider_details or delta.signature_delta:
            thought = replace(delta, content_delta=None).apply(opened.part)
            assert isinstance(thought, ThinkingPart)
            opened.part = thought
        yield from self._write(opened, delta.content_delta or "")

    def _write(self, opened: _Open, text: str) -> Iterable[StreamEvent]:
        if not text:
            return
        if opened.path is None:
            opened.space += text
            if not opened.space.strip():
                return
            text, opened.space = opened.space, ""
            yield from self._show(opened)
        assert opened.path is not None
        opened.pieces.append(text)
        self.has_answer = self.has_answer or isinstance(opened.part, PydanticText)
        yield TextDelta(opened.path, text)

    def _show(self, opened: _Open) -> Iterable[StreamEvent]:
        opened.path = self._next_path()
        yield PartStart(
            TextPart("") if isinstance(opened.part, PydanticText) else ReasoningPart("")
        )

    def _finish_text(self, opened: _Open) -> Iterable[StreamEvent]:
        if not isinstance(opened.part, PydanticText | ThinkingPart):
            return
        text = "".join(opened.pieces)
        metadata = metadata_of(opened.part, text, self._origin)
        if opened.path is None:
            if metadata is None or isinstance(opened.part, PydanticText):
                return
            yield from self._show(opened)  # A redacted thought: no words, but it must go back.
            assert opened.path is not None
        if not opened.is_finished or metadata != opened.sent:
            opened.is_finished, opened.sent = True, metadata
            yield PartFinish(opened.path, provider_metadata=metadata)

    # Calls

    def _on_call_delta(
        self, opened: _Open | None, delta: ToolCallPartDelta
    ) -> Iterable[StreamEvent]:
        if opened is not self._waiting:
            yield from self._begin_waiting()
        if opened is None or not isinstance(opened.part, ToolCallPart):
            return
        if delta.provider_name or delta.provider_details:
            metadata = replace(delta, args_delta=None, tool_name_delta=None, tool_call_id=None)
            applied = metadata.apply(opened.part)
            assert isinstance(applied, ToolCallPart)
            opened.part = applied
        self._on_name(opened, delta.tool_name_delta or "")
        if delta.args_delta:
            yield from self._on_args(opened, delta.args_delta)

    def _on_name(self, opened: _Open, more: str) -> None:
        if not more or more == opened.name:
            return
        if opened.path is not None or opened.args.has_begun:
            raise ModelError(
                "The model's tool calls arrived in a form that cannot be told apart.",
                code="ambiguous_tool_call",
            )
        opened.name += more

    def _on_args(self, opened: _Open, args: str | Mapping[str, Any]) -> Iterable[StreamEvent]:
        if not isinstance(args, str):
            opened.args_object |= args
            return
        piece = opened.args.feed(args)
        if piece:
            yield from self._begin_waiting()
            opened.pieces.append(piece)
            if opened.path is not None:
                yield TextDelta(opened.path, piece)

    def _begin_waiting(self) -> Iterable[StreamEvent]:
        opened, self._waiting = self._waiting, None
        if opened is None or not isinstance(opened.part, ToolCallPart):
            return
        name = clean_text(opened.name).strip()
        if not name:
            return  # No call without a name is ever shown, stored or run.
        opened.path = self._next_path()
        self.has_calls = self.has_answer = True
        yield PartStart(
            OurCall(id="", tool_call_id=self._own_id(opened.part.tool_call_id), tool_name=name)
        )

    def _own_id(self, call_id: str) -> str:
        """The provider's id; with a number behind it where the same request already has it."""
        call_id = clean_text(call_id).strip() or "call"
        own, number = call_id, 1
        while own in self._taken_ids:
            number += 1
            own = f"{call_id}_{number}"
        self._taken_ids.add(own)
        return own

    def _finish_call(self, opened: _Open, *, is_cut: bool) -> Iterable[StreamEvent]:
        if opened.path is None:
            return
        if not is_cut:
            if opened.args_object:
                rest = json.dumps(opened.args_object, ensure_ascii=False)
            else:
                rest = opened.args.finish()
            if rest:
                opened.pieces.append(rest)
                yield TextDelta(opened.path, rest)
            yield ToolCallArgsFinish(opened.path)
        text = "".join(opened.pieces)
        yield PartFinish(
            opened.path, provider_metadata=metadata_of(opened.part, text, self._origin)
        )
