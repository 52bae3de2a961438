"""What is sent where the form leaves it to the action to look closer, and whole answers."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from . import rows
from .rows import Described


class Sent(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SentText(Sent):
    type: Literal["text"]
    text: str


class SentFile(Sent):
    type: Literal["file"]
    data: str = Field(description="Base64.")
    mime_type: str = Field(max_length=100)
    filename: str | None = Field(default=None, max_length=200)


class SentUpload(Sent):
    type: Literal["file"]
    attachment: uuid.UUID = Field(description="A file that was uploaded before.")


class SentTool(BaseModel):
    """A tool of the page. It never replaces one of the agent's."""

    name: str = Field(max_length=64, pattern=r"^[A-Za-z_][A-Za-z0-9_-]*$")
    description: str = Field(default="", max_length=4000)
    parameters: dict[str, Any] = Field(
        default_factory=lambda: {"type": "object", "properties": {}},
        description="A JSON Schema of the type object.",
    )


class SentContext(BaseModel):
    description: str = Field(max_length=1000)
    value: str = Field(max_length=20_000)


class SentRegenerate(Sent):
    tools: list[SentTool] | None = Field(default=None, description="Tools of the page.")
    context: list[SentContext] | None = Field(
        default=None, max_length=50, description="What the page says about itself."
    )
    run_config: dict[str, Any] | None = None


class SentEdit(SentRegenerate):
    parts: list[SentText | SentFile | SentUpload] = Field(min_length=1, max_length=50)


#: A body that is no JSON.
UPLOAD = {
    "multipart/form-data": {
        "type": "object",
        "properties": {"file": {"type": "string", "format": "binary"}},
        "required": ["file"],
    }
}


class SentMessage(SentEdit):
    parent: uuid.UUID | None = Field(
        default=None,
        description="The message to answer to; left out it is the thread's head, null the root.",
    )
    on_active: Literal["queue", "steer", "reject"] | None = Field(
        default=None, description="What happens while a run is active; the agent says by default."
    )


class Error(Described):
    """Every refusal. `code` is stable, `message` is for people."""

    code: str
    message: str
    details: dict[str, Any] | None = None


class Agents(Described):
    agents: list[rows.Agent]


class Threads(Described):
    threads: list[rows.Thread]
    next: str | None = Field(description="The cursor of the next page.")


class ThreadState(Described):
    thread: uuid.UUID
    state: Any
    version: int


class Messages(Described):
    thread: rows.Thread
    messages: list[rows.Message] = Field(description="Of the branch that is shown, oldest first.")
    tool_calls: list[rows.ToolCall]
    approvals: list[rows.Approval]
    runs: list[rows.Run]
    cursors: dict[str, int]
    queued: list[rows.Message] = Field(description="Sent, and waiting for the run to end.")
    version: int
    has_more: bool


class Taken(Described):
    message: rows.Message
    run: rows.Run | None = Field(description="Null while the message is queued.")
    queued: bool


class OneMessage(Described):
    message: uuid.UUID


class Queue(Described):
    queued: list[rows.Message] = Field(description="In the order in which they will be sent.")


class Cleared(Described):
    thread: uuid.UUID
    removed: int = Field(description="How many messages were taken back.")


class Rated(Described):
    message: uuid.UUID
    rating: Literal["positive", "negative"] | None


class Answered(Described):
    accepted: bool = Field(description="False where somebody had answered before.")
    tool_call: rows.ToolCall


class Recorded(Described):
    finding: Literal["done", "not_done", "unknown"]
    note: str
    tool_call: rows.ToolCall


class Approvals(Described):
    approvals: list[rows.Approval]
    next: str | None = Field(description="The cursor of the next page.")


class Waiting(Described):
    decides: bool = Field(description="Does any policy ask for you?")
    waiting: int = Field(description="How many wait for you; 100 stands for any more.")
    approvals: list[rows.WaitingApproval]
    url: str = Field(description="The list in the admin; empty for who is not staff.")


class Grants(Described):
    grants: list[rows.Grant]
    next: str | None = Field(description="The cursor of the next page.")
