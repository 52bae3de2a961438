"""assistant-ui's vocabulary in and out: camelCase keys, hyphenated words, decisions as booleans.

The case file keeps the words of the system it was recorded from; only this module knows both.
"""

from __future__ import annotations

from typing import Any

from agentui.core import events as ev
from agentui.core.partial_json import parse_partial
from agentui.core.parts import (
    ApprovalState,
    DataPart,
    FilePart,
    Message,
    Part,
    ReasoningPart,
    SourcePart,
    TextPart,
    ToolCallPart,
    approval_from_json,
)
from agentui.core.statuses import (
    QUEUED,
    ApprovalStatus,
    Reason,
    Role,
    RunStatus,
    Status,
    ToolCallStatus,
)

from .likes import message_from_like

Aui = dict[str, Any]

_KEYS = {
    "toolCallId": "tool_call_id",
    "toolName": "tool_name",
    "argsText": "args_text",
    "isError": "is_error",
    "modelContent": "model_content",
    "parentId": "parent_id",
    "mimeType": "mime_type",
    "mediaType": "media_type",
    "sourceType": "source_type",
    "providerMetadata": "provider_metadata",
    "unstable_summary": "summary",
    "unstable_state": "state",
    "unstable_annotations": "annotations",
    "unstable_data": "data",
    "messageId": "message_id",
    "finishReason": "finish_reason",
    "isContinued": "is_continued",
    "inputTokens": "input_tokens",
    "outputTokens": "output_tokens",
    "optionId": "option",
    "isAutomatic": "is_automatic",
}
_BACK = {ours: theirs for theirs, ours in _KEYS.items()}


def renamed(data: Aui, names: dict[str, str] = _KEYS) -> Aui:
    return {names.get(key, key): value for key, value in data.items()}


# Into ours


def status_of(data: Aui) -> Status:
    reason = data.get("reason", "").replace("-", "_")
    # A pause has one reason with us; what was interrupted is something else.
    reason = Reason.OTHER if reason == "interrupt" else Reason(reason)
    return Status(RunStatus(data["type"].replace("-", "_")), reason)


def approval_of(data: Aui) -> Aui:
    given = renamed(data)
    decided = given.pop("approved", None)
    status = (
        given.pop("resolution", None)
        or {None: "pending", True: "approved", False: "denied"}[decided]
    )
    return {**given, "status": status}


def part_of(data: Aui) -> Aui:
    part = renamed(data)
    part["type"] = {"tool-call": "tool_call"}.get(part["type"], part["type"])
    if part.get("approval"):
        part["approval"] = approval_of(part["approval"])
    return part


def like_of(data: Aui) -> Aui:
    like = {"role": "assistant", "content": [], **data}
    if isinstance(like["content"], list):
        like["content"] = [part_of(part) for part in like["content"]]
    like["attachments"] = [
        {"content": [part_of(part) for part in attachment["content"]]}
        for attachment in data.get("attachments", ())
    ]
    if data.get("status"):
        status = status_of(data["status"])
        like["status"] = {**data["status"], "type": status.type, "reason": status.reason}
    like["metadata"] = renamed(data.get("metadata") or {})
    return like


def message_of(data: Aui, *, fallback_id: str = "m", fallback_status: Status = QUEUED) -> Message:
    return message_from_like(
        like_of(data), fallback_id=fallback_id, fallback_status=fallback_status
    )


def approval_state_of(data: Aui) -> ApprovalState:
    return approval_from_json(approval_of(data))


_OPENED: dict[str, Any] = {
    "text": lambda part: TextPart("", parent_id=part.get("parent_id")),
    "reasoning": lambda part: ReasoningPart(
        "", summary=part.get("summary"), parent_id=part.get("parent_id")
    ),
    "source": SourcePart.from_json,
    "file": FilePart.from_json,
    "data": DataPart.from_json,
    "tool_call": lambda part: ToolCallPart(
        id=f"row-{part['tool_call_id']}",
        tool_call_id=part["tool_call_id"],
        tool_name=part["tool_name"],
        parent_id=part.get("parent_id"),
    ),
}


def event_of(chunk: Aui) -> ev.StreamEvent:
    path = tuple(chunk["path"])
    match chunk["type"]:
        case "part-start":
            part = part_of(chunk["part"])
            # A kind of part we do not know keeps its place, so that later paths still fit.
            opened = _OPENED.get(part["type"], _OPENED["reasoning"])
            return ev.PartStart(opened(part))
        case "text-delta":
            return ev.TextDelta(path, chunk["textDelta"])
        case "tool-call-args-text-finish":
            return ev.ToolCallArgsFinish(path)
        case "result":
            return ev.ToolCallResult(path, chunk["result"], is_error=chunk.get("isError", False))
        case "part-finish":
            return ev.PartFinish(path)
        case "step-start":
            return ev.StepStart(chunk["messageId"])
        case "step-finish":
            return ev.StepFinish(
                chunk["finishReason"].replace("-", "_"),
                usage=renamed(chunk["usage"]),
                is_continued=chunk["isContinued"],
            )
        case "message-finish":
            return ev.MessageFinish(
                chunk["finishReason"].replace("-", "_"), usage=renamed(chunk["usage"])
            )
        case "annotations":
            return ev.Annotations(tuple(chunk["annotations"]))
        case "data":
            return ev.Data(tuple(chunk["data"]))
        case "update-state":
            return ev.UpdateState(tuple(chunk["operations"]))
        case "error":
            return ev.ErrorEvent(chunk["error"], chunk.get("code"), chunk.get("severity"))
    raise AssertionError(chunk)


# Out of ours


def aui_status(status: Status, error: Any = None) -> Aui:
    data = {"type": status.type.replace("_", "-")}
    if status.reason:
        data["reason"] = status.reason.replace("_", "-")
    return {**data, "error": error} if error else data


def aui_approval(approval: ApprovalState) -> Aui:
    data = renamed(approval.to_json(), _BACK)
    status = data.pop("status", ApprovalStatus.PENDING)
    if status in (ApprovalStatus.APPROVED, ApprovalStatus.DENIED):
        data["approved"] = status == ApprovalStatus.APPROVED
    elif status != ApprovalStatus.PENDING:
        data["resolution"] = "expired" if status == ApprovalStatus.EXPIRED else "cancelled"
    return data


def aui_part(message: Message, index: int) -> Aui:
    part: Part = message.parts[index]
    data = renamed(part.to_json(), _BACK)
    data["status"] = aui_status(part_status(message, index))
    if not isinstance(part, ToolCallPart):
        return data
    for key in ("id", "status", "kind", "result", "isError", "approval"):
        data.pop(key, None)
    data["type"] = "tool-call"
    data["argsText"] = part.args_text
    partial = parse_partial(part.args_text)
    data["args"] = partial.value if partial else {}
    data["status"] = aui_status(part_status(message, index))
    if part.has_result:
        data |= {"state": "result", "result": part.result, "isError": part.is_error}
    else:
        streaming = part.status is ToolCallStatus.STREAMING
        data["state"] = "partial-call" if streaming else "call"
    if part.approval:
        data["approval"] = aui_approval(part.approval)
    return data


def part_status(message: Message, index: int) -> Status:
    """What assistant-ui's page shows of one part; agentui's parts have no status of their own."""
    part = message.parts[index]
    shows_message = index == len(message.parts) - 1
    if isinstance(part, ToolCallPart):
        shows_message = not part.has_result
    elif message.status.type is RunStatus.REQUIRES_ACTION:
        shows_message = False
    return message.status if shows_message else Status(RunStatus.COMPLETE, Reason.NONE)


def aui_message(message: Message) -> Aui:
    parts = [aui_part(message, index) for index in range(len(message.parts))]
    metadata = message.metadata
    return {
        "id": message.id,
        "role": message.role.value,
        "status": aui_status(message.status, message.error),
        "parts": parts,
        "content": parts,
        "metadata": {
            "unstable_state": metadata.state,
            "unstable_annotations": list(metadata.annotations),
            "unstable_data": list(metadata.data),
            "steps": [_aui_step(step.to_json()) for step in metadata.steps],
            "custom": metadata.custom,
        },
    }


def _aui_step(step: Aui) -> Aui:
    data = renamed({"is_continued": False, **step}, _BACK)
    data["state"] = data.pop("unstable_state", "started")
    if data.get("usage"):
        data["usage"] = renamed(data["usage"], _BACK)
    data.pop("start", None)
    return data


ASSISTANT = Message("m", Role.ASSISTANT)
