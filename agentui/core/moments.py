"""Times as a client sends them back: of a cursor of ours, or made up."""

from __future__ import annotations

from datetime import UTC, datetime


def read_moment(text: object) -> datetime:
    """The time, in UTC. Raises ``ValueError`` for what is none, has no zone, or is out of range."""
    if not isinstance(text, str):
        raise ValueError("not a text")
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError("a time without a zone")
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise ValueError("before the first year or after the last") from None
