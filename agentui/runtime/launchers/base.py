from __future__ import annotations

import uuid
from abc import ABC, abstractmethod

from django.db import transaction

from ...conf import app_settings


class Launcher(ABC):
    """Starts run loops. A launch may be lost or doubled: the claim on the run's row decides."""

    #: Runs are carried out in another process than the one that launches them.
    is_out_of_process = False

    @property
    def patience(self) -> float:
        """Seconds a run may be queued before its launch counts as lost and it is launched again."""
        return app_settings.RECOVERY_INTERVAL

    @property
    def can_launch(self) -> bool:
        """This process is able to launch a run."""
        return True

    def prepare(self) -> None:  # noqa: B027  most have nothing to prepare
        """Called in every process of the site once Django is ready: declare jobs here."""

    def queue(self, run_id: uuid.UUID, thread_id: uuid.UUID) -> None:
        """Called in the transaction that queues the run. Launches it after the commit; an engine
        whose jobs live in the same database puts its job into the transaction instead.

        What goes wrong after the commit is logged: the run is queued and will be found.
        """
        transaction.on_commit(lambda: self.launch(run_id), robust=True)

    def recover_jobs(self) -> None:  # noqa: B027  most have no jobs
        """Called in a database thread at each look for stuck runs: for jobs that lost their worker."""

    @abstractmethod
    def launch(self, run_id: uuid.UUID) -> None:
        """Called from any thread once the run is committed as queued. Must return soon."""

    def stop(self, run_id: uuid.UUID) -> None:  # noqa: B027  a hint
        """Called once it is committed that the run was asked to stop. A hint, and may do nothing:
        whoever carries the run out looks at its row."""
