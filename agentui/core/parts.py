"""What a message is made of.

The part types follow assistant-ui's message model; names are snake_case. A tool call inside a
stored message is only a reference (:class:`ToolCallPart` with its row's ``id``); everything that
changes about it lives in its row and is joined in when the message is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .statuses import (
    ANSWERED,
    RUNNING,
    ApprovalStatus,
    Reason,
    Role,
    RunStatus,
    Status,
    ToolCallStatus,
    ToolKind,
)
from .values import Json, Value


@dataclass(frozen=True, slots=True)
class TextPart(Value):
    """Words, in Markdown. ``provider_metadata`` goes back to the same provider byte for byte."""

    text: str
    type: Literal["text"] = "text"
    parent_id: str | None = None
    provider_metadata: dict[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class ReasoningPart(Value):
    """What the model thought. Never shown as the answer.

    ``provider_metadata`` carries signatures and opaque blocks; it is only valid together with the
    unchanged ``text`` and the model that wrote it, so all three are sent back or none.
    """

    text: str
    type: Literal["reasoning"] = "reasoning"
    summary: str | None = None
    parent_id: str | None = None
    provider_metadata: dict[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class SourcePart(Value):
    """A place the answer draws on: a ``url``, or a ``document`` with a title."""

    id: str
    source_type: Literal["url", "document"] = "url"
    type: Literal["source"] = "source"
    url: str | None = None
    title: str | None = None
    media_type: str | None = None
    filename: str | None = None
    parent_id: str | None = None


@dataclass(frozen=True, slots=True)
class FilePart(Value):
    """A file. ``data`` is base64 or an address, as ``source_type`` says."""

    data: str
    mime_type: str
    type: Literal["file"] = "file"
    filename: str | None = None
    source_type: str | None = None
    parent_id: str | None = None


@dataclass(frozen=True, slots=True)
class DataPart(Value):
    """A named JSON value for the page to show."""

    name: str
    data: Json
    type: Literal["data"] = "data"
    parent_id: str | None = None


@dataclass(frozen=True, slots=True)
class ApprovalOption(Value):
    """One answer a person may choose. A ``kind`` of the site's own begins with ``_``."""

    id: str
    kind: str
    label: str | None = None
    description: str | None = None
    grants: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ApprovalState(Value):
    """The approval of a tool call as the loop and the page see it."""

    id: str
    status: ApprovalStatus = ApprovalStatus.PENDING
    options: tuple[ApprovalOption, ...] = ()
    option: str | None = None
    reason: str | None = None
    is_automatic: bool = False


@dataclass(frozen=True, slots=True)
class ToolCallPart(Value):
    """A call the model asked for.

    ``id`` is ours and unique; ``tool_call_id`` is the provider's and unique inside its message.
    ``args_text`` is the truth; parse it once, when it is whole. ``artifact`` is for the page only,
    ``model_content`` for the model only, ``result`` for both unless ``model_content`` is given.
    """

    id: str
    tool_call_id: str
    tool_name: str
    type: Literal["tool_call"] = "tool_call"
    args_text: str = ""
    kind: ToolKind = ToolKind.SERVER
    status: ToolCallStatus = ToolCallStatus.STREAMING
    result: Json = None
    is_error: bool = False
    artifact: Json = None
    model_content: Json = None
    approval: ApprovalState | None = None
    parent_id: str | None = None
    provider_metadata: dict[str, Json] | None = None

    @property
    def has_result(self) -> bool:
        """True once the call has its answer, whatever the answer is (``None`` is one)."""
        return self.status in ANSWERED


Part = TextPart | ReasoningPart | SourcePart | FilePart | DataPart | ToolCallPart

_PARTS: dict[str, type[Any]] = {
    "text": TextPart,
    "reasoning": ReasoningPart,
    "source": SourcePart,
    "file": FilePart,
    "data": DataPart,
    "tool_call": ToolCallPart,
}


def part_from_json(data: dict[str, Json]) -> Part:
    """The part a stored JSON object stands for. Raises ``KeyError`` for an unknown type."""
    part: Part = _PARTS[data["type"]].from_json(data)
    if isinstance(part, ToolCallPart):
        approval: Any = part.approval
        if isinstance(approval, dict):
            approval = approval_from_json(approval)
        return replace(
            part,
            kind=ToolKind(part.kind),
            status=ToolCallStatus(part.status),
            approval=approval,
        )
    return part


def approval_from_json(data: dict[str, Json]) -> ApprovalState:
    """The approval a JSON object stands for."""
    approval = ApprovalState.from_json(data)
    return replace(
        approval,
        status=ApprovalStatus(approval.status),
        options=tuple(_option_from_json(option) for option in data.get("options", ())),
    )


def _option_from_json(data: dict[str, Json]) -> ApprovalOption:
    option = ApprovalOption.from_json(data)
    return option if option.grants is None else replace(option, grants=tuple(option.grants))


@dataclass(frozen=True, slots=True)
class Step(Value):
    """One roundtrip: which parts it wrote (from index ``start``) and what it cost.

    ``usage`` is ``{"input_tokens": int, "output_tokens": int, ...}``.
    """

    start: int = 0
    state: Literal["started", "finished"] = "started"
    message_id: str | None = None
    finish_reason: str | None = None
    usage: dict[str, Json] | None = None
    is_continued: bool = False


@dataclass(frozen=True, slots=True)
class Metadata(Value):
    """What a message knows besides its parts."""

    state: Json = None
    annotations: tuple[Json, ...] = ()
    data: tuple[Json, ...] = ()
    steps: tuple[Step, ...] = ()
    custom: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message(Value):
    """One message of a thread, with its tool calls joined in."""

    id: str
    role: Role
    parts: tuple[Part, ...] = ()
    status: Status = RUNNING
    metadata: Metadata = Metadata()
    error: dict[str, Json] | None = None
    model: str | None = None

    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCallPart))

    @property
    def text(self) -> str:
        """The text parts, joined; what a title or a notification shows."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))


def message_from_json(data: dict[str, Json]) -> Message:
    """The message a JSON object made by :meth:`Message.to_json` stands for."""
    message = Message.from_json(data)
    status = data.get("status") or {"type": "running"}
    metadata = data.get("metadata") or {}
    return replace(
        message,
        role=Role(message.role),
        parts=tuple(part_from_json(part) for part in data.get("parts", ())),
        status=Status(RunStatus(status["type"]), Reason(status.get("reason", ""))),
        metadata=replace(
            Metadata.from_json(metadata),
            annotations=tuple(metadata.get("annotations", ())),
            data=tuple(metadata.get("data", ())),
            steps=tuple(Step.from_json(step) for step in metadata.get("steps", ())),
            custom=dict(metadata.get("custom", {})),
        ),
    )
