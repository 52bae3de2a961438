"""Stored rows in the format ``aui/v0``: assistant-ui's own storage form of a message. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...core.statuses import Role
from .. import aui
from ..assistant_transport.state import part_state
from ..items import Row

_TOOL_FIELDS = ("toolCallId", "toolName", "result", "artifact", "approval", "parentId")


def encode_message(row: Row, calls: Mapping[str, Row], approvals: Mapping[str, Row]) -> Row:
    """The content of one message; its id and time stand next to it."""
    parts = [part_state(part, calls, approvals) for part in row["parts"]]
    return encode_state(
        {
            "role": "system" if row["role"] == Role.EVENT else row["role"],
            "content": parts[:1] if row["role"] == Role.EVENT else parts,
            "status": aui.status(row["status"], row["error"]),
            "metadata": _metadata(row),
        }
    )


def encode_state(message: Row) -> Row:
    """A message as the page holds it, in the form it is stored in.

    One that is running is stored as cancelled: whoever reads it later does not see it go on.
    """
    role = message["role"]
    stored: Row = {
        "role": role,
        "content": [_part(part, role) for part in message["content"]],
        "metadata": message["metadata"],
    }
    if role == Role.ASSISTANT:
        status = message["status"]
        is_running = status["type"] == "running"
        stored["status"] = {"type": "incomplete", "reason": "cancelled"} if is_running else status
    return stored


def _part(part: Row, role: str) -> Row:
    if part["type"] == "file" and role == Role.USER:
        data = part["data"]
        data = (
            data
            if ":" in data or part.get("sourceType") == "url"
            else f"data:{part['mimeType']};base64,{data}"
        )
        if part["mimeType"].startswith("image/"):
            named = {"filename": part["filename"]} if part.get("filename") else {}
            return {"type": "image", "image": data, **named}
    if part["type"] != "tool-call":
        return part
    stored: Row = {"type": "tool-call"}
    stored |= {name: part[name] for name in _TOOL_FIELDS if name in part}
    # Numbers and spacing that JavaScript would write otherwise survive only as text.
    if _as_javascript(part["args"]) == part["argsText"]:
        stored["args"] = part["args"]
    else:
        stored["argsText"] = part["argsText"]
    if part.get("isError"):
        stored["isError"] = True
    return stored


def _as_javascript(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _metadata(row: Row) -> Row:
    metadata: Row = {"custom": {"seq": row["seq"]}}
    if row["role"] != Role.ASSISTANT:
        return metadata
    steps = row["metadata"].get("steps", ())
    return {
        "unstable_annotations": list(row["metadata"].get("annotations", ())),
        "unstable_data": list(row["metadata"].get("data", ())),
        "steps": [{"usage": aui.usage(step.get("usage"))} for step in steps],
        **metadata,
    }
