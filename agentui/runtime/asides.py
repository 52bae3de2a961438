"""What follows a run and is no part of it: a title while there is none, and what to say next.

Nothing depends on it. It holds no lease and no place among the runs; an error is logged, a process
that ends leaves it, and what it finds is stored only where it still fits.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

from ..adapters import Suggestion, SuggestionAdapter, TitleAdapter
from ..agents import registry
from ..exceptions import AgentUIError, UnknownAgent
from ..models import Thread
from . import background
from .database import DATABASE_ERRORS, in_database
from .store.asides import Aside, is_wanted, load_aside, store_suggestions, title_if_unset

logger = logging.getLogger("agentui")

_PATIENCE = 30.0
"""Seconds a model may take for either."""
_LOOK_INTERVAL = 1.0
_MOST = 6


class Asides:
    """The asides of this process, a task for each thread and kind."""

    def __init__(self) -> None:
        self._tasks: dict[tuple[str, uuid.UUID], asyncio.Task[None]] = {}

    def run_ended(self, run_id: uuid.UUID, thread_id: uuid.UUID, agent: str) -> None:
        """Called when a run is over or waits; begins what the agent has an adapter for."""
        try:
            found = registry.get(agent)
        except UnknownAgent:
            return
        if isinstance(found.titles, TitleAdapter):
            self._begin(("title", thread_id), _title(run_id, found.titles))
        if isinstance(found.suggestions, SuggestionAdapter):
            self._begin(("suggestions", thread_id), _suggest(run_id, found.suggestions))

    def run_began(self, thread_id: uuid.UUID) -> None:
        """Called when a run is claimed: what is proposed by now is out of date."""
        if task := self._tasks.pop(("suggestions", thread_id), None):
            task.cancel()

    async def of(self, thread_id: uuid.UUID) -> None:
        """Wait for those of a thread: a worker must not end before them."""
        tasks = [task for (_, thread), task in self._tasks.items() if thread == thread_id]
        if tasks:
            await asyncio.wait(tasks)

    def stop(self) -> None:
        """The process is about to end."""
        for task in self._tasks.values():
            task.cancel()

    def _begin(self, key: tuple[str, uuid.UUID], work: Any) -> None:
        if known := self._tasks.get(key):
            known.cancel()
        task = background.spawn(_quietly(work), name=f"agentui-{key[0]}")
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._ended(key, done))

    def _ended(self, key: tuple[str, uuid.UUID], task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]


async def _quietly(work: Any) -> None:
    try:
        async with asyncio.timeout(_PATIENCE):
            await work
    except TimeoutError:
        logger.info("A title or suggestions took too long")
    except (AgentUIError, *DATABASE_ERRORS) as error:
        logger.warning("A title or suggestions were not found: %s", error)
    except Exception:
        logger.exception("A title or suggestions were not found")


async def _title(run_id: uuid.UUID, adapter: TitleAdapter) -> None:
    aside = await in_database(load_aside, run_id)
    if aside is None or not aside.is_untitled:
        return
    title = await adapter.title(aside.messages)
    await in_database(title_if_unset, aside.thread_id, title, Thread.TitleSource.MODEL)


async def _suggest(run_id: uuid.UUID, adapter: SuggestionAdapter) -> None:
    aside = await in_database(load_aside, run_id)
    if aside is None or not aside.is_complete:
        return
    work = asyncio.ensure_future(_stream(aside, adapter))
    try:
        # A run may begin in another process, which cannot tell us.
        while not (await asyncio.wait({work}, timeout=_LOOK_INTERVAL))[0]:
            if not await in_database(is_wanted, aside):
                return
        work.result()
    finally:
        work.cancel()
        await asyncio.wait({work})


async def _stream(aside: Aside, adapter: SuggestionAdapter) -> None:
    async with aclosing(adapter.suggest(aside.messages)) as proposals:
        async for proposed in proposals:
            if not await in_database(store_suggestions, aside, _rows(proposed)):
                return


def _rows(proposed: Sequence[Suggestion | str]) -> list[dict[str, Any]]:
    made = [Suggestion(item) if isinstance(item, str) else item for item in proposed]
    return [item.to_json() for item in made if item.prompt.strip()][:_MOST]
