"""A thread as AG-UI messages: what a snapshot holds.

One message of ours becomes several of theirs, the same ones that were streamed, with the same ids:
each text part begins a message, the calls behind it are its calls, and each answer is a message of
its own behind the one that asked. Within a roundtrip calls without a text before them share the
message of the first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ag_ui.core import (
    ActivityMessage,
    AssistantMessage,
    DataSource,
    DocumentPart,
    FunctionCall,
    ImagePart,
    Message,
    ReasoningMessage,
    SystemMessage,
    TextPart,
    ToolCall,
    ToolMessage,
    UrlSource,
    UserMessage,
)

from ...core.statuses import ANSWERED, Role
from ...runtime.rows import Row
from ..attachments import address_of

APPROVAL_ACTIVITY = "agentui:approval"
PROGRESS_ACTIVITY = "agentui:progress"
EVENT_ACTIVITY = "agentui:event"


def part_id(message_id: str, index: int) -> str:
    """The id of the message that a part becomes."""
    return f"{message_id}:{index}"


def result_id(call_id: str) -> str:
    """The id of the message that a call's answer becomes, unless the client answered it itself."""
    return f"{call_id}:result"


def content_text(result: Any) -> str:
    """A call's answer as the content of a tool message, written as a browser would."""
    if isinstance(result, str):
        return result
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"))


def snapshot_messages(
    rows: Row,
    *,
    answer_ids: Mapping[str, str],
    cut: Mapping[str, int] | None = None,
    untold: frozenset[str] = frozenset(),
) -> list[Message]:
    """The messages of ``rows`` (as :func:`~agentui.runtime.feed_reads.rows_of` reads them).

    ``answer_ids`` are the ids that the client gave to the answers of calls, by call. ``cut`` names messages that are about to be streamed from a part on: from there on they are left
    out, except that reasoning is shown empty. A client keeps reasoning that a snapshot has not, and
    what is streamed next would be appended to it. ``untold`` are calls whose answers are about to be
    streamed too.
    """
    calls = {
        call["id"]: {**call, "status": "pending"} if call["id"] in untold else call
        for call in rows["tool_calls"]
    }
    approvals = {row["tool_call"]: row for row in rows["approvals"]}
    found: list[Message] = []
    for row in rows["messages"]:
        match row["role"]:
            case Role.USER:
                found.append(_user(row))
            case Role.ASSISTANT:
                end = (cut or {}).get(row["id"])
                found.extend(_assistant(row, calls, approvals, answer_ids, end))
            case Role.EVENT:
                content = {"text": _text_of(row)}
                found.append(
                    ActivityMessage(id=row["id"], activity_type=EVENT_ACTIVITY, content=content)
                )
            case Role.SYSTEM:
                found.append(SystemMessage(id=row["id"], role="system", content=_text_of(row)))
    return found


def approval_activity(approval: Row, status: str) -> dict[str, Any]:
    """The content of the activity that shows an approval."""
    return {
        "approvalId": approval["id"],
        "toolCallId": approval["tool_call"],
        "toolName": approval["tool_name"],
        "status": status,
        "who": str(approval["who"]),
    }


def activity_id(call_id: str, kind: str) -> str:
    return f"{call_id}:{kind.rpartition(':')[2]}"


def is_answered(call: Row) -> bool:
    return call.get("status") in ANSWERED


def _user(row: Row) -> UserMessage:
    texts = [part for part in row["parts"] if part["type"] == "text"]
    content: Any = "\n\n".join(part["text"] for part in texts)
    if len(texts) != len(row["parts"]):
        content = [part for part in map(_content_part, row["parts"]) if part is not None]
    id = row["metadata"].get("client_id") or row["id"]
    return UserMessage(id=id, role="user", content=content)


def _content_part(part: Row) -> Any:
    match part:
        case {"type": "text", "text": text}:
            return TextPart(type="text", text=text)
        case {"type": "file", "data": data, "mime_type": mime_type}:
            source: DataSource | UrlSource
            if part.get("source_type") == "attachment":
                source = UrlSource(type="url", value=address_of(data), mime_type=mime_type)
            else:
                source = DataSource(type="data", value=data, mime_type=mime_type)
            if mime_type.startswith("image/"):
                return ImagePart(type="image", source=source)
            return DocumentPart(type="document", source=source)
    return None


def _assistant(
    row: Row,
    calls: Mapping[str, Row],
    approvals: Mapping[str, Row],
    answer_ids: Mapping[str, str],
    end: int | None,
) -> Iterator[Message]:
    starts = {step.get("start", 0) for step in row["metadata"].get("steps", ())}
    placed: list[_Placed] = []
    group: _Placed | None = None
    for index, part in enumerate(row["parts"]):
        is_cut = end is not None and index >= end
        if index in starts:
            group = None
        match part:
            case {"type": "reasoning", "text": text} if text:
                id, content = part_id(row["id"], index), "" if is_cut else text
                placed.append(_Placed(ReasoningMessage(id=id, role="reasoning", content=content)))
            case _ if is_cut:
                continue
            case {"type": "text", "text": text} if text:
                id = part_id(row["id"], index)
                group = _Placed(AssistantMessage(id=id, role="assistant", content=text))
                placed.append(group)
            case {"type": "tool_call", "id": id}:
                call = calls.get(id, part)
                if group is None:
                    group = _Placed(AssistantMessage(id=id, role="assistant"))
                    placed.append(group)
                group.add(_call(call))
                if is_answered(call):
                    group.answers.append(_answer(call, answer_ids))
                if approval := approvals.get(id):
                    group.cards.append(_approval(approval))
    for one in placed:
        yield from (one.message, *one.answers, *one.cards)


@dataclass(slots=True)
class _Placed:
    """A message with what stands directly behind it."""

    message: AssistantMessage | ReasoningMessage
    answers: list[Message] = field(default_factory=list)
    cards: list[Message] = field(default_factory=list)

    def add(self, call: ToolCall) -> None:
        assert isinstance(self.message, AssistantMessage)
        self.message.tool_calls = [*(self.message.tool_calls or ()), call]


def _call(call: Row) -> ToolCall:
    function = FunctionCall(name=call["tool_name"], arguments=call.get("args_text", ""))
    return ToolCall(id=call["id"], type="function", function=function)


def _answer(call: Row, answer_ids: Mapping[str, str]) -> ToolMessage:
    id = answer_ids.get(call["id"]) or result_id(call["id"])
    content = content_text(call["result"])
    return ToolMessage(id=id, role="tool", tool_call_id=call["id"], content=content)


def _approval(approval: Row) -> ActivityMessage:
    return ActivityMessage(
        id=activity_id(approval["tool_call"], APPROVAL_ACTIVITY),
        activity_type=APPROVAL_ACTIVITY,
        content=approval_activity(approval, approval["status"]),
    )


def _text_of(row: Row) -> str:
    return "\n\n".join(part["text"] for part in row["parts"] if part["type"] == "text")
