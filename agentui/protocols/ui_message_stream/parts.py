"""Values of agentui in the AI SDK's words. Pure."""

from __future__ import annotations

import json
from typing import Any

from ...core.partial_json import ArgumentsError, parse_args
from ...core.parts import FilePart, SourcePart
from .. import aui
from ..attachments import address_of
from ..items import Row

Chunk = dict[str, Any]

_REASONS = {
    "stop": "stop",
    "length": "length",
    "content_filter": "content-filter",
    "tool_calls": "tool-calls",
    "error": "error",
}


def finish_reason(reason: str) -> str:
    """A reason the client accepts: any word outside its list is fatal to it, ``unknown`` included."""
    return _REASONS.get(reason, "other")


def args_of(text: str) -> dict[str, Any] | None:
    """The arguments as an object; None when they are none."""
    try:
        return parse_args(text)
    except ArgumentsError:
        return None


def file_url(part: FilePart) -> str:
    """A file as an address: as it is, or with its bytes in it; an upload's is for its owner."""
    if part.source_type == "attachment":
        return address_of(part.data)
    if part.source_type == "url" or part.data.startswith(("https:", "http:", "data:")):
        return part.data
    return f"data:{part.mime_type};base64,{part.data}"


def source_chunk(part: SourcePart) -> Chunk:
    """A source, as a chunk and as a part of a message alike."""
    if part.source_type == "document":
        chunk = {
            "type": "source-document",
            "sourceId": part.id,
            "mediaType": part.media_type or "application/octet-stream",
            "title": part.title or part.filename or part.id,
        }
        return {**chunk, "filename": part.filename} if part.filename else chunk
    chunk = {"type": "source-url", "sourceId": part.id, "url": part.url or ""}
    return {**chunk, "title": part.title} if part.title else chunk


def data_id(index: int) -> str:
    """A data part's id: the same each time it is sent, so it is replaced and not added."""
    return f"part-{index}"


def approval_descriptor(row: Row) -> Row:
    """What a page may show of an approval, besides what the AI SDK knows itself.

    ``mayDecide`` says whether this user is one who may answer it.
    """
    return {
        "mayDecide": row["may_decide"],
        "who": row["who"],
        "options": aui.approval_row(row).get("options", []),
        "reasonRequired": row["reason_required"],
        "expiresAt": row["expires_at"],
        "digest": row["args_digest"],
    }


def message_metadata(message: Row, run: Row | None) -> Row:
    """What a message's ``metadata`` holds, live and when it is read back."""
    metadata: Row = {"threadId": message["thread"], "status": message["status"]}
    if run is not None:
        metadata |= {"runId": run["id"], "agent": run["agent"]}
        metadata["status"] = {"type": run["status"], "reason": run["reason"]}
        if run["usage"]:
            metadata["usage"] = run["usage"]
    return metadata


def error_text(error: Row | None) -> str:
    """The sentence for a run that failed; it was made safe to show when it was stored."""
    return str((error or {}).get("message") or "The run failed.")


def error_value(result: Any) -> str:
    """A failed call's result as the text that a client shows."""
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
