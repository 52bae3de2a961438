"""A run's items as the text of its answer. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import events as ev
from ...core.parts import TextPart
from .. import items as it


class PlainTextEncoder:
    """Text of text parts; no reasoning, no calls, no status. ``parts`` the client has already."""

    def __init__(self, parts: int = 0) -> None:
        self._parts = parts
        self._texts: set[int] = set()

    def encode(self, item: it.Item) -> Iterator[str]:
        """The text that the next item adds."""
        match item:
            case ev.PartStart(part=part):
                if isinstance(part, TextPart):
                    self._texts.add(self._parts)
                    if part.text:
                        yield part.text
                self._parts += 1
            case ev.TextDelta(path=(index,), text_delta=text) if index in self._texts:
                yield text
            case ev.StepReset(start=start):
                self._parts = min(self._parts, start)
                self._texts = {index for index in self._texts if index < start}
