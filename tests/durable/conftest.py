from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from agentui import actions

from . import agents  # noqa: F401  registers the agent
from .processes import Nursery


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Callable[..., Nursery]]:
    """``nursery(LEASE_SECONDS=1)``: a process that forks servers with these settings."""
    made: list[Nursery] = []

    def make(**agentui: Any) -> Nursery:
        connection.close()
        made.append(Nursery(tmp_path / "server.log", **agentui))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def say(user: Any) -> Callable[[str], actions.Sent]:
    """Send the stayer a message, as the page of ``user`` would."""

    def send(text: str, **fields: Any) -> actions.Sent:
        return actions.send_message(
            user, agent="stayer", parts=[{"type": "text", "text": text}], **fields
        )

    return send
