from __future__ import annotations

import asyncio


class Window:
    """How much a socket is sent before its page must give a sign of life.

    A server may take whatever it is given and keep it for a client that never reads. So frames of a
    feed wait here once ``size`` bytes are on their way, until any frame comes from the page; the feed
    behind is pulled, and catches the page up from the journal.
    """

    def __init__(self, size: int, silence: float) -> None:
        self._size = size
        self._silence = silence
        self._sent = 0
        self._is_open = asyncio.Event()
        self._is_open.set()

    async def wait(self) -> None:
        """Return when something may be sent. Raises ``TimeoutError`` for a page that is silent."""
        if not self._is_open.is_set():
            await asyncio.wait_for(self._is_open.wait(), self._silence)

    def sent(self, size: int) -> None:
        """This many bytes were handed to the server."""
        self._sent += size
        if self._sent >= self._size:
            self._is_open.clear()

    def heard(self) -> None:
        """A frame came from the page."""
        self._sent = 0
        self._is_open.set()
