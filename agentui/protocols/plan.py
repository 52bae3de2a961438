"""What a response of these protocols has to do."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from ..exceptions import AgentUIError
from . import items as it
from .following import follow_run
from .pacing import Pacing, server_tools
from .replies import reply_to


@dataclass(slots=True)
class Plan:
    """The run to follow, or the queued message whose run is to come; and what the client has of it.

    ``refusals`` are reported after what the run has to say.
    """

    agent: str
    thread: uuid.UUID
    run: uuid.UUID | None = None
    queued: uuid.UUID | None = None
    seen: it.Seen | None = None
    refusals: list[AgentUIError] = field(default_factory=list)

    @property
    def parts(self) -> int:
        """How many parts of the run's message the client has."""
        return self.seen.parts if self.seen else 0


async def follow_plan(plan: Plan, user: Any) -> AsyncGenerator[list[it.Item]]:
    """The plan's run, paced: what each item became. A heartbeat comes alone.

    Close it with ``contextlib.aclosing``; the run goes on.
    """
    run = plan.run
    if run is None:
        assert plan.queued is not None
        async with aclosing(reply_to(plan.queued, plan.thread, user)) as replies:
            async for run in replies:
                if run is None:
                    yield [it.Heartbeat()]
    assert run is not None
    pacing = Pacing(server_tools(plan.agent), plan.parts)
    async with aclosing(follow_run(run, user, cursor=plan.seen)) as items:
        async for item in items:
            yield list(pacing.pass_on(item))
