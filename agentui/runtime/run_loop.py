"""One reply, from beginning to end: a do-while of roundtrips.

The next step is a value; every arm calls one named function. Pausing is returning. Resuming is
entering the same loop again from rows, so there is one loop and no special case for it.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import InterfaceError, OperationalError

from ..adapters import ModelRequest, ToolDefinition, get_adapter
from ..agents import Agent, registry
from ..core.errors import to_assistant_error
from ..core.next_step import (
    AwaitApproval,
    AwaitResult,
    ExecuteTools,
    Finish,
    Roundtrip,
    RunState,
    next_step,
)
from ..core.parts import Message, ToolCallPart
from ..core.statuses import Reason, RunStatus, Status
from ..exceptions import AgentUIError, Fenced, NotFound
from . import store
from .database import DATABASE_ERRORS, in_database, insist
from .emitter import Emitter
from .journal import Journal
from .prepare import prepare_call
from .roundtrip import perform_roundtrip
from .store.history import request_messages
from .tool_context import make_context
from .tool_execution import execute_tools

logger = logging.getLogger("agentui")

_FAILED = Status(RunStatus.INCOMPLETE, Reason.ERROR)


@dataclass(slots=True)
class RunTask:
    """A run in this process. ``stop`` is set when somebody asked for it to stop, ``let_go`` when
    the process is about to end, ``is_abandoned`` when the run is another worker's by now,
    ``is_wanted_again`` when it was launched while this task had not ended."""

    run_id: uuid.UUID
    journal: Journal
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    attempt: int = 0
    thread_id: uuid.UUID | None = None
    agent: str = ""
    let_go: bool = False
    is_abandoned: bool = False
    is_wanted_again: bool = False


async def run_loop(
    task: RunTask, *, owner: str, on_claim: Callable[[RunTask], None] = lambda task: None
) -> None:
    """Carry out a queued run until it is over or waits. Does nothing when another worker has it."""
    try:
        claim = await insist(store.claim_run, task.run_id, owner)
    except asyncio.CancelledError:
        await _give_back(store.release_taken, task.run_id, owner)
        raise
    if claim is None:
        return
    task.attempt, task.thread_id, task.agent = claim.attempt, claim.thread_id, claim.agent
    on_claim(task)
    try:
        await _reply(task, claim)
    except (Fenced, NotFound):
        # Another worker has the run, or the thread is gone. Nothing of ours may be written.
        logger.info("Run %s is no longer ours", task.run_id)
    except asyncio.CancelledError:
        if task.let_go and not task.is_abandoned:
            await _give_back(store.release_run, claim)
        raise
    except AgentUIError as error:
        await _fail(claim, error)
    except (OperationalError, InterfaceError):
        # What is stored is not known, so nothing more is: the lease ends, and recovery has the run.
        logger.exception("Run %s lost its database", task.run_id)
    except Exception as error:
        logger.exception("Run %s failed", task.run_id)
        await _fail(claim, error)


async def _reply(task: RunTask, claim: store.Claim) -> None:
    agent = registry.get(claim.agent)
    state = await insist(store.held_state, claim, max_roundtrips=agent.max_roundtrips)
    work = _Work(agent, task, claim, Emitter(claim, task.journal))
    try:
        while True:
            if task.let_go:
                await _give_back(store.release_run, claim)
                return
            if task.stop.is_set():
                state = replace(state, cancel_requested=True)
            match next_step(state):
                case Roundtrip():
                    state = await _roundtrip(work, state)
                case ExecuteTools(calls):
                    state = await _execute(work, calls)
                case AwaitApproval() | AwaitResult():
                    resumed = await insist(
                        store.pause_run, claim, max_roundtrips=agent.max_roundtrips
                    )
                    if resumed is None:
                        return
                    state = resumed
                case Finish(status):
                    await insist(store.finish_run, claim, status, work.error)
                    return
    finally:
        work.emitter.discard()


@dataclass(slots=True)
class _Work:
    """What one attempt at a run works with. ``earlier`` is the history before its own message,
    read once: an active run's history does not change."""

    agent: Agent
    task: RunTask
    claim: store.Claim
    emitter: Emitter
    earlier: tuple[Message, ...] | None = None
    error: dict[str, Any] | None = None


async def _roundtrip(work: _Work, state: RunState) -> RunState:
    agent, claim, stop = work.agent, work.claim, work.task.stop
    adapter = get_adapter(agent.model)
    request = await _request(work, state, adapter.name)
    result = await perform_roundtrip(adapter, request, state.message, work.emitter, stop)
    claim.usage = _added(claim.usage, result.usage)
    work.error = result.error
    await work.emitter.boundary()

    def prepare(part: ToolCallPart) -> store.PreparedCall:
        return prepare_call(agent, claim, part, make_context(claim, None, stop))

    return await insist(
        store.store_roundtrip,
        claim,
        replace(result.message, model=adapter.name),
        first_new_part=len(state.message.parts),
        state_operations=result.state,
        prepare=prepare,
        max_roundtrips=agent.max_roundtrips,
        model=adapter.name,
    )


async def _request(work: _Work, state: RunState, model: str) -> ModelRequest:
    agent, claim = work.agent, work.claim
    if work.earlier is None:
        work.earlier = await insist(store.load_earlier, claim, limit=agent.history_limit)
    messages = (*work.earlier, state.message)
    return ModelRequest(
        model=model,
        instructions=await _instructions(work),
        messages=request_messages(messages, limit=agent.history_limit, model=model),
        tools=_tools(agent, claim),
        settings=dict(agent.settings),
        thread_id=str(claim.thread_id),
        run_id=str(claim.run_id),
        roundtrip=state.roundtrips + 1,
        metadata={"agent": agent.name, "config": claim.config},
    )


def _tools(agent: Agent, claim: store.Claim) -> tuple[ToolDefinition, ...]:
    own = [ToolDefinition(**tool.definition) for tool in agent.usable_tools]
    if not agent.accepts_frontend_tools:
        return tuple(own)
    names = {tool.name for tool in own}
    page = [
        ToolDefinition(tool["name"], tool.get("description", ""), tool["parameters"])
        for tool in claim.tools
        if tool["name"] not in names
    ]
    return (*own, *page)


async def _instructions(work: _Work) -> str:
    """The agent's instructions, and what the page says about itself, marked as the page's words."""
    claim, text = work.claim, work.agent.instructions
    if callable(text):
        made = text(make_context(claim, None, work.task.stop))
        text = await made if isinstance(made, Awaitable) else made
    if not claim.context:
        return text
    readable = "\n".join(f"- {item['description']}: {item['value']}" for item in claim.context)
    return f"{text}\n\nThe page that the user has open says of itself:\n{readable}".strip()


async def _execute(work: _Work, calls: tuple[str, ...]) -> RunState:
    await execute_tools(work.agent, work.claim, calls, work.task.stop)
    return await insist(store.held_state, work.claim, max_roundtrips=work.agent.max_roundtrips)


async def _give_back(release: Callable[..., bool], *args: Any) -> None:
    try:
        await in_database(release, *args)
    except DATABASE_ERRORS:
        logger.exception("A run could not be given back; its lease will end: %s", args)


async def _fail(claim: store.Claim, error: Exception) -> None:
    try:
        await insist(store.finish_run, claim, _FAILED, to_assistant_error(error))
    except (Fenced, NotFound):
        logger.info("Run %s is no longer ours", claim.run_id)


def _added(usage: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Token counts summed over the roundtrips of a run."""
    return {
        name: usage.get(name, 0) + more.get(name, 0)
        for name in {**usage, **more}
        if isinstance(usage.get(name, 0), int) and isinstance(more.get(name, 0), int)
    }
