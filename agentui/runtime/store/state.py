"""Rows as the values that ``core`` decides on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ... import models
from ...core.next_step import RunState
from ...core.parts import (
    ApprovalState,
    Message,
    Metadata,
    Part,
    Step,
    ToolCallPart,
    part_from_json,
)
from ...core.statuses import (
    ApprovalStatus,
    Reason,
    Role,
    RunStatus,
    Status,
    ToolCallStatus,
    ToolKind,
)
from ...exceptions import NotFound
from .changes import hold

if TYPE_CHECKING:
    from .claim import Claim


def core_message(row: models.Message, calls: Iterable[models.ToolCall]) -> Message:
    """The message with its tool calls joined in; ``calls`` come with their approvals loaded."""
    by_id = {str(call.pk): call for call in calls}
    metadata: dict[str, Any] = row.metadata
    return Message(
        id=str(row.pk),
        role=Role(row.role),
        parts=tuple(_part(part, by_id) for part in row.parts),
        status=Status(RunStatus(row.status), Reason(row.reason)),
        metadata=Metadata(
            state=metadata.get("state"),
            annotations=tuple(metadata.get("annotations", ())),
            data=tuple(metadata.get("data", ())),
            steps=tuple(Step.from_json(step) for step in metadata.get("steps", ())),
            custom=metadata.get("custom", {}),
        ),
        error=row.error,
        model=row.model or None,
    )


def stored_parts(message: Message) -> list[dict[str, Any]]:
    """The parts as a row keeps them: a tool call is a reference to its own row."""
    return [
        {"type": "tool_call", "id": part.id} if isinstance(part, ToolCallPart) else part.to_json()
        for part in message.parts
    ]


def stored_metadata(message: Message) -> dict[str, Any]:
    """The metadata as a row keeps it."""
    return message.metadata.to_json()


def call_part(call: models.ToolCall) -> ToolCallPart:
    """A tool call's row as a part."""
    approval = getattr(call, "approval", None)
    return ToolCallPart(
        id=str(call.pk),
        tool_call_id=call.tool_call_id,
        tool_name=call.tool_name,
        args_text=call.args_text,
        kind=ToolKind(call.kind),
        status=ToolCallStatus(call.status),
        result=call.result,
        is_error=call.is_error,
        artifact=call.artifact,
        model_content=call.model_content,
        approval=approval and ApprovalState(str(approval.pk), ApprovalStatus(approval.status)),
        provider_metadata=call.provider_metadata,
    )


def load_state(run: models.Run, *, max_roundtrips: int) -> RunState:
    """What ``next_step`` decides on, as the rows stand now: two queries besides the run's own.

    Raises :class:`NotFound` when the thread was deleted meanwhile.
    """
    row = models.Message.objects.filter(pk=run.message_id).first()
    if row is None:
        raise NotFound
    calls = models.ToolCall.objects.filter(message=row).select_related("approval")
    return RunState(
        message=core_message(row, calls),
        roundtrips=run.roundtrips,
        max_roundtrips=max_roundtrips,
        cancel_requested=run.cancel_requested_at is not None,
        detached=run.is_detached,
        without_follow_up=frozenset(
            tool["name"] for tool in run.tools if tool.get("follow_up") is False
        ),
    )


def held_state(claim: Claim, *, max_roundtrips: int) -> RunState:
    """The state now, for the worker that holds the run; raises ``Fenced`` for any other."""
    return load_state(hold(claim.run_id, claim.attempt), max_roundtrips=max_roundtrips)


def _part(data: dict[str, Any], calls: Mapping[str, models.ToolCall]) -> Part:
    if data["type"] == "tool_call":
        return call_part(calls[data["id"]])
    return part_from_json(data)
