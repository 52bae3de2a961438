"""The state a page is given, from rows. Pure.

``{"threadId", "agent", "title", "isRunning", "messages", "agentState"}``; ``messages`` are in the form of
assistant-ui's ``ThreadMessageLike``, a message's parts at the same index as in its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.partial_json import args_so_far
from ...core.parts import Part, ToolCallPart, part_from_json
from ...core.statuses import ACTIVE_RUN, ANSWERED, Role
from .. import aui
from ..attachments import address_of
from ..items import Row

_NAMES = {
    "provider_metadata": None,  # It goes back to the provider, not to a page.
    "summary": "unstable_summary",
    "parent_id": "parentId",
    "source_type": "sourceType",
    "media_type": "mediaType",
    "mime_type": "mimeType",
}


def state_of(thread: Row, rows: Row) -> Row:
    """The state for the messages of :func:`~agentui.runtime.feed_reads.rows_of`."""
    calls = {row["id"]: row for row in rows["tool_calls"]}
    approvals = {row["id"]: row for row in rows["approvals"]}
    return {
        "threadId": thread["id"],
        "agent": thread["agent"],
        "title": thread["title"],
        "isRunning": any(run["status"] in ACTIVE_RUN for run in rows["runs"]),
        "messages": [message_state(row, calls, approvals) for row in rows["messages"]],
        "agentState": thread["state"],
    }


def message_state(row: Row, calls: Mapping[str, Row], approvals: Mapping[str, Row]) -> Row:
    """One message. What the site told the thread (``event``) is a system message."""
    state: Row = {
        # What the page that sent it calls it: it waits for this id to come back.
        "id": row["metadata"].get("client_id") or row["id"],
        "role": "system" if row["role"] == Role.EVENT else row["role"],
        "createdAt": aui.timestamp(row["created_at"]),
        "content": [part_state(part, calls, approvals) for part in row["parts"]],
        "metadata": {"custom": {"id": row["id"], "parent": row["parent"], "seq": row["seq"]}},
    }
    if row["role"] == Role.EVENT:
        state["content"] = state["content"][:1]
    if row["role"] == Role.ASSISTANT:
        state["status"] = aui.status(row["status"], row["error"])
    return state


def part_state(part: Row, calls: Mapping[str, Row], approvals: Mapping[str, Row]) -> Row:
    """One stored part; a call by its row."""
    if part["type"] == "tool_call" and part["id"] in calls:
        call = calls[part["id"]]
        return call_state(call, approvals.get(call["approval"] or ""))
    if part.get("source_type") == "attachment":
        part = {**part, "data": address_of(part["data"]), "source_type": "url"}
    return new_part(part_from_json(part))


def call_state(call: Row, approval: Row | None) -> Row:
    """A call with its outcome and its approval."""
    state: Row = {
        "type": "tool-call",
        "toolCallId": call["id"],
        "toolName": call["tool_name"],
        "argsText": call["args_text"],
        "args": args_so_far(call["args_text"]),
    }
    if call["status"] in ANSWERED:
        state["result"] = call["result"]
        if call["is_error"]:
            state["isError"] = True
    if call["artifact"] is not None:
        state["artifact"] = call["artifact"]
    if call["progress"] is not None and call["status"] not in ANSWERED:
        state["progress"] = call["progress"]
    if approval is not None:
        state["approval"] = aui.approval_row(approval)
    return state


def new_part(part: Part) -> Row:
    """A part as the stream opens it."""
    if isinstance(part, ToolCallPart):
        return {
            "type": "tool-call",
            "toolCallId": part.id,
            "toolName": part.tool_name,
            "argsText": part.args_text,
            "args": args_so_far(part.args_text),
        }
    given: dict[str, Any] = part.to_json()
    renamed = {_NAMES.get(name, name): value for name, value in given.items()}
    return {name: value for name, value in renamed.items() if name is not None}
