"""A run's events on their way out: numbered, published at once, handed to the journal."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import replace
from typing import Any

from ..conf import app_settings
from ..core.events import StreamEvent, TextDelta, event_to_json
from . import publish
from .journal import Journal
from .store import Claim

#: A hint with more text than this is sent without its events; the page reads the journal.
_MAX_HINT_CHARS = 64_000

#: Hints that wait for a slow channel layer. The oldest are dropped: the page reads the journal.
_MAX_HINTS = 256


class Emitter:
    """Takes events one by one and sends them in small batches.

    The first event of a pause goes out at once. Deltas of one part that follow within
    ``COALESCE_INTERVAL`` are joined, so a fast model costs no more than a slow one.
    """

    def __init__(self, claim: Claim, journal: Journal) -> None:
        self._claim = claim
        self._journal = journal
        self._group = publish.thread_group(claim.thread_id)
        self._waiting: list[StreamEvent] = []
        self._timer: asyncio.TimerHandle | None = None
        self._sent_at = float("-inf")
        self._entries: list[Any] = []
        self._hints: deque[dict[str, Any]] = deque(maxlen=_MAX_HINTS)
        self._sender: asyncio.Task[None] | None = None

    def emit(self, event: StreamEvent) -> None:
        """Send an event, now or within the coalescing interval."""
        last = self._waiting[-1] if self._waiting else None
        if isinstance(event, TextDelta) and isinstance(last, TextDelta) and last.path == event.path:
            self._waiting[-1] = replace(last, text_delta=last.text_delta + event.text_delta)
        else:
            self._waiting.append(event)
        if self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        wait = self._sent_at + app_settings.COALESCE_INTERVAL - loop.time()
        if wait <= 0:
            self.flush()
        else:
            self._timer = loop.call_later(wait, self.flush)

    def flush(self) -> None:
        """Number and send what waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._waiting:
            return
        claim = self._claim
        events = [event_to_json(event) for event in self._waiting]
        self._waiting = []
        self._sent_at = asyncio.get_running_loop().time()
        first = claim.last_seq + 1
        claim.last_seq += len(events)
        self._entries = [entry for entry in self._entries if not entry.done.done()]
        self._entries.append(self._journal.append(claim.run_id, claim.attempt, first, events))
        hint = {
            "type": "agentui.hint",
            "kind": "events",
            "thread": str(claim.thread_id),
            "run": str(claim.run_id),
            "message": str(claim.message_id),
            "from": first,
            "to": claim.last_seq,
            "version": claim.version,
        }
        if sum(len(event.get("text_delta", "")) for event in events) <= _MAX_HINT_CHARS:
            hint["events"] = events
        self._hints.append(hint)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send(), name="agentui-emitter")

    async def _send(self) -> None:
        # One task sends a run's hints, so they leave in the order of their numbers.
        while self._hints:
            await publish.asend(self._group, self._hints.popleft())

    async def give_way(self) -> None:
        """Wait while the journal is behind: a model must not fill this process's memory."""
        if self._journal.is_full and self._entries:
            await self.boundary()

    async def boundary(self) -> None:
        """Everything emitted so far is committed. Raises ``Fenced`` if the run was taken over."""
        self.flush()
        entries, self._entries = self._entries, []
        if not entries:
            return
        self._journal.hurry()
        for entry in entries:
            await asyncio.shield(entry.done)

    def discard(self) -> None:
        """Send nothing more: the run is over, or no longer ours."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._waiting = []
