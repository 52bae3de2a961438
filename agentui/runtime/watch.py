"""A look at the rows, now and then, for everybody who follows a thread in this process.

Live hints may be lost, the last one of all included. So the versions of all followed threads are
looked at together, in two queries however many readers there are; a reader that is behind is told.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from django.db.models import Max

from ..conf import app_settings
from ..models import Run, Thread
from . import background
from .database import DATABASE_ERRORS, in_database
from .per_loop import PerLoop

logger = logging.getLogger("agentui")

_AT_ONCE = 500


@dataclass(slots=True)
class Latest:
    """How far a thread's rows are, and the journal of its active run."""

    version: int
    runs: dict[str, int] = field(default_factory=dict)


class Follower(Protocol):
    thread_id: uuid.UUID

    def look(self, latest: Latest | None) -> None:
        """Called with how far the thread is by now; None when it is gone."""


class Watch:
    """The followers of one event loop."""

    def __init__(self) -> None:
        self._followers: dict[uuid.UUID, set[Follower]] = {}
        self._task: asyncio.Task[None] | None = None

    def add(self, follower: Follower) -> None:
        self._followers.setdefault(follower.thread_id, set()).add(follower)
        if self._task is None or self._task.done():
            self._task = background.spawn(self._look(), name="agentui-watch")

    def remove(self, follower: Follower) -> None:
        followers = self._followers.get(follower.thread_id, set())
        followers.discard(follower)
        if not followers:
            self._followers.pop(follower.thread_id, None)

    async def _look(self) -> None:
        while self._followers:
            await asyncio.sleep(app_settings.FEED_POLL_INTERVAL)
            ids = list(self._followers)
            try:
                for start in range(0, len(ids), _AT_ONCE):
                    some = ids[start : start + _AT_ONCE]
                    self._tell(some, await in_database(latest_of, some))
            except DATABASE_ERRORS as error:
                logger.warning("Followed threads could not be looked at: %s", error)

    def _tell(self, ids: list[uuid.UUID], latest: Mapping[uuid.UUID, Latest]) -> None:
        for thread_id in ids:
            for follower in tuple(self._followers.get(thread_id, ())):
                follower.look(latest.get(thread_id))


def latest_of(ids: list[uuid.UUID]) -> dict[uuid.UUID, Latest]:
    """How far each of these threads is; two queries."""
    versions = Thread.objects.filter(pk__in=ids).values_list("pk", "version")
    latest = {pk: Latest(version) for pk, version in versions}
    journaled = (
        Run.objects.active()
        .filter(thread__in=ids)
        .annotate(last=Max("journal__last"))
        .values_list("thread_id", "pk", "last")
    )
    for thread_id, pk, last in journaled:
        if thread_id in latest:
            latest[thread_id].runs[str(pk)] = last or 0
    return latest


_watches = PerLoop(Watch)


def watch() -> Watch:
    """The watch of the running event loop."""
    return _watches.get()
