"""A run's items as the text of its answer. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import events as ev
from ...core.parts import TextPart
from ...core.statuses import Reason
from .. import items as it
from ..ui_message_stream.parts import error_text


class PlainTextEncoder:
    """Text of text parts; no reasoning, no calls, no status. ``parts`` the client has already.

    Text has no place for errors: one is a line of its own at the end.
    """

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
            case it.Ended(status=status, error=error) if status.reason is Reason.ERROR:
                yield _line(error_text(error))
            case ev.ErrorEvent(error=problem):
                yield _line(problem)


def _line(problem: str) -> str:
    return f"\n[{problem}]\n"
