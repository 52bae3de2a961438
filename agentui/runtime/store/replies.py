"""Beginning a reply: the assistant's message, still empty, and the run that will write it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from ...core.statuses import Reason, Role, RunStatus
from ...models import Message, Run, Thread
from .again import repeat_call
from .launching import queue_launch


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a client sends along with a message: its page's tools, context and configuration."""

    tools: list[dict[str, Any]] = field(default_factory=list)
    context: list[dict[str, Any]] = field(default_factory=list)
    config: dict[str, Any] = field(default_factory=dict)

    def tools_for(self, agent: str) -> list[dict[str, Any]]:
        """The tools this agent may be told of. One that is for it stands above one for all."""
        everybodys = {tool["name"]: tool for tool in self.tools if not tool.get("agent")}
        its_own = {tool["name"]: tool for tool in self.tools if tool.get("agent") == agent}
        chosen = {**everybodys, **its_own}
        return [chosen[name] for name in sorted(chosen)]

    def to_json(self) -> dict[str, Any]:
        return {"tools": self.tools, "context": self.context, "config": self.config}


def add_message(
    thread: Thread, *, role: Role, parts: list[dict[str, Any]], parent: Any, **fields: Any
) -> Message:
    """A new message at the thread's next number. The thread is locked; its head does not move."""
    return Message.objects.create(
        thread=thread,
        parent_id=parent,
        seq=thread.take_seq(),
        role=role,
        parts=parts,
        version=thread.version,
        **fields,
    )


def begin_reply(thread: Thread, parent: Message | None, request: RunRequest) -> Run:
    """The empty answer to ``parent``, at the head, and its queued run, to be launched.

    The thread is locked and has no active run; the database's constraint says so again.
    """
    answer = add_message(
        thread,
        role=Role.ASSISTANT,
        parts=[],
        parent=parent.pk if parent else None,
        status=RunStatus.RUNNING,
    )
    run = Run.objects.create(
        thread=thread,
        message=answer,
        agent=thread.agent,
        tools=request.tools_for(thread.agent),
        context=request.context,
        config=request.config,
        version=thread.version,
    )
    thread.move_head(answer.pk)
    queue_launch(run.pk, thread.pk)
    return run


def release_message(thread: Thread, message: Message) -> Run:
    """Send a message that was queued: it goes to the head, and its reply begins."""
    metadata = dict(message.metadata)
    request = RunRequest(**metadata.pop("request", {}))
    message.parent_id = thread.head_id
    message.status = RunStatus.COMPLETE
    message.reason = Reason.NONE
    message.metadata = metadata
    message.seq = thread.take_seq()
    message.version = thread.version
    message.created_at = timezone.now()
    message.save(
        update_fields=["parent", "status", "reason", "metadata", "seq", "version", "created_at"]
    )
    run = begin_reply(thread, message, request)
    if message.role == Role.EVENT:
        repeat_call(thread, run, message)
    return run
