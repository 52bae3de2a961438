"""The rows and parts that answers hold. Only described here, made in :mod:`agentui.runtime.rows`."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ...core.statuses import ApprovalStatus, Reason, Role, RunStatus, ToolCallStatus, ToolKind

Json = Any
Object = dict[str, Any]


class Described(BaseModel):
    """What has a place in the schema. Every field is always there unless it has a default."""


class TextPart(Described):
    type: Literal["text"]
    text: str
    parent_id: str | None = None
    provider_metadata: Object | None = None


class ReasoningPart(TextPart):
    type: Literal["reasoning"]  # type: ignore[assignment]
    summary: str | None = None


class SourcePart(Described):
    type: Literal["source"]
    id: str
    source_type: Literal["url", "document"] = "url"
    url: str | None = None
    title: str | None = None
    media_type: str | None = None
    filename: str | None = None
    parent_id: str | None = None


class FilePart(Described):
    type: Literal["file"]
    data: str = Field(description="Base64, or an address.")
    mime_type: str
    filename: str | None = None
    source_type: str | None = None
    parent_id: str | None = None


class DataPart(Described):
    type: Literal["data"]
    name: str
    data: Json
    parent_id: str | None = None


class ToolCallReference(Described):
    type: Literal["tool_call"]
    id: uuid.UUID = Field(description="The id of a tool call in `tool_calls`.")


Part = Annotated[
    TextPart | ReasoningPart | SourcePart | FilePart | DataPart | ToolCallReference,
    Field(discriminator="type"),
]


class Status(Described):
    type: RunStatus
    reason: Reason


class Cursor(Described):
    run: uuid.UUID
    seq: int = Field(description="The parts hold what this run wrote up to this event.")


class Failure(Described):
    code: str
    message: str


class Agent(Described):
    name: str
    title: str
    description: str


class Thread(Described):
    id: uuid.UUID
    agent: str
    title: str
    status: Literal["regular", "archived"]
    head: uuid.UUID | None = Field(description="The last message of the branch that is shown.")
    state: Json
    metadata: Object
    version: int
    created_at: datetime
    updated_at: datetime
    last_activity_at: datetime
    active_run: uuid.UUID | None
    waiting: bool = Field(description="A run of it waits for somebody.")
    queue_paused: bool


class Feedback(Described):
    rating: str
    comment: str


class Message(Described):
    id: uuid.UUID
    thread: uuid.UUID
    parent: uuid.UUID | None
    seq: int
    role: Role
    status: Status
    parts: list[Part]
    error: Failure | None
    metadata: Object
    model: str
    usage: Object | None
    feedback: Feedback | None = None
    run: uuid.UUID | None
    siblings: list[uuid.UUID]
    created_at: datetime
    cursor: Cursor | None = Field(default=None, description="Of a message that a run writes.")


class ToolCall(Described):
    id: uuid.UUID
    thread: uuid.UUID
    message: uuid.UUID
    run: uuid.UUID
    position: int
    tool_call_id: str
    tool_name: str
    kind: ToolKind
    args_text: str
    status: ToolCallStatus
    result: Json
    is_error: bool
    artifact: Json
    progress: Json
    is_automatic: bool
    grant: uuid.UUID | None
    answer_schema: Object | None
    approval: uuid.UUID | None
    claimed_by: str
    claim_expires_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    version: int


class Decided(Described):
    approve: int
    deny: int


class Decision(Described):
    user: str
    verdict: Literal["approve", "deny"]
    reason: str
    option: str
    door: str
    created_at: datetime


class Approval(Described):
    id: uuid.UUID
    thread: uuid.UUID
    tool_call: uuid.UUID
    status: ApprovalStatus
    agent: str
    tool_name: str
    args_text: str
    args_digest: str
    required: int
    decided: Decided
    options: list[Object]
    editable: list[str]
    reason_required: bool
    expires_at: datetime | None
    requested_at: datetime
    decided_at: datetime | None
    requester: str
    who: str = Field(description="Who may decide, in words.")
    may_decide: bool = Field(description="May you?")
    decisions: list[Decision]
    version: int


class WaitingApproval(Approval):
    requester_name: str
    asked: str = Field(description="What the person wrote.")
    description: str = Field(description="What the tool says of itself.")
    answer_schema: Object | None = Field(description="The answer it takes, where it is a question.")
    url: str = Field(description="Its page in the admin; empty for who is not staff.")


class Grant(Described):
    id: uuid.UUID
    agent: str
    tool_name: str
    is_allowed: bool
    thread: uuid.UUID | None
    user: str | None
    arguments: Object
    reason: str
    granted_by: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    holds: bool = Field(description="Not revoked, not expired, and given by an active user.")
    used: int
    may_revoke: bool


class Run(Described):
    id: uuid.UUID
    thread: uuid.UUID
    message: uuid.UUID
    agent: str
    status: RunStatus
    reason: Reason
    roundtrips: int
    usage: Object
    error: Failure | None
    cancel_requested: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    version: int


class Attachment(Described):
    id: uuid.UUID
    thread: uuid.UUID | None
    filename: str
    mime_type: str
    size: int
    created_at: datetime
