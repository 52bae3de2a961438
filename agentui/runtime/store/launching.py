"""A launch belongs to the transaction that made it necessary, and happens after its commit."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.db import transaction

_launch: Callable[[uuid.UUID], None] | None = None


def set_launch(launch: Callable[[uuid.UUID], None]) -> None:
    """Tell the store how runs are launched; ``launchers`` does this when it is imported."""
    global _launch
    _launch = launch


def launch_after_commit(run_id: uuid.UUID) -> None:
    """Launch this run once the transaction is committed. A launch that is lost is recovered."""

    def launch() -> None:
        if _launch is not None:
            _launch(run_id)

    transaction.on_commit(launch)
