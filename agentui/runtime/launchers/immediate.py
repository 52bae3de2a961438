"""Runs carried out at once, in the caller's thread and transaction. For tests of a site."""

from __future__ import annotations

import threading
import uuid

from asgiref.sync import async_to_sync
from django.db import transaction

from ..database import is_immediate
from ..runner import Runner
from .base import Launcher


class _Following(threading.local):
    """Runs that were begun while one is carried out, as by the outcome of a call: they come after
    it. What a run does in the database it does in the caller's thread."""

    runs: list[uuid.UUID] | None = None


_following = _Following()


class ImmediateLauncher(Launcher):
    """``launch`` returns when the run, and what it began, is over or waits. Not for use inside an
    event loop."""

    def queue(self, run_id: uuid.UUID, thread_id: uuid.UUID) -> None:
        transaction.on_commit(lambda: self.launch(run_id))

    def launch(self, run_id: uuid.UUID) -> None:
        if _following.runs is not None:
            _following.runs.append(run_id)
            return
        _following.runs = [run_id]
        try:
            while _following.runs:
                async_to_sync(self._carry_out)(_following.runs.pop(0))
        finally:
            _following.runs = None

    async def _carry_out(self, run_id: uuid.UUID) -> None:
        token = is_immediate.set(True)
        try:
            await Runner().carry_out(run_id)
        finally:
            is_immediate.reset(token)
