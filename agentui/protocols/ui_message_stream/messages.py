"""Stored rows as UI messages: what a page shows after a reload is what it had streamed. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from ...core.partial_json import args_so_far
from ...core.parts import (
    DataPart,
    FilePart,
    ReasoningPart,
    SourcePart,
    TextPart,
    ToolCallPart,
    part_from_json,
)
from ...core.statuses import ACTIVE_RUN, ANSWERED, Role, ToolCallStatus
from ..items import Row
from .parts import (
    approval_descriptor,
    args_of,
    data_id,
    error_value,
    file_url,
    message_metadata,
    source_chunk,
)


def ui_messages(rows: Row, server_tools: Container[str]) -> list[Row]:
    """The messages of :func:`~agentui.runtime.feed_reads.rows_of`, oldest first.

    One that a run is writing is left out: the stream that resumes gives it from its first part on.
    """
    calls = {row["id"]: row for row in rows["tool_calls"]}
    approvals = {row["id"]: row for row in rows["approvals"]}
    runs = {row["message"]: row for row in rows["runs"]}
    messages = []
    for row in rows["messages"]:
        run = runs.get(row["id"])
        if run is not None and run["status"] in ACTIVE_RUN:
            continue
        messages.append(ui_message(row, run, calls, approvals, server_tools))
    return messages


def ui_message(
    row: Row,
    run: Row | None,
    calls: Mapping[str, Row],
    approvals: Mapping[str, Row],
    server_tools: Container[str] = (),
) -> Row:
    """One message. What the site told the thread (``event``) is a system message."""
    role = "system" if row["role"] == Role.EVENT else row["role"]
    parts: list[Row] = []
    starts = [step.get("start", 0) for step in row["metadata"].get("steps", ())]
    for index, part in enumerate(row["parts"]):
        parts += [{"type": "step-start"} for start in starts if start == index]
        if part["type"] == "tool_call" and part["id"] in calls:
            call = calls[part["id"]]
            parts.append(tool_part(call, approvals.get(call["approval"] or ""), server_tools))
        else:
            parts += _parts(index, part, row["role"])
    parts += [{"type": "step-start"} for start in starts if start >= len(row["parts"])]
    return {
        # What the page that sent it calls it: live and read back it is one message.
        "id": row["metadata"].get("client_id") or row["id"],
        "role": role,
        "metadata": message_metadata(row, run),
        "parts": parts,
    }


def tool_part(call: Row, approval: Row | None, server_tools: Container[str] = ()) -> Row:
    """A call with its state in the AI SDK's words."""
    args = args_of(call["args_text"])
    part: Row = {
        "type": f"tool-{call['tool_name']}",
        "toolCallId": call["id"],
        "state": _state(call, approval),
        "input": call["args_text"] if args is None else args,
    }
    if call["tool_name"] in server_tools or call["status"] in ANSWERED:
        part["providerExecuted"] = True
    if approval is not None:
        part["approval"] = _approval(approval)
    if part["state"] == "output-available":
        part["output"] = call["result"]
        if call["artifact"] is not None:
            part["toolMetadata"] = {"artifact": call["artifact"]}
    elif part["state"] == "output-error":
        part["errorText"] = error_value(call["result"])
    elif part["state"] == "output-denied" and approval is None:
        # A standing answer decided; nobody was asked.
        part["approval"] = {"id": call["id"], "approved": False, "isAutomatic": True}
    return part


def _state(call: Row, approval: Row | None) -> str:
    status = ToolCallStatus(call["status"])
    match status:
        case ToolCallStatus.STREAMING:
            return "input-streaming"
        case ToolCallStatus.AWAITING_APPROVAL:
            return "approval-requested"
        case ToolCallStatus.COMPLETE:
            return "output-available"
        case ToolCallStatus.DENIED:
            return "output-denied"
        case _ if status in ANSWERED:
            return "output-error"
        case _ if approval is not None and approval["status"] == "approved":
            return "approval-responded"
        case _:
            return "input-available"


def _approval(row: Row) -> Row:
    approval: Row = {"id": row["id"], "descriptor": approval_descriptor(row)}
    if row["status"] in ("approved", "denied"):
        approval["approved"] = row["status"] == "approved"
        if row["decisions"] and row["decisions"][-1]["reason"]:
            approval["reason"] = row["decisions"][-1]["reason"]
    return approval


def _parts(index: int, data: Row, role: str) -> Iterator[Row]:
    part: Any = part_from_json(data)
    match part:
        case TextPart(text=text) | ReasoningPart(text=text):
            if text:
                done = {"state": "done"} if role == Role.ASSISTANT else {}
                named = {"id": data_id(index)} if part.type == "reasoning" else {}
                yield {"type": part.type, **named, "text": text, **done}
        case SourcePart():
            yield source_chunk(part)
        case FilePart(filename=filename):
            file = {"type": "file", "mediaType": part.mime_type, "url": file_url(part)}
            yield {**file, "filename": filename} if filename else file
        case DataPart(name=name):
            yield {"type": f"data-{name}", "id": data_id(index), "data": part.data}
        case ToolCallPart():
            # A call that is still being written has no row yet.
            yield {
                "type": f"tool-{part.tool_name}",
                "toolCallId": part.id,
                "state": "input-streaming",
                "input": args_so_far(part.args_text),
            }
