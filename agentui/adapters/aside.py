"""What a model is asked apart from the thread: a title, or what to say next. Never part of it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from agentui.core.events import PartStart, TextDelta
from agentui.core.history import RequestMessage
from agentui.core.parts import TextPart
from agentui.core.values import Json

from .base import ChatModelAdapter, ModelRequest

_LONGEST_SAID = 2000
_LONGEST_TITLE = 80
_LONGEST_SUGGESTION = 200
#: Some models write what they think into their answer.
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
_QUOTES = "\"'“”‘’«»„`*# "


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something the person may want to say next. ``title`` is shown where it is given, else the
    ``prompt``, which is what is sent."""

    prompt: str
    title: str | None = None

    def to_json(self) -> dict[str, Json]:
        return {"prompt": self.prompt, **({"title": self.title} if self.title else {})}


class SuggestionAdapter(ABC):
    """Proposes what to say next, after an answer."""

    starters: tuple[str, ...] = ()
    """Offered while a thread is empty."""

    @abstractmethod
    def suggest(
        self, messages: Sequence[RequestMessage]
    ) -> AsyncGenerator[Sequence[Suggestion | str], None]:
        """Called when an answer is complete and nothing waits. Each list that is yielded replaces
        the one before. Closed when a new run begins."""


class TitleAdapter(ABC):
    """Finds a title for a thread."""

    @abstractmethod
    async def title(self, messages: Sequence[RequestMessage]) -> str:
        """Called after a run while nobody has titled the thread. An empty text is no title."""


class StaticSuggestions(SuggestionAdapter):
    """The same proposals after each answer; ``starters`` default to them."""

    def __init__(
        self, texts: Sequence[Suggestion | str], *, starters: Sequence[str] | None = None
    ) -> None:
        self.texts = tuple(texts)
        prompts = [text if isinstance(text, str) else text.prompt for text in self.texts]
        self.starters = tuple(prompts if starters is None else starters)

    async def suggest(
        self, messages: Sequence[RequestMessage]
    ) -> AsyncGenerator[Sequence[Suggestion | str], None]:
        yield self.texts


class ModelSuggestions(SuggestionAdapter):
    """Asks a model, of which it takes one proposal a line, as they come."""

    def __init__(
        self,
        model: str | ChatModelAdapter,
        *,
        count: int = 3,
        max_messages: int = 10,
        instructions: str = "",
        starters: Sequence[str] = (),
    ) -> None:
        self.model = model
        self.count = count
        self.max_messages = max_messages
        self.starters = tuple(starters)
        self.instructions = instructions or (
            f"Below is the end of a chat. Propose {count} short messages that the user may want to "
            "send next, in the user's words and language. One a line, nothing else."
        )

    async def suggest(
        self, messages: Sequence[RequestMessage]
    ) -> AsyncGenerator[Sequence[Suggestion | str], None]:
        shown: list[str] = []
        async with aclosing(
            answer(self.model, self.instructions, transcript(messages[-self.max_messages :]))
        ) as growing:
            text = ""
            async for text in growing:
                # The last line is still being written.
                lines = self._lines(text.rpartition("\n")[0])
                if len(lines) > len(shown):
                    shown = lines
                    yield shown
        if (lines := self._lines(text)) != shown:
            yield lines

    def _lines(self, text: str) -> list[str]:
        lines = (_BULLET.sub("", line).strip(_QUOTES) for line in _spoken(text).splitlines())
        return [line for line in lines if 0 < len(line) <= _LONGEST_SUGGESTION][: self.count]


class ModelTitles(TitleAdapter):
    """Asks a model for a few words."""

    def __init__(
        self, model: str | ChatModelAdapter, *, max_messages: int = 4, instructions: str = ""
    ) -> None:
        self.model = model
        self.max_messages = max_messages
        self.instructions = instructions or (
            "Below is the beginning of a chat. Give it a title of at most six words in its "
            "language. Answer with the title alone, without quotes."
        )

    async def title(self, messages: Sequence[RequestMessage]) -> str:
        shown = transcript(messages[: self.max_messages])
        written = [text async for text in answer(self.model, self.instructions, shown)]
        return clean_title(written[-1] if written else "")


def clean_title(text: str) -> str:
    """The first line that is words: no thoughts, quotes or signs of Markdown, at most 80 characters."""
    lines = (line.strip(_QUOTES) for line in _spoken(text).splitlines())
    title = next((line for line in lines if line), "")
    title = re.sub(r"^title:\s*", "", title, flags=re.IGNORECASE).strip(_QUOTES)
    if len(title) > _LONGEST_TITLE:
        title = title[:_LONGEST_TITLE].rsplit(" ", 1)[0] + "…"
    return title


def transcript(messages: Sequence[RequestMessage]) -> str:
    """What was said, a paragraph for each who said something; calls and files are left out."""
    said = []
    for message in messages:
        if message.role not in ("user", "assistant"):
            continue
        text = "".join(part.text for part in message.parts if isinstance(part, TextPart)).strip()
        if text:
            said.append(f"{message.role}: {text[:_LONGEST_SAID]}")
    return "\n\n".join(said)


async def answer(
    model: str | ChatModelAdapter, instructions: str, prompt: str
) -> AsyncGenerator[str, None]:
    """What a model answers to one text, as far as it has come. Reasoning is no part of it."""
    from . import get_adapter

    adapter = get_adapter(model)
    request = ModelRequest(
        model=adapter.name,
        instructions=instructions,
        messages=(RequestMessage("user", (TextPart(prompt),)),),
    )
    text = ""
    parts: list[bool] = []
    stream: AsyncIterator[object] = adapter.stream(request)
    async with aclosing(stream):  # type: ignore[type-var]
        async for event in stream:
            match event:
                case PartStart(part=part):
                    parts.append(isinstance(part, TextPart))
                case TextDelta(path=(index, *_), text_delta=delta) if parts[index]:
                    text += delta
                    yield text


def _spoken(text: str) -> str:
    return _THOUGHT.sub("", text)
