"""Following a thread: every change, in order, from a cursor, nothing lost and nothing twice.

A feed subscribes first, then reads what it has missed, then goes on with what it hears. What it
hears is only a hint. Each hint is numbered; when one is missing, or comes late, or twice, the feed
reads the rows and the journal instead. Now and then the process's :class:`~.watch.Watch` looks, in
case the last hint of all was the one that got lost.

A feed is pulled, and keeps a bounded number of hints. A reader that is slower than the run is caught
up from the journal.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Self

from ..conf import app_settings
from . import publish
from .database import in_database
from .feed_reads import Caught, catch_up, snapshot
from .listening import Listener, is_cancelled
from .watch import Latest, watch

Frame = dict[str, Any]

_MAX_HINTS = 64


@dataclass(slots=True)
class Cursor:
    """How far a reader has come: rows up to ``version``, and each run's events up to a number."""

    version: int = -1
    runs: dict[str, int] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """A cursor as a client sends it; anything odd means "from the beginning"."""
        if not isinstance(data, dict) or not isinstance(data.get("version"), int):
            return cls()
        cursor = cls(version=data["version"])
        if isinstance(data.get("run"), str) and isinstance(data.get("seq"), int):
            cursor.runs[data["run"]] = data["seq"]
        return cursor


class Feed:
    """An async iterator over the frames of one thread, for one user.

    Use it as a context manager: leaving it ends the subscription::

        async with Feed(thread_id, user) as feed:
            async for frame in feed: ...
    """

    def __init__(self, thread_id: uuid.UUID, user: Any, cursor: Cursor | None = None) -> None:
        self.thread_id = thread_id
        self.cursor = cursor or Cursor()
        self._user = user
        self._hints: deque[dict[str, Any]] = deque()
        self._is_behind = False
        self._wake = asyncio.Event()
        self._listener = Listener(publish.thread_group(thread_id), self._hear, self._look_soon)
        self._ended = False

    async def __aenter__(self) -> Self:
        await self._listener.__aenter__()
        watch().add(self)
        if is_cancelled():
            # Somebody on the way to the layer's server swallowed it, and the reader is gone.
            await self.__aexit__()
            raise asyncio.CancelledError
        return self

    async def __aexit__(self, *exc: object) -> None:
        watch().remove(self)
        await self._listener.__aexit__()

    async def __aiter__(self) -> AsyncIterator[Frame]:
        async for frame in self._first():
            yield frame
        while not self._ended:
            hint = await self._next_hint()
            async for frame in self._follow(hint):
                yield frame

    # What it hears

    def _hear(self, hint: dict[str, Any]) -> None:
        if len(self._hints) >= _MAX_HINTS:
            self._hints.clear()
            self._is_behind = True
        else:
            self._hints.append(hint)
        self._wake.set()

    def _look_soon(self) -> None:
        self._is_behind = True
        self._wake.set()

    def look(self, latest: Latest | None) -> None:
        """Called by the watch. A reader that is behind, or whose thread is gone, looks itself."""
        if latest is not None:
            known = self.cursor.runs
            if latest.version <= self.cursor.version and all(
                last <= known.get(run, 0) for run, last in latest.runs.items()
            ):
                return
        self._look_soon()

    async def _next_hint(self) -> dict[str, Any] | None:
        """The next hint; None when it is time to look by oneself."""
        while True:
            if self._is_behind:
                self._is_behind = False
                return None
            if self._hints:
                return self._hints.popleft()
            if is_cancelled():
                raise asyncio.CancelledError
            self._wake.clear()
            await self._wake.wait()

    # What it passes on

    async def _first(self) -> AsyncIterator[Frame]:
        if self.cursor.version < 0:
            frame = await in_database(snapshot, self.thread_id, self._user)
            self.cursor.version = frame["version"]
            self.cursor.runs = dict(frame["cursors"])
            yield frame
            return
        async for frame in self._catch_up():
            yield frame

    async def _follow(self, hint: dict[str, Any] | None) -> AsyncIterator[Frame]:
        if hint is not None and hint["kind"] == "events":
            async for frame in self._events(hint):
                yield frame
        elif hint is not None and hint["kind"] == "deleted":
            self._ended = True
            yield {"type": "thread_deleted", "thread_id": str(self.thread_id)}
        elif hint is None or hint["version"] > self.cursor.version:
            async for frame in self._catch_up():
                yield frame

    async def _events(self, hint: dict[str, Any]) -> AsyncIterator[Frame]:
        run, first, last = hint["run"], hint["from"], hint["to"]
        if hint["version"] > self.cursor.version or run not in self.cursor.runs:
            # The run knows rows that this reader has not seen: those come first.
            async for frame in self._catch_up():
                yield frame
        known = self.cursor.runs.get(run, 0)
        if last <= known:
            return
        if first != known + 1 or "events" not in hint:
            async for frame in self._catch_up(run, last):
                yield frame
            return
        self.cursor.runs[run] = last
        yield events_frame(hint)

    async def _catch_up(self, run: str = "", last: int = 0) -> AsyncIterator[Frame]:
        """Read what was missed. With ``run``: its events up to ``last`` are known to exist.

        Events are published a moment before they are committed, so those may take a little to come.
        """
        for attempt in range(4):
            caught = await in_database(
                catch_up, self.thread_id, self._user, self.cursor.version, self.cursor.runs
            )
            async for frame in self._pass_on(caught):
                yield frame
            if not run or self.cursor.runs.get(run, 0) >= last or self._ended:
                return
            await asyncio.sleep(app_settings.JOURNAL_INTERVAL * (attempt + 1))

    async def _pass_on(self, caught: Caught | None) -> AsyncIterator[Frame]:
        if caught is None:
            self._ended = True
            yield {"type": "thread_deleted", "thread_id": str(self.thread_id)}
            return
        if caught.changes is not None:
            self.cursor.version = caught.changes["version"]
            for message in caught.changes["messages"]:
                if cursor := message.get("cursor"):
                    known = self.cursor.runs.get(cursor["run"], 0)
                    self.cursor.runs[cursor["run"]] = max(known, cursor["seq"])
            yield caught.changes
        for frame in caught.events:
            known = self.cursor.runs.get(frame["run"], 0)
            if frame["to"] > known:
                self.cursor.runs[frame["run"]] = frame["to"]
                yield frame


def events_frame(hint: dict[str, Any]) -> Frame:
    """A hint with events as the frame that a reader gets."""
    return {
        "type": "events",
        "thread_id": hint["thread"],
        "run": hint["run"],
        "message": hint["message"],
        "from": hint["from"],
        "to": hint["to"],
        "events": hint["events"],
    }
