from __future__ import annotations

import asyncio
import random
from typing import Any

from channels.layers import InMemoryChannelLayer


class ChaosChannelLayer(InMemoryChannelLayer):  # type: ignore[misc]  # Channels has no types
    """A channel layer that behaves as badly as a real one may: drops, doubles and reorders.

    The same ``seed`` misbehaves in the same way. For tests of what must hold all the same::

        CHANNEL_LAYERS = {"default": {
            "BACKEND": "agentui.testing.chaos.ChaosChannelLayer",
            "CONFIG": {"drop": 0.3, "double": 0.1, "delay": 0.02, "seed": 7},
        }}

    ``delay`` is the longest extra delay of a message, in seconds; later ones may overtake it.
    """

    def __init__(
        self,
        *args: Any,
        drop: float = 0.3,
        double: float = 0.1,
        delay: float = 0.02,
        seed: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.drop = drop
        self.double = double
        self.delay = delay
        self.dropped = 0
        self._random = random.Random(seed)  # noqa: S311  misbehaviour, not secrets
        self._late: set[asyncio.Task[None]] = set()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Called for every hint; each is lost, late, or twice, as chance has it."""
        if self._random.random() < self.drop:
            self.dropped += 1
            return
        times = 2 if self._random.random() < self.double else 1
        for _ in range(times):
            wait = self._random.random() * self.delay
            task = asyncio.create_task(self._send_late(group, dict(message), wait))
            self._late.add(task)
            task.add_done_callback(self._late.discard)

    async def _send_late(self, group: str, message: dict[str, Any], wait: float) -> None:
        await asyncio.sleep(wait)
        await super().group_send(group, message)
