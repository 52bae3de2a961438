"""What may stand in the address: page sizes, cursors, filters."""

from __future__ import annotations

import base64
import binascii
import uuid
from typing import Annotated, Literal, Self

from django.db.models import Q
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ..core.moments import read_moment
from ..core.statuses import ApprovalStatus
from ..exceptions import InvalidInput
from ..models import Thread

_SEQ = Annotated[int, Field(ge=0, lt=2**63)]


class Query(BaseModel):
    """Texts of an address become what the fields say; a name that is not listed is refused."""

    model_config = ConfigDict(extra="forbid")

    limit: int = Field(default=50, ge=1, le=100)


class ThreadQuery(Query):
    cursor: str | None = Field(default=None, max_length=200)
    search: str = Field(default="", max_length=200)
    status: Literal["regular", "archived"] | None = None


class MessageQuery(Query):
    before_seq: _SEQ | None = None
    after_seq: _SEQ | None = None

    @model_validator(mode="after")
    def _has_one_direction(self) -> Self:
        if self.before_seq is not None and self.after_seq is not None:
            raise ValueError("give before_seq or after_seq, not both")
        return self


class ApprovalQuery(Query):
    cursor: str | None = Field(default=None, max_length=200)
    status: ApprovalStatus | None = None


class WaitingQuery(Query):
    limit: int = Field(default=20, ge=1, le=50)


class GrantQuery(Query):
    cursor: str | None = Field(default=None, max_length=200)


def thread_cursor(thread: Thread) -> str:
    """Where a page of threads ends: the time of its last one, to the microsecond, and its id."""
    text = f"{thread.last_activity_at.isoformat()}|{thread.pk}"
    return base64.urlsafe_b64encode(text.encode()).decode()


def after_thread(cursor: str) -> Q:
    """The threads after that point. The id decides among those of the same moment."""
    try:
        time, _, pk = base64.urlsafe_b64decode(cursor.encode()).decode().partition("|")
        at, last = read_moment(time), uuid.UUID(pk)
    except (ValueError, binascii.Error):
        raise InvalidInput("cursor: take it from the answer before, unchanged.") from None
    return Q(last_activity_at__lt=at) | Q(last_activity_at=at, pk__lt=last)


def after_id(cursor: str) -> Q:
    """The rows older than that one: ids grow with time."""
    try:
        return Q(pk__lt=uuid.UUID(cursor))
    except ValueError:
        raise InvalidInput("cursor: take it from the answer before, unchanged.") from None
