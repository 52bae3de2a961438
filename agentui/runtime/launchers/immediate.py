"""Runs carried out at once, in the caller's thread and transaction. For tests of a site."""

from __future__ import annotations

import uuid

from asgiref.sync import async_to_sync
from django.db import transaction

from ..database import is_immediate
from ..runner import Runner
from .base import Launcher


class ImmediateLauncher(Launcher):
    """``launch`` returns when the run is over or waits. Not for use inside an event loop."""

    def queue(self, run_id: uuid.UUID, thread_id: uuid.UUID) -> None:
        transaction.on_commit(lambda: self.launch(run_id))

    def launch(self, run_id: uuid.UUID) -> None:
        async_to_sync(self._carry_out)(run_id)

    async def _carry_out(self, run_id: uuid.UUID) -> None:
        token = is_immediate.set(True)
        try:
            await Runner().carry_out(run_id)
        finally:
            is_immediate.reset(token)
