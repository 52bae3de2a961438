"""Messages as the case file writes them: assistant-ui's loose form, with the keys already ours.

agentui has no such reader: its own rows are written whole, and each protocol decodes what its clients
send. Only the cases need one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agentui.core.parts import (
    FilePart,
    Message,
    Metadata,
    Part,
    TextPart,
    ToolCallPart,
    approval_from_json,
    part_from_json,
)
from agentui.core.statuses import Reason, Role, RunStatus, Status, ToolCallStatus


def message_from_like(
    like: Mapping[str, Any], *, fallback_id: str, fallback_status: Status
) -> Message:
    content = like.get("content", ())
    written = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    for attachment in like.get("attachments") or ():
        written.extend(attachment["content"])
    status = like.get("status")
    return Message(
        id=like.get("id") or fallback_id,
        role=Role(like["role"]),
        parts=tuple(part for item in written for part in _parts(item)),
        status=Status(RunStatus(status["type"]), Reason(status["reason"]))
        if status
        else fallback_status,
        metadata=Metadata(custom=(like.get("metadata") or {}).get("custom", {})),
        error=status.get("error") if status else None,
        model=like.get("model"),
    )


def _parts(item: dict[str, Any]) -> Iterator[Part]:
    match item:
        case {"type": "text" | "reasoning", "text": ""}:
            return
        case {"type": "text", "text": text}:
            yield TextPart(text)
        case {"type": "image", "image": address}:
            yield FilePart(address, "image/jpeg", source_type="url")
        case {"type": "tool_call"}:
            yield _call(item)
        case _:
            yield part_from_json(item)


def _call(item: Mapping[str, Any]) -> ToolCallPart:
    approval = item.get("approval")
    args = json.dumps(item.get("args", {}), separators=(",", ":"))
    return ToolCallPart(
        id=item["tool_call_id"],
        tool_call_id=item["tool_call_id"],
        tool_name=item["tool_name"],
        args_text=item.get("args_text", args),
        status=_call_status(item),
        result=item.get("result"),
        is_error=item.get("is_error", False),
        approval=approval_from_json(approval) if approval else None,
    )


def _call_status(item: Mapping[str, Any]) -> ToolCallStatus:
    if "result" in item:
        return ToolCallStatus.FAILED if item.get("is_error") else ToolCallStatus.COMPLETE
    match item.get("approval"):
        case {"status": "pending"}:
            return ToolCallStatus.AWAITING_APPROVAL
        case {"status": "approved" | "denied" | "expired" | "cancelled" as status}:
            return ToolCallStatus(status)
        case _:
            return ToolCallStatus.PENDING
