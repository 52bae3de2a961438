"""One address and method: what it does, what it takes and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from ..base import AgentView

Model = type[BaseModel]

CONFLICT = (404, 409)


@dataclass(frozen=True, slots=True)
class Operation:
    """``answer`` None is an empty 204, ``bytes`` the bytes of a file. ``body`` may be a plain schema.
    ``refusals`` are statuses besides those that all have."""

    view: type[AgentView]
    method: str
    name: str
    summary: str
    tag: str
    answer: Any = None
    body: Any = None
    query: Model | None = None
    status: int = 200
    refusals: tuple[int, ...] = ()
    example: dict[str, Any] | None = None
    answer_example: dict[str, Any] | None = None
