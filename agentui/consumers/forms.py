"""The fields of each command of the socket. What is not listed is refused.

Rows are named by their ids, as text: whether there is such a row, and whose it is, the action says.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Id = Annotated[str, Field(max_length=64)]


class Command(BaseModel):
    """The fields of every command."""

    model_config = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=True)

    id: Id
    type: str


class WithPage(Command):
    """A command that begins a run: what its page says goes along."""

    tools: Any = None
    context: Any = None
    run_config: Any = None


class SendMessage(WithPage):
    parts: Any
    thread: Id | None = None
    agent: str | None = None
    parent: Id | None = None
    on_active: Literal["queue", "steer", "reject"] | None = None
    state: list[Any] | None = None


class EditMessage(WithPage):
    message: Id
    parts: Any


class OfMessage(WithPage):
    message: Id


class MoveMessage(OfMessage):
    before: Id | None = None


class SetFeedback(OfMessage):
    rating: Literal["positive", "negative"] | None
    comment: str = ""


class OfThread(Command):
    thread: Id


class CancelRun(Command):
    run: Id
    clear_queue: bool = False


class DecideApproval(Command):
    approval: Id
    verdict: Literal["approve", "deny"] | None = None
    option: str | None = None
    reason: str | None = None
    args_text: str | None = None
    answer: Any = None
    digest: str | None = None


class RegisterTools(Command):
    tools: list[Any]


class ClaimToolCall(Command):
    tool_call: Id
    tab: str


class SubmitToolResult(Command):
    tool_call: Id
    tab: str
    result: Any = None
    error: str | None = None


class SetState(Command):
    thread: Id
    operations: list[Any]
