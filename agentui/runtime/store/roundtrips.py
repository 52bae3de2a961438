"""What a roundtrip wrote, stored in one transaction: the message, its calls, their approvals."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from ...core.next_step import RunState
from ...core.parts import Message as CoreMessage
from ...core.parts import ToolCallPart
from ...core.statuses import ToolCallStatus
from ...models import Approval, Message, Run, ToolCall
from ...signals import approval_requested
from .changes import after_commit, changing, hold
from .claim import Claim
from .shared_state import update_state
from .state import load_state, stored_metadata, stored_parts


@dataclass(frozen=True, slots=True)
class PreparedApproval:
    """The approval a call needs: the policy as it is now, and when it expires."""

    policy: dict[str, Any]
    required: int
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call as it will be stored: its part, and what the agent's tool says about it."""

    part: ToolCallPart
    args: dict[str, Any] | None = None
    args_digest: str = ""
    tool_digest: str = ""
    while_waiting: str = ""
    is_idempotent: bool = False
    is_automatic: bool = False
    grant_id: uuid.UUID | None = None
    answer_schema: dict[str, Any] | None = None
    approval: PreparedApproval | None = None


def store_roundtrip(
    claim: Claim,
    message: CoreMessage,
    *,
    first_new_part: int,
    state_operations: Sequence[Any] = (),
    prepare: Callable[[ToolCallPart], PreparedCall],
    max_roundtrips: int,
    model: str,
) -> RunState:
    """Store the settled message, its new calls and what it says of the thread's state; returns what
    the rows then say.

    ``prepare`` is called for each new call, before the transaction: it may ask the site's own
    predicates, which may read the database.
    """
    new = [
        (position, prepare(part))
        for position, part in enumerate(message.parts)
        if position >= first_new_part and isinstance(part, ToolCallPart)
    ]
    with changing(claim.thread_id) as thread:
        run = hold(claim.run_id, claim.attempt)
        update_state(thread, state_operations)
        claim.saw(thread)
        Run.objects.filter(pk=run.pk).update(
            roundtrips=F("roundtrips") + 1,
            losses=0,
            usage=claim.usage,
            model=model,
            last_seq=claim.last_seq,
            version=thread.version,
        )
        Message.objects.filter(pk=run.message_id).update(
            parts=stored_parts(message),
            status=message.status.type,
            reason=message.status.reason,
            error=message.error,
            metadata=stored_metadata(message),
            usage=claim.usage,
            model=model,
            folded_seq=claim.last_seq,
            version=thread.version,
        )
        calls = ToolCall.objects.bulk_create(
            _call_row(prepared, position, run, thread.version) for position, prepared in new
        )
        approvals = Approval.objects.bulk_create(
            Approval(
                thread=thread,
                tool_call=call,
                agent=run.agent,
                tool_name=call.tool_name,
                requester_id=thread.owner_id,
                policy=prepared.approval.policy,
                args_digest=prepared.args_digest,
                required=prepared.approval.required,
                expires_at=prepared.approval.expires_at,
                version=thread.version,
            ).read_policy()
            for call, (_, prepared) in zip(calls, new, strict=True)
            if prepared.approval
        )
        for approval in approvals:
            after_commit(approval_requested, Approval, approval=approval)
        run.refresh_from_db()
        return load_state(run, max_roundtrips=max_roundtrips)


_REFUSED = (ToolCallStatus.FAILED, ToolCallStatus.DENIED)


def _call_row(prepared: PreparedCall, position: int, run: Run, version: int) -> ToolCall:
    part = prepared.part
    return ToolCall(
        id=uuid.UUID(part.id),
        thread_id=run.thread_id,
        message_id=run.message_id,
        run=run,
        position=position,
        tool_call_id=part.tool_call_id,
        tool_name=part.tool_name[:200],
        tool_digest=prepared.tool_digest,
        kind=part.kind,
        args_text=part.args_text,
        args=prepared.args,
        args_digest=prepared.args_digest,
        status=part.status,
        while_waiting=prepared.while_waiting,
        result=part.result,
        is_error=part.is_error,
        artifact=part.artifact,
        model_content=part.model_content,
        provider_metadata=part.provider_metadata,
        is_idempotent=prepared.is_idempotent,
        is_automatic=prepared.is_automatic,
        grant_id=prepared.grant_id,
        answer_schema=prepared.answer_schema,
        version=version,
        finished_at=run.started_at if part.status in _REFUSED else None,
    )
