from __future__ import annotations

import uuid
from abc import ABC, abstractmethod


class Launcher(ABC):
    """Starts run loops. A launch may be lost or doubled: the claim on the run's row decides."""

    #: Runs are carried out in another process than the one that launches them.
    is_out_of_process = False

    @abstractmethod
    def launch(self, run_id: uuid.UUID) -> None:
        """Called from any thread once the run is committed as queued. Must return soon."""

    @abstractmethod
    def stop(self, run_id: uuid.UUID) -> None:
        """Called once it is committed that the run was asked to stop. A hint, and may do nothing:
        whoever carries the run out looks at its row."""
