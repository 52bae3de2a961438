"""What a worker knows of the run in its hands."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from ...models import Thread


@dataclass(slots=True)
class Claim:
    """A run in the hands of one worker. ``last_seq`` is the number of its last event so far."""

    run_id: uuid.UUID
    thread_id: uuid.UUID
    message_id: uuid.UUID
    parent_id: uuid.UUID | None
    owner_id: Any
    agent: str
    attempt: int
    last_seq: int
    tools: list[dict[str, Any]]
    context: list[dict[str, Any]]
    config: dict[str, Any]
    thread_state: Any = None
    version: int = 0
    usage: dict[str, int] = field(default_factory=dict)

    def saw(self, thread: Thread) -> None:
        """The rows this worker knows of; what it publishes from here on tells pages so."""
        if thread.version >= self.version:
            self.version, self.thread_state = thread.version, thread.state
