"""What a tool sees of its run, and how it reaches back into it while it runs."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from ..agents import RunContext
from ..exceptions import IllegalState
from ..models import ToolCall
from . import background
from .database import in_database, retrying
from .store import Claim, change_state_in_call, note_progress
from .store.shared_state import changed_state


def make_context(claim: Claim, row: ToolCall | None, stop: asyncio.Event) -> RunContext:
    """What a tool, a policy or instructions are told about their run."""

    def load_user() -> Any:
        return get_user_model()._default_manager.get(pk=claim.owner_id)

    async def aload_user() -> Any:
        return await in_database(load_user)

    def report(value: Any) -> None:
        if row is not None:
            background.call_soon(_report, claim, row.pk, value)

    def write_state(operations: list[Any]) -> Any:
        if row is None:
            raise IllegalState("Only a tool that runs can change the thread's state.")
        if transaction.get_connection().in_atomic_block:
            return change_state_in_call(claim, row.pk, operations)
        return retrying(lambda: change_state_in_call(claim, row.pk, operations))

    async def awrite_state(operations: list[Any]) -> Any:
        return await in_database(write_state, operations)

    return RunContext(
        user_id=claim.owner_id,
        thread_id=str(claim.thread_id),
        run_id=str(claim.run_id),
        agent=claim.agent,
        tool_name=row.tool_name if row else "",
        tool_call_id=str(row.pk) if row else "",
        idempotency_key=row.idempotency_key if row else "",
        attempt=claim.attempt,
        state=as_fields(claim.thread_state),
        load_user=load_user,
        aload_user=aload_user,
        report_progress=report,
        write_state=write_state,
        awrite_state=awrite_state,
        is_cancelled=stop.is_set,
    )


def _report(claim: Claim, call_id: uuid.UUID, value: Any) -> None:
    background.spawn(in_database(note_progress, claim, call_id, value), name="agentui-progress")


def collect_state(context: RunContext, state: Any) -> list[Any]:
    """Let a transactional tool see ``state`` and its own changes; returns the list of those.

    They are stored with the result: until then nobody holds the thread, as while any tool works.
    """
    collected: list[Any] = []
    seen = state

    def write(operations: list[Any]) -> Any:
        nonlocal seen
        seen = changed_state(seen, operations)
        collected.extend(operations)
        return seen

    context.state, context.write_state = as_fields(state), write
    return collected


def as_fields(state: Any) -> dict[str, Any]:
    return dict(state) if isinstance(state, dict) else {}
