"""The event loop that this process's runs and feeds live in.

A server that speaks ASGI has one loop; :func:`start` makes it known. Code in plain threads (an
admin view, an action) then reaches it with :func:`call_soon`. Where there is none, for example in a
management command, rows are written all the same and a process that has one finds them.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from .database import is_immediate

logger = logging.getLogger("agentui")

_loop: asyncio.AbstractEventLoop | None = None
_tasks: set[asyncio.Task[Any]] = set()
_on_start: list[Callable[[], None]] = []
_on_stop: dict[asyncio.AbstractEventLoop, list[Callable[[], Awaitable[None]]]] = {}


def start() -> None:
    """Make the running loop this process's loop; the first call starts what was registered."""
    global _loop
    running = asyncio.get_running_loop()
    if _loop is running:
        return
    _loop = running
    for callback in _on_start:
        callback()


def start_with_server() -> None:
    """Arrange for :func:`start` when the server starts, before anybody connects.

    Daphne sends no lifespan events; its Twisted reactor, which is already imported when it loads
    the application, tells when it runs. Other servers reach :func:`start` by their lifespan.
    """
    reactor = sys.modules.get("twisted.internet.reactor")
    if reactor is not None:
        reactor.callWhenRunning(_start_in_reactor)
        # A trigger that returns a Deferred holds the shutdown until it is done.
        reactor.addSystemEventTrigger("before", "shutdown", _stop_in_reactor)


def _start_in_reactor() -> None:
    try:
        start()
    except RuntimeError:
        # A reactor that is not asyncio's: the first connection starts us instead.
        logger.debug("The reactor has no asyncio loop yet")


def _stop_in_reactor() -> Any:
    from twisted.internet.defer import Deferred, succeed

    running = loop()
    if running is None:
        return succeed(None)
    return Deferred.fromFuture(running.create_task(shut_down()))


def on_start(callback: Callable[[], None]) -> None:
    """Call this, in the loop, when the loop becomes known."""
    _on_start.append(callback)


def on_stop(callback: Callable[[], Awaitable[None]]) -> None:
    """Await this when the process is asked to end: for what runs in the running loop."""
    _on_stop.setdefault(asyncio.get_running_loop(), []).append(callback)


async def shut_down() -> None:
    """The process is about to end: give everything back that another one can carry on with."""
    for callback in _on_stop.pop(asyncio.get_running_loop(), []):
        try:
            await callback()
        except Exception:
            logger.exception("Shutting down was not clean")


def loop() -> asyncio.AbstractEventLoop | None:
    """This process's loop while it runs, otherwise None."""
    if _loop is not None and _loop.is_running():
        return _loop
    return None


def call_soon(callback: Callable[..., None], *args: Any) -> bool:
    """Call this in the process's loop, from any thread. False when there is no loop."""
    target = loop()
    if target is None:
        return False
    # A fresh context: what the caller's request had set must not live on in a run.
    target.call_soon_threadsafe(callback, *args, context=contextvars.Context())
    return True


def spawn(coroutine: Coroutine[Any, Any, Any], *, name: str) -> asyncio.Task[Any]:
    """A task in a fresh context that is kept until it ends; an error in it is logged."""
    context = contextvars.Context()
    context.run(is_immediate.set, is_immediate.get())
    task = asyncio.get_running_loop().create_task(coroutine, name=name, context=context)
    _tasks.add(task)
    task.add_done_callback(_ended)
    return task


def _ended(task: asyncio.Task[Any]) -> None:
    _tasks.discard(task)
    if not task.cancelled() and (error := task.exception()):
        logger.error("%s failed", task.get_name(), exc_info=error)


async def stop() -> None:
    """End everything that was spawned in this loop, and forget the loop."""
    global _loop
    _loop = None
    mine = asyncio.get_running_loop()
    _on_stop.pop(mine, None)
    tasks = [task for task in _tasks if task.get_loop() is mine]
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
