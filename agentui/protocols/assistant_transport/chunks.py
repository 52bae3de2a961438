"""A run's items as chunks of the assistant transport: the stream itself, without a state. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core import events as ev
from ...core.parts import ReasoningPart, TextPart, ToolCallPart
from .. import aui
from .. import items as it
from .state import new_part

Chunk = dict[str, Any]


class TransportEncoder:
    """A run's items as chunks of the assistant transport: the stream itself, without a state.

    For clients that read parts. ``parts`` is how many of the message the client has; paths count from
    there, and what happens to earlier parts is left out.
    """

    def __init__(self, parts: int = 0) -> None:
        self._known = parts
        self._message_id = ""

    def encode(self, item: it.Item) -> Iterator[Chunk]:
        """The chunks for the next item."""
        match item:
            case it.Started():
                self._message_id = item.message["id"]
            case ev.PartStart(part=part):
                yield _chunk("part-start", (), part=_init(part))
            case ev.TextDelta(text_delta=text):
                yield from self._at(item.path, "text-delta", textDelta=text)
            case ev.ToolCallArgsFinish():
                yield from self._at(item.path, "tool-call-args-text-finish")
            case ev.PartFinish():
                yield from self._at(item.path, "part-finish")
            case ev.ToolCallResult():
                artifact = {} if item.artifact is None else {"artifact": item.artifact}
                error = bool(item.is_error)
                fields = {"result": item.result, "isError": error, **artifact}
                yield from self._at(item.path, "result", **fields)
            case ev.StepStart(message_id=message_id):
                yield _chunk("step-start", (), messageId=message_id or self._message_id)
            case ev.StepFinish(finish_reason=reason, usage=usage, is_continued=is_continued):
                yield _chunk(
                    "step-finish", (), finishReason=aui.finish_reason(reason),
                    usage=aui.usage(usage), isContinued=is_continued,
                )  # fmt: skip
            case ev.MessageFinish(finish_reason=reason, usage=usage):
                word = aui.finish_reason(reason)
                yield _chunk("message-finish", (), finishReason=word, usage=aui.usage(usage))
            case ev.Annotations(annotations=values):
                yield _chunk("annotations", (), annotations=list(values))
            case ev.Data(data=values):
                yield _chunk("data", (), data=list(values))
            case ev.ErrorEvent():
                given = {"code": item.code, "severity": item.severity}
                rest = {name: value for name, value in given.items() if value is not None}
                yield _chunk("error", (), error=item.error, **rest)
            case _:
                return

    def _at(self, path: ev.Path, kind: str, **fields: Any) -> Iterator[Chunk]:
        if path[0] >= self._known:
            yield _chunk(kind, (path[0] - self._known, *path[1:]), **fields)


def update_state(operations: list[Any]) -> Chunk:
    return _chunk("update-state", (), operations=operations)


def _chunk(kind: str, path: ev.Path, **fields: Any) -> Chunk:
    return {"type": kind, "path": list(path), **fields}


def _init(part: Any) -> Chunk:
    """A part as ``part-start`` names it: text and arguments follow."""
    parent = {"parentId": part.parent_id} if part.parent_id else {}
    match part:
        case ToolCallPart():
            call = {"toolCallId": part.id, "toolName": part.tool_name}
            return {"type": "tool-call", **call, **parent}
        case TextPart():
            return {"type": "text", **parent}
        case ReasoningPart(summary=summary):
            return {
                "type": "reasoning",
                **({"unstable_summary": summary} if summary else {}),
                **parent,
            }
        case _:
            return new_part(part)
