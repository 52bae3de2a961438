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

from ..adapters import ModelRequest, ToolDefinition, get_adapter
from ..agents import Agent, registry
from ..core.next_step import (
    AwaitApproval,
    AwaitResult,
    ExecuteTools,
    Finish,
    Roundtrip,
    RunState,
    next_step,
)
from ..core.parts import ToolCallPart
from ..core.statuses import Reason, RunStatus, Status
from ..exceptions import AgentUIError, Fenced, NotFound
from . import store
from .database import in_database
from .emitter import Emitter
from .journal import Journal
from .prepare import prepare_call
from .roundtrip import perform_roundtrip
from .store.history import request_messages
from .tool_execution import execute_tools, make_context

logger = logging.getLogger("agentui")

_FAILED = Status(RunStatus.INCOMPLETE, Reason.ERROR)


@dataclass(slots=True)
class RunTask:
    """A run in this process. ``stop`` is set when somebody asked for it to stop."""

    run_id: uuid.UUID
    journal: Journal
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    attempt: int = 0


async def run_loop(
    task: RunTask, *, owner: str, on_claim: Callable[[RunTask], None] = lambda task: None
) -> None:
    """Carry out a queued run until it is over or waits. Does nothing when another worker has it."""
    claim = await in_database(store.claim_run, task.run_id, owner)
    if claim is None:
        return
    task.attempt = claim.attempt
    on_claim(task)
    try:
        await _reply(task, claim)
    except (Fenced, NotFound):
        # Another worker has the run, or the thread is gone. Nothing of ours may be written.
        logger.info("Run %s is no longer ours", task.run_id)
    except AgentUIError as error:
        await _fail(claim, {"code": error.code, "message": error.message})
    except Exception:
        logger.exception("Run %s failed", task.run_id)
        await _fail(claim, {"code": "internal", "message": "Something went wrong on the server."})


async def _reply(task: RunTask, claim: store.Claim) -> None:
    agent = registry.get(claim.agent)
    state = await in_database(store.held_state, claim, max_roundtrips=agent.max_roundtrips)
    emitter = Emitter(claim, task.journal)
    error: dict[str, Any] | None = None
    while True:
        if task.stop.is_set():
            state = replace(state, cancel_requested=True)
        match next_step(state):
            case Roundtrip():
                state, error = await _roundtrip(agent, task, claim, state, emitter)
            case ExecuteTools(calls):
                state = await _execute(agent, task, claim, calls)
            case AwaitApproval() | AwaitResult():
                resumed = await in_database(
                    store.pause_run, claim, max_roundtrips=agent.max_roundtrips
                )
                if resumed is None:
                    return
                state = resumed
            case Finish(status):
                await in_database(store.finish_run, claim, status, error)
                return


async def _roundtrip(
    agent: Agent, task: RunTask, claim: store.Claim, state: RunState, emitter: Emitter
) -> tuple[RunState, dict[str, Any] | None]:
    adapter = get_adapter(agent.model)
    request = await _request(agent, task, claim, state, adapter.name)
    result = await perform_roundtrip(adapter, request, state.message, emitter, task.stop)
    claim.usage = _added(claim.usage, result.usage)
    await emitter.boundary()

    def prepare(part: ToolCallPart) -> store.PreparedCall:
        return prepare_call(agent, claim, part, make_context(claim, None, task.stop))

    stored = await in_database(
        store.store_roundtrip,
        claim,
        replace(result.message, model=adapter.name),
        first_new_part=len(state.message.parts),
        prepare=prepare,
        max_roundtrips=agent.max_roundtrips,
        model=adapter.name,
    )
    return stored, result.error


async def _request(
    agent: Agent, task: RunTask, claim: store.Claim, state: RunState, model: str
) -> ModelRequest:
    messages = await in_database(
        store.load_history, claim, state.message, limit=agent.history_limit
    )
    return ModelRequest(
        model=model,
        instructions=await _instructions(agent, task, claim),
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


async def _instructions(agent: Agent, task: RunTask, claim: store.Claim) -> str:
    """The agent's instructions, and what the page says about itself, marked as the page's words."""
    text = agent.instructions
    if callable(text):
        made = text(make_context(claim, None, task.stop))
        text = await made if isinstance(made, Awaitable) else made
    if not claim.context:
        return text
    readable = "\n".join(f"- {item['description']}: {item['value']}" for item in claim.context)
    return f"{text}\n\nThe page that the user has open says of itself:\n{readable}".strip()


async def _execute(
    agent: Agent, task: RunTask, claim: store.Claim, calls: tuple[str, ...]
) -> RunState:
    await execute_tools(agent, claim, calls, task.stop)
    return await in_database(store.held_state, claim, max_roundtrips=agent.max_roundtrips)


async def _fail(claim: store.Claim, error: dict[str, Any]) -> None:
    try:
        await in_database(store.finish_run, claim, _FAILED, error)
    except (Fenced, NotFound):
        logger.info("Run %s is no longer ours", claim.run_id)


def _added(usage: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Token counts summed over the roundtrips of a run."""
    return {
        name: usage.get(name, 0) + more.get(name, 0)
        for name in {**usage, **more}
        if isinstance(usage.get(name, 0), int) and isinstance(more.get(name, 0), int)
    }
