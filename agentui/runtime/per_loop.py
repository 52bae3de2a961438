from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerLoop(Generic[T]):
    """One value for each event loop, made in the loop when it is first asked for.

    What belonged to a loop that is closed is let go when the next loop asks.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._values: dict[asyncio.AbstractEventLoop, T] = {}

    def get(self) -> T:
        """The value of the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._values:
            for known in [known for known in self._values if known.is_closed()]:
                del self._values[known]
            self._values[loop] = self._make()
        return self._values[loop]
