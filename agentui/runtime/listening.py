"""Hearing what is sent to a group of the channel layer, for as long as somebody wants to.

What is heard are hints. So a layer whose server is away is no error here: whoever listens looks at
the rows, and hears again once the layer is back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

from channels.layers import get_channel_layer

from ..conf import app_settings
from .per_loop import PerLoop

logger = logging.getLogger("agentui")

_PATIENCE = 3.0
"""Seconds in which a layer has to answer before its listeners begin without it."""


class Listener:
    """Calls ``on_hint`` with each hint for ``group``; ``on_gap`` when some may have been missed.

    As a context manager: inside, everything that is sent is heard, or ``on_gap`` is called later.
    """

    def __init__(
        self, group: str, on_hint: Callable[[dict[str, Any]], None], on_gap: Callable[[], None]
    ) -> None:
        self._group = group
        self._on_hint = on_hint
        self._on_gap = on_gap
        self._channel = ""
        self._tried = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        layer = get_channel_layer()
        if layer is not None:
            self._task = asyncio.create_task(self._listen(layer), name="agentui-listener")
            if _away.get().is_away:
                self._tried.set()
            try:
                await asyncio.wait_for(self._tried.wait(), _PATIENCE)
            except TimeoutError:
                self._tried.set()
            except asyncio.CancelledError:
                await self.__aexit__()
                raise
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        layer = get_channel_layer()
        if layer is not None:
            await self._leave(layer)

    async def _listen(self, layer: Any) -> None:
        while True:
            try:
                await self._reach(layer)
                if self._tried.is_set():
                    self._on_gap()
                self._tried.set()
                await self._hear(layer)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                # Whatever the layer's transport raises.
                logger.warning("The channel layer is away: %s", type(error).__name__)
            self._tried.set()
            await self._leave(layer)

    async def _reach(self, layer: Any) -> None:
        """Subscribe. While the layer is away one listener at a time tries, now and then: a thousand
        pages must not storm a server that is coming up, and each try may leave something behind."""
        away = _away.get()
        if away.is_away:
            async with away.turn:
                if away.is_away:
                    await asyncio.sleep(app_settings.FEED_POLL_INTERVAL)
                    await self._subscribe(layer, away)
                    return
        await self._subscribe(layer, away)

    async def _subscribe(self, layer: Any, away: _Away) -> None:
        try:
            self._channel = await layer.new_channel("agentui.listener")
            await layer.group_add(self._group, self._channel)
        except Exception:
            away.is_away = True
            raise
        away.is_away = False
        if is_cancelled():
            # Somebody on the way to the layer's server swallowed it.
            raise asyncio.CancelledError

    async def _hear(self, layer: Any) -> None:
        while True:
            hint = await layer.receive(self._channel)
            if hint.get("type") == "agentui.hint":
                self._on_hint(hint)

    async def _leave(self, layer: Any) -> None:
        channel, self._channel = self._channel, ""
        if channel:
            with suppress(Exception):
                await layer.group_discard(self._group, channel)


def is_cancelled() -> bool:
    """This task was told to end, whether or not it has heard of it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


@dataclass(slots=True)
class _Away:
    """Whether the layer was away at the last try in this loop, and whose turn it is to try again."""

    is_away: bool = False
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


_away = PerLoop(_Away)
