"""Running the server calls of a roundtrip: each claimed, each answered, whatever happens.

Calls run side by side up to the agent's limit; a ``sequential`` tool runs alone. An error, a
timeout, a stop: each becomes the call's answer, which the model sees; none ends the run.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.contrib.auth import get_user_model

from ..agents import Agent, RunContext, Tool, ToolCancelled, ToolResult, to_tool_result
from ..conf import app_settings
from ..core import texts
from ..core.statuses import ToolCallStatus
from ..exceptions import AgentUIError, ToolArgumentsError
from ..models import ToolCall
from . import background
from .database import close_connections_after, in_database, is_immediate
from .store import Claim, claim_call, note_progress, run_transactional, settle_call
from .store.calls import Outcome

logger = logging.getLogger("agentui")

_threads: ThreadPoolExecutor | None = None
_threads_lock = threading.Lock()


async def execute_tools(
    agent: Agent, claim: Claim, call_ids: Sequence[str], stop: asyncio.Event
) -> None:
    """Run these calls and store their answers. Returns when each is answered or withdrawn."""
    limit = asyncio.Semaphore(agent.tool_concurrency)
    alone = asyncio.Lock()

    async def run(call_id: str) -> None:
        async with limit:
            await _execute(agent, claim, uuid.UUID(call_id), stop, alone)

    async with asyncio.TaskGroup() as group:
        for call_id in call_ids:
            group.create_task(run(call_id))


async def _execute(
    agent: Agent, claim: Claim, call_id: uuid.UUID, stop: asyncio.Event, alone: asyncio.Lock
) -> None:
    if stop.is_set():
        return
    row = await in_database(ToolCall.objects.get, pk=call_id)
    tool = agent.tool(row.tool_name)
    if tool is None or (row.tool_digest and row.tool_digest != tool.digest):
        changed = Outcome(ToolCallStatus.FAILED, texts.tool_changed(row.tool_name), is_error=True)
        if await in_database(claim_call, claim, call_id):
            await in_database(settle_call, claim, row, changed)
        return
    if tool.sequential:
        async with alone:
            await _run_tool(tool, claim, row, stop)
    else:
        await _run_tool(tool, claim, row, stop)


async def _run_tool(tool: Tool, claim: Claim, row: ToolCall, stop: asyncio.Event) -> None:
    context = make_context(claim, row, stop)
    if tool.transactional:
        await _run_in_transaction(tool, claim, row, context)
        return
    call = await in_database(claim_call, claim, row.pk)
    if call is None:
        return
    outcome = await _outcome(tool, call, context, stop)
    await in_database(settle_call, claim, call, outcome)


async def _outcome(tool: Tool, call: ToolCall, context: RunContext, stop: asyncio.Event) -> Outcome:
    """What the tool answers, or what became of it. A stop is an answer too: interrupted."""
    working = asyncio.create_task(_call(tool, call, context), name=f"tool {tool.name}")
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait(
            {working, stopped}, timeout=tool.timeout, return_when=asyncio.FIRST_COMPLETED
        )
        if working.done():
            return working.result()
        working.cancel()
        if stop.is_set():
            return Outcome(ToolCallStatus.INTERRUPTED, texts.INTERRUPTED_BY_USER, is_error=True)
        return Outcome(ToolCallStatus.FAILED, texts.timed_out(tool.timeout or 0), is_error=True)
    finally:
        stopped.cancel()
        working.cancel()


async def _call(tool: Tool, call: ToolCall, context: RunContext) -> Outcome:
    try:
        arguments = tool.validate(call.effective_args_text)
        context.args = arguments
        if tool.is_async:
            value = await tool.call(arguments, context)
        else:
            value = await _in_thread(lambda: tool.call(arguments, context))
        return outcome_of(call, value)
    except Exception as error:
        return failure_of(tool, error)


async def _run_in_transaction(tool: Tool, claim: Claim, row: ToolCall, context: RunContext) -> None:
    def effect(call: ToolCall) -> Outcome:
        arguments = tool.validate(call.effective_args_text)
        context.args = arguments
        return outcome_of(call, tool.call(arguments, context))

    try:
        await _in_thread(lambda: run_transactional(claim, row.pk, effect))
    except Exception as error:
        # Everything the tool did was rolled back; only its failure is stored.
        failure = failure_of(tool, error)
        call = await in_database(claim_call, claim, row.pk)
        if call is not None:
            await in_database(settle_call, claim, call, failure)


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


def make_context(claim: Claim, row: ToolCall | None, stop: asyncio.Event) -> RunContext:
    """What a tool, a policy or instructions are told about their run."""

    def load_user() -> Any:
        return get_user_model()._default_manager.get(pk=claim.owner_id)

    async def aload_user() -> Any:
        return await in_database(load_user)

    def report(value: Any) -> None:
        if row is not None:
            background.call_soon(_report, claim, row.pk, value)

    return RunContext(
        user_id=claim.owner_id,
        thread_id=str(claim.thread_id),
        run_id=str(claim.run_id),
        agent=claim.agent,
        tool_name=row.tool_name if row else "",
        tool_call_id=str(row.pk) if row else "",
        idempotency_key=row.idempotency_key if row else "",
        attempt=claim.attempt,
        state=dict(claim.thread_state) if isinstance(claim.thread_state, dict) else {},
        load_user=load_user,
        aload_user=aload_user,
        report_progress=report,
        is_cancelled=stop.is_set,
    )


def _report(claim: Claim, call_id: uuid.UUID, value: Any) -> None:
    background.spawn(in_database(note_progress, claim, call_id, value), name="agentui-progress")


async def _in_thread(call: Any) -> Any:
    """Run a site's sync function in a thread of its own kind, with its own database connection."""
    if is_immediate.get():
        return await in_database(call)
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(
        tool_threads(), context.run, close_connections_after(call)
    )


def tool_threads() -> ThreadPoolExecutor:
    """The threads in which sync tools run, made at first use."""
    global _threads
    with _threads_lock:
        if _threads is None:
            _threads = ThreadPoolExecutor(
                max_workers=app_settings.TOOL_THREADS, thread_name_prefix="agentui-tool"
            )
        return _threads


def close_tool_threads() -> None:
    """Wait for the tools that run, and end their threads. The next tool makes new ones."""
    global _threads
    with _threads_lock:
        pool, _threads = _threads, None
    if pool is not None:
        pool.shutdown(wait=True)
