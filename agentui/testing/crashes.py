"""A process that dies at a chosen moment, without a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..runtime import database


class Crash(BaseException):
    """The process is dead from here on. No ``except Exception`` survives it."""


@dataclass(slots=True)
class Death:
    """When it comes: at visit number ``at`` to the database, before or after its commit. With
    ``function`` only visits that carry out the function of this name count."""

    at: int | None
    after_commit: bool = False
    function: str = ""
    visits: int = 0
    has_come: bool = False

    def come(self) -> None:
        """Die now: for a model or a tool."""
        self.has_come = True
        raise Crash


@contextmanager
def crashing(at: int | None, *, after_commit: bool = False, function: str = "") -> Iterator[Death]:
    """Within the block the runtime dies at its visit number ``at`` to the database.

    A dead process writes nothing: every later visit raises :class:`Crash` too. Whatever was committed
    stays. With ``at=None`` it lives.
    """
    death = Death(at, after_commit, function)

    def around(call: Callable[[], Any]) -> Callable[[], Any]:
        def crossing() -> Any:
            if death.has_come:
                raise Crash
            name = getattr(getattr(call, "func", call), "__name__", "")
            death.visits += function in ("", name)
            if function not in ("", name):
                return call()
            if death.visits != death.at:
                return call()
            death.has_come = True
            if death.after_commit:
                call()
            raise Crash

        return crossing

    before, database.around_crossings = database.around_crossings, around
    try:
        yield death
    finally:
        database.around_crossings = before
