"""What a response of these protocols has to do, and how it ends."""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..core.events import ErrorEvent
from ..exceptions import AgentUIError
from . import items as it
from .following import follow_run
from .pacing import Pacing, server_tools
from .replies import reply_to

logger = logging.getLogger("agentui")

Piece = TypeVar("Piece")

_BROKEN = "Something went wrong. Reload to go on."


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


async def answer(
    plan: Plan, user: Any, encode: Callable[[it.Item], Iterable[str]], *, ping: str = ""
) -> AsyncGenerator[str]:
    """The plan's run as text: what ``encode`` says of each item, ``ping`` in silent times, and at the
    end, as an ``ErrorEvent``, what went wrong.

    Close it with ``contextlib.aclosing``; the run goes on.
    """

    async def pieces() -> AsyncGenerator[str]:
        async with aclosing(follow_plan(plan, user)) as groups:
            async for group in groups:
                if group == [it.Heartbeat()]:
                    text = ping
                else:
                    text = "".join(piece for item in group for piece in encode(item))
                if text:
                    yield text

    async with aclosing(
        with_problems(plan, pieces(), lambda error: "".join(encode(error)))
    ) as texts:
        async for text in texts:
            yield text


async def with_problems(
    plan: Plan, pieces: AsyncGenerator[Piece], tell: Callable[[ErrorEvent], Piece]
) -> AsyncGenerator[Piece]:
    """The pieces of an answer, then what ``tell`` makes of each thing that went wrong: the plan's
    refusals, or the error that ended the pieces. An answer that has begun has no other place for it.
    """
    try:
        async with aclosing(pieces):
            async for piece in pieces:
                yield piece
        problems = [refusal.message for refusal in plan.refusals]
    except AgentUIError as error:
        problems = [error.message]
    except Exception:
        logger.exception("A stream failed")
        problems = [_BROKEN]
    for problem in problems:
        yield tell(ErrorEvent(problem))
