"""A message as others write it becomes a message of ours.

Protocols, imports and tests write messages loosely: content as one string, parts with fields left
out, images and attachments as things of their own. The rules:

- A string is one text part. An assistant's blank text is dropped, and blank reasoning unless it has
  a summary; what a user wrote is kept as it is.
- An image is a file. Only image data, ``https:`` and ``blob:`` addresses are taken; others are
  dropped. An attachment's content follows the message's own.
- A call has ``args_text``, or ``args`` from which it is written.
- ``data-name`` is a data part of that name.
- A status and steps are an assistant's, attachments a user's; a system message is one text.
- A part of a type that its role does not have is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from posixpath import splitext
from typing import Any

from agentui.exceptions import InvalidInput

from .parts import (
    DataPart,
    FilePart,
    Message,
    Metadata,
    Part,
    ReasoningPart,
    SourcePart,
    Step,
    TextPart,
    ToolCallPart,
    approval_from_json,
)
from .statuses import COMPLETE, Reason, Role, RunStatus, Status, ToolCallStatus
from .values import Json

_IMAGE_TYPES = {
    ".png": "image/png",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
}


def message_from_like(
    like: Mapping[str, Any], *, fallback_id: str, fallback_status: Status = COMPLETE
) -> Message:
    """The message that ``like`` stands for. Raises ``InvalidInput`` when it breaks a rule."""
    try:
        return _message(like, fallback_id, fallback_status)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InvalidInput(
            "This is not a message: a field is missing or not as it should be."
        ) from error


def _message(like: Mapping[str, Any], fallback_id: str, fallback_status: Status) -> Message:
    role = Role(like["role"])
    _check_fields(role, like)
    content = like.get("content", ())
    written = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    for attachment in like.get("attachments") or ():
        written.extend(attachment.get("content", ()))
    parts = tuple(part for item in written for part in _parts(role, item))
    if role is Role.SYSTEM and not (len(parts) == 1 and isinstance(parts[0], TextPart)):
        raise InvalidInput("System messages must have exactly one text message part.")
    status = like.get("status")
    return Message(
        id=str(like.get("id") or fallback_id),
        role=role,
        parts=parts,
        status=Status(RunStatus(status["type"]), Reason(status.get("reason", "")))
        if status
        else fallback_status,
        metadata=_metadata(like.get("metadata") or {}),
        error=status.get("error") if status else None,
        model=like.get("model"),
    )


def _check_fields(role: Role, like: Mapping[str, Any]) -> None:
    if like.get("attachments") and role is not Role.USER:
        raise InvalidInput("attachments are only supported for user messages")
    if role is Role.ASSISTANT:
        return
    if like.get("status"):
        raise InvalidInput("status is only supported for assistant messages")
    if (like.get("metadata") or {}).get("steps"):
        raise InvalidInput("metadata.steps is only supported for assistant messages")


def _metadata(data: Mapping[str, Any]) -> Metadata:
    return Metadata(
        state=data.get("state"),
        annotations=tuple(data.get("annotations", ())),
        data=tuple(data.get("data", ())),
        steps=tuple(Step.from_json(step) for step in data.get("steps", ())),
        custom=dict(data.get("custom", {})),
    )


def _parts(role: Role, item: Mapping[str, Any]) -> Iterator[Part]:
    """The part that ``item`` stands for, if anything is left of it."""
    match (role, item):
        case (_, {"type": "text", "text": str(text)}):
            if role is not Role.ASSISTANT or text.strip():
                yield TextPart(text, parent_id=item.get("parent_id"))
        case (Role.ASSISTANT, {"type": "reasoning", "text": str(text)}):
            if text.strip() or item.get("summary"):
                yield ReasoningPart(
                    text, summary=item.get("summary"), parent_id=item.get("parent_id")
                )
        case (Role.ASSISTANT, {"type": "source"}):
            yield SourcePart.from_json(dict(item))
        case (Role.ASSISTANT, {"type": "tool_call", "tool_name": str()}):
            yield _call(item)
        case (Role.USER | Role.ASSISTANT, {"type": "image", "image": str(address)}):
            yield from _image(address, item.get("filename"))
        case (Role.USER | Role.ASSISTANT, {"type": "file", "data": str(), "mime_type": str()}):
            yield FilePart.from_json(dict(item))
        case (Role.USER | Role.ASSISTANT, {"type": "data", "name": str(name)}):
            yield DataPart(name, item.get("data"))
        case (Role.USER | Role.ASSISTANT, {"type": str(kind)}) if kind.startswith("data-"):
            yield DataPart(kind.removeprefix("data-"), item.get("data"))
        case _:
            raise InvalidInput(f"Unsupported {role} message part type: {item.get('type')}")


def _image(address: str, filename: str | None) -> Iterator[FilePart]:
    if address.startswith("data:image/"):
        mime_type = address.removeprefix("data:").split(";")[0].split(",")[0]
    elif address.startswith(("https:", "blob:")):
        extension = splitext(address.split("?")[0].split("#")[0])[1].lower()
        mime_type = _IMAGE_TYPES.get(extension, "image/jpeg")
    else:
        return
    yield FilePart(address, mime_type, filename=filename, source_type="url")


def _call(item: Mapping[str, Any]) -> ToolCallPart:
    call_id = item.get("tool_call_id") or item.get("id") or ""
    approval = item.get("approval")
    return ToolCallPart(
        id=str(item.get("id") or call_id),
        tool_call_id=str(call_id),
        tool_name=item["tool_name"],
        args_text=_args_text(item),
        status=_call_status(item),
        result=item.get("result"),
        is_error=bool(item.get("is_error")),
        artifact=item.get("artifact"),
        model_content=item.get("model_content"),
        approval=approval_from_json(dict(approval)) if approval else None,
        parent_id=item.get("parent_id"),
    )


def _args_text(item: Mapping[str, Any]) -> str:
    if "args_text" in item:
        return str(item["args_text"])
    args: Json = item.get("args", {})
    return json.dumps(args, ensure_ascii=False, separators=(",", ":"))


def _call_status(item: Mapping[str, Any]) -> ToolCallStatus:
    if "result" in item:
        return ToolCallStatus.FAILED if item.get("is_error") else ToolCallStatus.COMPLETE
    match item.get("approval"):
        case {"status": "approved"}:
            return ToolCallStatus.APPROVED
        case {"status": "denied"}:
            return ToolCallStatus.DENIED
        case {"status": "expired"}:
            return ToolCallStatus.EXPIRED
        case {"status": "cancelled" | "superseded"}:
            return ToolCallStatus.CANCELLED
        case {}:
            return ToolCallStatus.AWAITING_APPROVAL
        case _:
            return ToolCallStatus.PENDING
