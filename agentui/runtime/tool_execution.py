"""Running the server calls of a roundtrip: each claimed, each answered, whatever happens.

Calls run side by side up to the agent's limit; a ``sequential`` tool runs alone. An error, a
timeout, a stop: each becomes the call's answer, which the model sees; none ends the run.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from asgiref.sync import sync_to_async
from django.db import close_old_connections

from ..agents import Agent, RunContext, Tool, ToolCancelled, ToolResult, to_tool_result
from ..conf import app_settings
from ..core import texts
from ..core.statuses import ToolCallStatus
from ..exceptions import AgentUIError, ToolArgumentsError
from ..models import ToolCall
from .database import in_database, insist, is_immediate, retrying
from .store import Claim, claim_call, read_state, run_transactional, settle_call
from .store.calls import NotMine, Outcome
from .tool_context import as_fields, collect_state, make_context
from .tool_threads import Place, tool_threads

logger = logging.getLogger("agentui")

_GRACE = 0.5
"""Seconds that a tool has to answer by itself once its run was stopped."""


async def execute_tools(
    agent: Agent, claim: Claim, call_ids: Sequence[str], stop: asyncio.Event
) -> None:
    """Run these calls and store their answers. Returns when each is answered or withdrawn.

    When storing one fails, the others are still waited for; then the error is raised.
    """
    limit = asyncio.Semaphore(agent.tool_concurrency)
    alone = asyncio.Lock()

    async def run(call_id: str) -> None:
        async with limit:
            await _execute(agent, claim, uuid.UUID(call_id), stop, alone)

    tasks = [asyncio.create_task(run(call_id)) for call_id in call_ids]
    try:
        await asyncio.wait(tasks)
    finally:
        # Cancelled ourselves: this process ends, or the run is no longer ours.
        for task in tasks:
            task.cancel()
    for task in tasks:
        task.result()


async def _execute(
    agent: Agent, claim: Claim, call_id: uuid.UUID, stop: asyncio.Event, alone: asyncio.Lock
) -> None:
    if stop.is_set():
        return
    row = await insist(ToolCall.objects.get, pk=call_id)
    tool = agent.tool(row.tool_name)
    if tool is None or (row.tool_digest and row.tool_digest != tool.digest):
        changed = Outcome(ToolCallStatus.FAILED, texts.tool_changed(row.tool_name), is_error=True)
        if await insist(claim_call, claim, call_id):
            await insist(settle_call, claim, row, changed)
        return
    if tool.sequential:
        async with alone:
            await _run_tool(tool, claim, row, stop)
    else:
        await _run_tool(tool, claim, row, stop)


async def _run_tool(tool: Tool, claim: Claim, row: ToolCall, stop: asyncio.Event) -> None:
    context = make_context(claim, row, stop)
    # The place before the claim: a call that waits for one has not begun.
    place = None if tool.is_async or is_immediate.get() else await tool_threads.place()
    try:
        if tool.transactional:
            await _run_in_transaction(tool, claim, row, context, stop, place)
            return
        call = await insist(claim_call, claim, row.pk)
        if call is None:
            return
        context.state = as_fields(claim.thread_state)
        outcome = await _outcome(tool, call, context, stop, place)
        await insist(settle_call, claim, call, outcome)
    finally:
        if place is not None:
            place.leave()


async def _outcome(
    tool: Tool, call: ToolCall, context: RunContext, stop: asyncio.Event, place: Place | None
) -> Outcome:
    """What the tool answers, or what became of it. A stop is an answer too: interrupted."""
    working = asyncio.create_task(_call(tool, call, context, place), name=f"tool {tool.name}")
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait(
            {working, stopped}, timeout=tool.timeout, return_when=asyncio.FIRST_COMPLETED
        )
        if not working.done() and stop.is_set():
            # A tool that listens ends by itself now, and knows best what it has done.
            if tool.is_async:
                working.cancel()
            await asyncio.wait({working}, timeout=_GRACE)
        if working.done() and not working.cancelled():
            return working.result()
        if stop.is_set():
            return Outcome(ToolCallStatus.INTERRUPTED, texts.INTERRUPTED_BY_USER, is_error=True)
        return Outcome(ToolCallStatus.FAILED, texts.timed_out(tool.timeout or 0), is_error=True)
    finally:
        stopped.cancel()
        working.cancel()


async def _call(tool: Tool, call: ToolCall, context: RunContext, place: Place | None) -> Outcome:
    try:
        arguments = tool.validate(call.effective_args_text)
        context.args = arguments
        if tool.is_async:
            value = await _call_async(tool, arguments, context)
        elif place is not None:
            value = await place.run(lambda: tool.call(arguments, context))
        else:
            value = await in_database(tool.call, arguments, context)
        return outcome_of(call, value)
    except Exception as error:
        return failure_of(tool, error)
    except (SystemExit, KeyboardInterrupt) as error:
        # From here it would end the server, and not only the tool that called sys.exit().
        return failure_of(tool, RuntimeError(f"the tool raised {type(error).__name__}"))


async def _call_async(tool: Tool, arguments: dict[str, Any], context: RunContext) -> Any:
    try:
        return await tool.call(arguments, context)
    finally:
        if not is_immediate.get():
            # What it used of Django's async ORM: no request ends here that would let go of it, and
            # a connection that broke would stay broken for every tool after this one.
            await sync_to_async(close_old_connections)()


async def _run_in_transaction(
    tool: Tool,
    claim: Claim,
    row: ToolCall,
    context: RunContext,
    stop: asyncio.Event,
    place: Place | None,
) -> None:
    """Claim, effect and result in one transaction, which is rolled back when it takes too long."""
    given_up = threading.Event()

    def effect(call: ToolCall) -> Outcome:
        arguments = tool.validate(call.effective_args_text)
        context.args = arguments
        operations = collect_state(context, read_state(claim.thread_id))
        outcome = outcome_of(call, tool.call(arguments, context))
        outcome = replace(outcome, state_operations=tuple(operations))
        if given_up.is_set():
            raise NotMine
        return outcome

    def transaction() -> None:
        retrying(lambda: run_transactional(claim, row.pk, effect))

    working: asyncio.Future[None]
    if place is None:
        working = asyncio.ensure_future(in_database(transaction))
    else:
        working = place.run(transaction)
    stopped = asyncio.create_task(stop.wait())
    try:
        ends: set[asyncio.Future[Any]] = {working, stopped}
        await asyncio.wait(ends, timeout=tool.timeout, return_when=asyncio.FIRST_COMPLETED)
        if not working.done() and stop.is_set():
            await asyncio.wait({working}, timeout=_GRACE)
        if working.done():
            working.result()
            return
        given_up.set()
        if stop.is_set():
            return  # Nothing of it will be stored: the call ends as one that never began.
        failure = Outcome(
            ToolCallStatus.FAILED, texts.rolled_back(tool.timeout or 0), is_error=True
        )
    except Exception as error:
        # Everything the tool did was rolled back; only its failure is stored.
        failure = failure_of(tool, error)
    finally:
        given_up.set()
        stopped.cancel()
    call = await insist(claim_call, claim, row.pk)
    if call is not None:
        await insist(settle_call, claim, call, failure)


def outcome_of(call: ToolCall, value: Any) -> Outcome:
    """A tool's return value as the call's answer, encoded and bounded.

    The model is told when it was not its own arguments that ran.
    """
    result = to_tool_result(value, max_bytes=app_settings.MAX_TOOL_RESULT_BYTES)
    return Outcome(
        ToolCallStatus.FAILED if result.is_error else ToolCallStatus.COMPLETE,
        result.result,
        is_error=result.is_error,
        artifact=result.artifact,
        model_content=_told(call, result),
    )


def _told(call: ToolCall, result: ToolResult) -> Any:
    if not call.edited_args_text:
        return result.model_content
    answer = result.result if result.model_content is None else result.model_content
    return texts.edited(call.edited_args_text, answer)


def failure_of(tool: Tool, error: Exception) -> Outcome:
    """A tool's exception as the call's answer. Details are logged, not told to the model."""
    if isinstance(error, ToolCancelled):
        return Outcome(ToolCallStatus.INTERRUPTED, texts.INTERRUPTED_BY_USER, is_error=True)
    if isinstance(error, ToolArgumentsError):
        text = texts.invalid_arguments(error.message)
    elif isinstance(error, AgentUIError):
        text = texts.raised(error.message)
    else:
        logger.error("The tool %s failed", tool.name, exc_info=error)
        text = texts.raised(tool.describe_error(error))
    return Outcome(ToolCallStatus.FAILED, text, is_error=True)
