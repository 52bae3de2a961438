"""What a body may hold. A field that is not listed is refused by name.

So a role, a status of a message, an owner, an id of a row or a parent in another thread can never
be written: there is no field for it.
"""

from __future__ import annotations

import uuid
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ..actions.decision_checks import MAX_REASON
from ..actions.feedback import MAX_COMMENT
from ..actions.outcomes import MAX_NOTE

Id = Annotated[uuid.UUID, Field(strict=False)]


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Empty(Form):
    """A verb that takes nothing but the row it is about."""


class CreateThread(Form):
    agent: str = Field(max_length=100)
    title: str = Field(default="", max_length=200)
    state: Any = None


class ChangeThread(Form):
    title: str | None = Field(default=None, max_length=200)
    status: Literal["regular", "archived"] | None = None

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if self.title is None and self.status is None:
            raise ValueError("give a title, a status, or both")
        return self


class ChangeState(Form):
    operations: list[Any] = Field(max_length=1000)


class Regenerate(Form):
    tools: Any = None
    context: Any = None
    run_config: Any = None


class EditMessage(Regenerate):
    parts: Any


class SendMessage(EditMessage):
    parent: Id | None = None
    on_active: Literal["queue", "steer", "reject"] | None = None


class MoveMessage(Form):
    before: Id | None = None


class CancelRun(Form):
    clear_queue: bool = False


class GiveFeedback(Form):
    rating: Literal["positive", "negative"] | None
    comment: str = Field(default="", max_length=MAX_COMMENT)


class ClaimToolCall(Form):
    tab: str


class SubmitToolResult(Form):
    tab: str
    result: Any = None
    error: str | None = None

    @model_validator(mode="after")
    def _is_one_answer(self) -> Self:
        has_result = "result" in self.model_fields_set
        if has_result == (self.error is not None):
            raise ValueError("give either a result or an error")
        return self


class RecordOutcome(Form):
    finding: Literal["done", "not_done", "unknown"]
    result: Any = None
    note: str = Field(default="", max_length=MAX_NOTE)


class DecideApproval(Form):
    verdict: Literal["approve", "deny"] | None = None
    option: str | None = Field(default=None, max_length=100)
    reason: str = Field(default="", max_length=MAX_REASON)
    args_text: str | None = None
    answer: Any = None
    digest: str | None = Field(default=None, max_length=64)
