"""A call that no model of ours has made: its rows, and what becomes of it. Sync."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

from django.utils import timezone

from ... import actions
from ...agents import Agent, Tool, registry
from ...conf import app_settings
from ...core.next_step import AwaitApproval, ExecuteTools, Finish, next_step
from ...core.parts import Message as CoreMessage
from ...core.parts import Metadata, Step, ToolCallPart
from ...core.statuses import REQUIRES_TOOL_CALLS, Role, RunStatus, ToolKind
from ...exceptions import NotFound, UnknownAgent
from ...models import Run, Thread, ToolCall
from ...models.base import uuid7
from ...permissions import threads_for
from ...runtime import store
from ...runtime.prepare import prepare_call
from ...runtime.rows import Row, approval_row, load_tool_call_rows
from ...runtime.store.launching import queue_launch
from ...runtime.store.roundtrips import store_roundtrip
from ...runtime.tool_context import make_context
from ..identity import own_id
from . import OUTCOME

DOOR = "mcp"
_NAMESPACE = uuid.UUID("c2a1d6f4-5f0e-5c0b-9f57-6b3c54b9f0e2")
_ATTEMPT = 1


def shared_agent(name: str) -> Agent:
    """The agent, if the site shares its tools. Raises :class:`UnknownAgent`."""
    if name not in app_settings.MCP_AGENTS:
        raise UnknownAgent
    return registry.get(name)


def shared_tools(agent: Agent) -> list[Tool]:
    """The tools that may be called: those that run on the server."""
    tools = agent.usable_tools
    return [tool for tool in tools if tool.kind is ToolKind.SERVER and tool.name != OUTCOME]


def begin_call(user: Any, agent: Agent, name: str, arguments: Row, key: str | None) -> Row:
    """Make the call, once for each ``key``: ``{"call", "run"}``, the ids of its rows.

    It is launched, or waits for its approval, or is refused already. Raises :class:`NotFound` for
    a tool that is not shown.
    """
    if not any(tool.name == name for tool in shared_tools(agent)):
        raise NotFound(f"There is no tool named {name[:100]!r}.")
    args_text = json.dumps(arguments, ensure_ascii=False)
    command = {"type": DOOR, "agent": agent.name, "tool": name, "args": args_text}
    made: Row = actions.once(
        user,
        uuid.uuid5(_NAMESPACE, key) if key else None,
        command,
        lambda: _begin(user, agent, name, args_text),
    )
    return made


def call_rows(user: Any, agent: Agent, call_id: Any) -> tuple[Row, Row | None, str]:
    """The call, its approval, and the arguments that an approver put in place of the client's.

    Raises :class:`NotFound` for a call that is not this user's, or not of this agent.
    """
    mine = ToolCall.objects.filter(thread__in=threads_for(user), run__agent=agent.name)
    call = mine.filter(pk__in=own_id(call_id)).select_related("approval").first()
    if call is None:
        raise NotFound("There is no tool call of yours with this id.")
    approval = getattr(call, "approval", None)
    row = approval_row(approval, user) if approval is not None else None
    return load_tool_call_rows([call])[0], row, call.edited_args_text


def _begin(user: Any, agent: Agent, name: str, args_text: str) -> Row:
    thread = actions.create_thread(user, agent=agent.name)
    with store.changing(thread.pk) as thread:
        thread.title, thread.metadata = name[:200], {"door": DOOR}
        thread.save(update_fields=["title", "metadata"])
        claim = _claimed_run(thread)
        part = ToolCallPart(
            id=str(uuid7()),
            tool_call_id=f"mcp_{claim.run_id.hex}",
            tool_name=name,
            args_text=args_text,
        )
        message = CoreMessage(
            id=str(claim.message_id),
            role=Role.ASSISTANT,
            parts=(part,),
            status=REQUIRES_TOOL_CALLS,
            metadata=Metadata(steps=(Step(state="finished", finish_reason="tool_calls"),)),
        )
        state = store_roundtrip(
            claim,
            message,
            first_new_part=0,
            prepare=lambda part: prepare_call(
                agent, claim, part, make_context(claim, None, asyncio.Event())
            ),
            max_roundtrips=1,
            model="",
        )
        match next_step(state):
            case ExecuteTools():
                _launch(thread, claim)
            case AwaitApproval():
                store.pause_run(claim, max_roundtrips=1)
            case Finish(status):
                store.finish_run(claim, status)
    return {"call": part.id, "run": str(claim.run_id)}


def _claimed_run(thread: Thread) -> store.Claim:
    """A run that answers no message and asks no model: it is detached from the beginning, so it
    settles its call and ends. Nobody sees it in these hands, as the transaction is still open."""
    said = store.add_message(
        thread,
        role=Role.EVENT,
        parts=[{"type": "text", "text": "A client of the user's called a tool, through MCP."}],
        parent=None,
    )
    answer = store.add_message(
        thread, role=Role.ASSISTANT, parts=[], parent=said.pk, status=RunStatus.RUNNING
    )
    run = Run.objects.create(
        thread=thread,
        message=answer,
        agent=thread.agent,
        status=RunStatus.RUNNING,
        attempt=_ATTEMPT,
        is_detached=True,
        version=thread.version,
    )
    thread.move_head(answer.pk)
    return store.Claim(
        run_id=run.pk,
        thread_id=thread.pk,
        message_id=answer.pk,
        parent_id=said.pk,
        owner_id=thread.owner_id,
        agent=thread.agent,
        attempt=_ATTEMPT,
        last_seq=0,
        tools=[],
        context=[],
        config={},
        version=thread.version,
    )


def _launch(thread: Thread, claim: store.Claim) -> None:
    """Let a worker take the run up and carry its call out."""
    Run.objects.filter(pk=claim.run_id).update(
        status=RunStatus.QUEUED, queued_at=timezone.now(), version=thread.version
    )
    queue_launch(claim.run_id, claim.thread_id)
