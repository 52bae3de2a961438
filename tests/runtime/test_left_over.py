"""What is read of a run while it goes on: a row and the journal behind it, never a hole between."""

from __future__ import annotations

from typing import Any

from agentui.core.events import PartStart, TextDelta, event_to_json
from agentui.core.parts import TextPart
from agentui.models import Message, RunEvent
from agentui.runtime.store.left_over import fold_journal


def row(folded_seq: int, text: str) -> Message:
    parts = [{"type": "text", "text": text}] if text else []
    return Message(role="assistant", status="running", parts=parts, folded_seq=folded_seq)


def batch(first: int, *words: str) -> RunEvent:
    events: list[Any] = [event_to_json(TextDelta((0,), word)) for word in words]
    return RunEvent(first=first, last=first + len(events) - 1, events=events)


def text_of(message: Any) -> str:
    return "".join(part.text for part in message.parts)


def test_the_journal_continues_the_row() -> None:
    opened = RunEvent(first=1, last=1, events=[event_to_json(PartStart(TextPart("")))])
    folded, seq = fold_journal(row(0, ""), [], [opened, batch(2, "a", "b"), batch(4, "c")])
    assert (text_of(folded), seq) == ("abc", 4)


def test_what_the_row_has_is_not_added_again() -> None:
    folded, seq = fold_journal(row(3, "ab"), [], [batch(2, "a", "b"), batch(4, "c")])
    assert (text_of(folded), seq) == ("abc", 4)
    folded, seq = fold_journal(row(3, "ab"), [], [batch(3, "b", "c", "d")])
    assert (text_of(folded), seq) == ("abcd", 5)


def test_events_behind_a_hole_belong_to_a_newer_row() -> None:
    """Between the reading of the row and that of the journal the next step was stored, or a second
    worker began anew. What was read stays a beginning of it; the newer row comes with its version."""
    folded, seq = fold_journal(row(3, "ab"), [], [batch(4, "c"), batch(9, "x", "y")])
    assert (text_of(folded), seq) == ("abc", 4)
    folded, seq = fold_journal(row(3, "ab"), [], [batch(1_000_001, "x")])
    assert (text_of(folded), seq) == ("ab", 3)
