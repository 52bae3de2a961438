"""The thread's state as a follower has been told it, and what rows and events add."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.state_ops import StateOperationError, apply_operations
from .items import Item, StateChanged


class StateView:
    """``stored`` is the state of the thread's row; what was told may be ahead of it."""

    def __init__(self, stored: Any) -> None:
        self._stored = self._told = stored

    def stream(self, operations: tuple[Any, ...]) -> Iterator[Item]:
        """What an answer that is being written says of the state."""
        try:
            self._told = apply_operations(self._told, operations)
        except StateOperationError:
            # Some do not fit, and a client may not skip them as we do.
            self._told, operations = apply_operations(self._told, operations, strict=False), ()
        yield StateChanged(self._told, operations)

    def take(self, stored: Any, *, is_settled: bool) -> Iterator[Item]:
        """The row's state. What was streamed is not in it before its answer is: ``is_settled``."""
        is_changed, self._stored = stored != self._stored, stored
        if (is_changed or is_settled) and self._told != stored:
            self._told = stored
            yield StateChanged(stored)
