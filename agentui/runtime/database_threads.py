"""The process's database threads: as many connections, whatever the number of runs and sockets."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from django.db import connections

from ..conf import app_settings

_Work = tuple[Callable[[], Any], "Future[Any]"]


class DatabaseThreads:
    """Made at first use, each when the others are busy. A thread closes its connection at its end.

    Daemons: a database that hangs does not keep the process from ending.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._idle = 0

    def submit(self, call: Callable[[], Any]) -> Future[Any]:
        """Run this in one of the threads, as soon as one is free."""
        future: Future[Any] = Future()
        with self._lock:
            self._waiting.put((call, future))
            if self._idle:
                self._idle -= 1
            elif len(self._threads) < app_settings.DATABASE_THREADS:
                thread = threading.Thread(
                    target=self._work,
                    args=(self._waiting,),
                    name=f"agentui-db-{len(self._threads) + 1}",
                    daemon=True,
                )
                self._threads.append(thread)
                thread.start()
        return future

    def close(self) -> None:
        """Let what was begun end, and close the connections. The next crossing makes new threads."""
        with self._lock:
            threads, self._threads = self._threads, []
            waiting, self._waiting = self._waiting, queue.SimpleQueue()
            self._idle = 0
            for _ in threads:
                waiting.put(None)
        for thread in threads:
            thread.join()

    def _work(self, waiting: queue.SimpleQueue[_Work | None]) -> None:
        try:
            while (work := waiting.get()) is not None:
                call, future = work
                if future.set_running_or_notify_cancel():
                    _carry_out(call, future)
                del call, future, work  # An idle thread keeps nothing alive.
                with self._lock:
                    if self._waiting is waiting and waiting.empty():
                        self._idle += 1
        finally:
            connections.close_all()


def _carry_out(call: Callable[[], Any], future: Future[Any]) -> None:
    try:
        value = call()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(value)


threads = DatabaseThreads()
