"""The threads in which sync tools run: a bounded number at work, each in a thread of its own.

A thread cannot be stopped from outside. One whose tool was given up (its time was over, somebody
stopped the run) is left to itself and its place is given to the next tool, so that tools that hang
do not bring all others to a halt; as many may hang as may work. The threads are daemons: a tool
that hangs does not keep the process from ending.
"""

from __future__ import annotations

import asyncio
import contextvars
import itertools
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from ..conf import app_settings
from .database import close_connections_after

_numbers = itertools.count(1)


class ToolThreads:
    """A process's places for sync tools. May be used from several event loops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = 0
        self._waiting: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = deque()
        self._threads: set[threading.Thread] = set()
        self._hanging = 0

    @property
    def hanging(self) -> int:
        """Threads whose tool was given up and has not come back."""
        return self._hanging

    async def place(self) -> Place:
        """A place for one tool, as soon as there is one."""
        while True:
            with self._lock:
                if self._taken < app_settings.TOOL_THREADS:
                    self._taken += 1
                    return Place(self)
                loop = asyncio.get_running_loop()
                free: asyncio.Future[None] = loop.create_future()
                self._waiting.append((loop, free))
            try:
                await free
            except asyncio.CancelledError:
                with self._lock:
                    self._wake()  # In case it was just this one that had been woken.
                raise

    def start(self, run: Callable[[], None]) -> None:
        def target() -> None:
            try:
                run()
            finally:
                with self._lock:
                    self._threads.discard(threading.current_thread())

        thread = threading.Thread(target=target, name=f"agentui-tool-{next(_numbers)}", daemon=True)
        with self._lock:
            self._threads.add(thread)
        thread.start()

    def give_back(self) -> None:
        with self._lock:
            self._taken -= 1
            self._wake()

    def give_up(self) -> bool:
        """A tool hangs. True when its place may be used again meanwhile."""
        with self._lock:
            if self._hanging >= app_settings.TOOL_THREADS:
                return False
            self._hanging += 1
            self._taken -= 1
            self._wake()
            return True

    def came_back(self) -> None:
        with self._lock:
            self._hanging -= 1

    def join(self, seconds: float) -> None:
        """Wait for the tools that are running, ``seconds`` for each at most."""
        with self._lock:
            threads = list(self._threads)
        for thread in threads:
            thread.join(seconds)

    def _wake(self) -> None:
        while self._waiting:
            loop, free = self._waiting.popleft()
            if loop.is_closed() or free.cancelled():
                continue
            loop.call_soon_threadsafe(_set, free, None, None)
            return


class Place:
    """One tool's place: taken, used once, given back by itself."""

    def __init__(self, threads: ToolThreads) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._state = "free"  # -> running -> ended, or -> given_up -> ended

    def run(self, call: Callable[[], Any]) -> asyncio.Future[Any]:
        """Start ``call`` in a thread, in a copy of this context; its outcome as a future."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        context = contextvars.copy_context()
        self._state = "running"

        def work() -> None:
            error: BaseException | None = None
            value: Any = None
            try:
                value = context.run(close_connections_after(call))
            except BaseException as problem:
                error = problem
            self._ended()
            if not loop.is_closed():
                loop.call_soon_threadsafe(_set, future, value, error)

        self._threads.start(work)
        return future

    def leave(self) -> None:
        """Nobody waits for the tool any more: a place that is still in use is given up."""
        with self._lock:
            if self._state == "free":
                self._state = "ended"
                self._threads.give_back()
            elif self._state == "running" and self._threads.give_up():
                self._state = "given_up"

    def _ended(self) -> None:
        with self._lock:
            if self._state == "given_up":
                self._threads.came_back()
            else:
                self._threads.give_back()
            self._state = "ended"


def _set(future: asyncio.Future[Any], value: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
        return
    if not isinstance(error, Exception) or isinstance(error, StopIteration):
        # Neither may travel through an event loop: one would end the server, one a coroutine.
        error = RuntimeError(f"the tool raised {type(error).__name__}")
    future.set_exception(error)
    future.exception()  # Whoever gave the tool up does not ask for it.


tool_threads = ToolThreads()
