"""A run's items as the chunks of the AI SDK's UI message stream. Pure.

One encoder is one response. The rules that a client enforces:

- a delta needs its ``-start``, a tool's output needs its input, an unknown chunk type is fatal, and so
  is a ``finishReason`` outside the list;
- ``error`` ends the reading, so it is the last chunk;
- a client that may send by itself (``sendAutomaticallyWhen``) looks at the calls of the last step. The
  server's calls are marked ``providerExecuted`` so that they never count; when a run is over right
  after a call of the page, an empty step is opened so that the client does not send for ever.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any

from ...core import events as ev
from ...core.parts import DataPart, FilePart, ReasoningPart, SourcePart, TextPart, ToolCallPart
from ...core.statuses import ApprovalStatus, Reason, RunStatus, ToolCallStatus
from .. import items as it
from .parts import (
    Chunk,
    approval_descriptor,
    args_of,
    data_id,
    error_text,
    error_value,
    file_url,
    finish_reason,
    message_metadata,
    source_chunk,
)
from .step_record import StepRecord

_BAD_ARGUMENTS = "The arguments are not a JSON object."


@dataclass(slots=True)
class _Call:
    id: str
    name: str
    args: list[str]
    is_announced: bool = False
    is_available: bool = False

    @property
    def text(self) -> str:
        return "".join(self.args)


class UIMessageEncoder:
    """Items of :func:`~agentui.protocols.following.follow_run`, after ``Pacing``, as chunks.

    ``server_tools`` are the tools the page must not run. With ``parts`` the response continues a
    message of which the client has that many parts.
    """

    def __init__(self, server_tools: Container[str] = (), parts: int = 0) -> None:
        self._server_tools = server_tools
        self._known = parts
        self._parts = parts
        self._calls: dict[int, _Call] = {}
        self._texts: dict[int, str] = {}
        self._started: set[int] = set()
        self._approvals: dict[str, it.Row] = {}
        self._has_page_calls = False
        self._is_reset = False
        self._step_start = parts
        self._step = StepRecord()

    def encode(self, item: it.Item) -> Iterator[Chunk]:
        """The chunks for the next item."""
        match item:
            case it.Started():
                yield from self._on_started(item)
            case it.Ended():
                yield from self._on_ended(item)
            case it.Progress(call=call, value=value):
                data = {"toolCallId": call["id"], "toolName": call["tool_name"], "value": value}
                yield {"type": "data-progress", "id": call["id"], "data": data, "transient": True}
            case it.StateChanged(state=state):
                yield {"type": "data-state", "id": "state", "data": state, "transient": True}
            case it.CallStarted() | it.Heartbeat():
                return
            case ev.PartStart() | ev.TextDelta() | ev.ToolCallArgsFinish() | ev.PartFinish():
                index = item.path[0] if item.path else self._parts
                for chunk in self._on_event(item):
                    self._step.add(index, chunk)
                    yield chunk
            case _:
                yield from self._on_event(item)

    def _on_event(self, event: ev.StreamEvent) -> Iterator[Chunk]:
        match event:
            case ev.PartStart(part=part):
                self._parts += 1
                yield from self._on_part(self._parts - 1, part)
            case ev.TextDelta(path=(index,), text_delta=text):
                yield from self._on_text(index, text)
            case ev.ToolCallArgsFinish(path=(index,)) if index in self._calls:
                yield from self._input(self._calls[index])
            case ev.PartFinish(path=(index,)) if index in self._started:
                self._started.discard(index)
                yield {"type": f"{self._texts[index]}-end", "id": f"part-{index}"}
            case ev.ApprovalRequest(path=(index,), approval=approval) if index in self._calls:
                yield from self._input(self._calls[index])
                yield self._approval_request(self._calls[index].id, approval.id)
            case ev.ApprovalDecision(approval=approval):
                if approval.status in (ApprovalStatus.APPROVED, ApprovalStatus.DENIED):
                    approved = approval.status is ApprovalStatus.APPROVED
                    chunk = {"approvalId": approval.id, "approved": approved}
                    reason = {"reason": approval.reason} if approval.reason else {}
                    yield {"type": "tool-approval-response", **chunk, **reason}
            case ev.ToolCallResult(path=(index,)) if index in self._calls:
                yield from self._on_result(self._calls[index], event)
            case ev.StepStart():
                yield from self._on_step()
            case ev.StepFinish():
                yield {"type": "finish-step"}
            case ev.StepReset(start=start):
                yield from self._on_reset(start)
            case ev.Annotations(annotations=annotations):
                yield _metadata({"annotations": list(annotations)})
            case ev.Data(data=data):
                for value in data:
                    yield {"type": "data-data", "data": value}
            case ev.ErrorEvent(error=error):
                yield {"type": "error", "errorText": error}
            case ev.MessageFinish(finish_reason=reason):
                yield {"type": "finish", "finishReason": finish_reason(reason)}

    # The message

    def _on_started(self, item: it.Started) -> Iterator[Chunk]:
        self._approvals = {row["id"]: row for row in item.approvals}
        calls = {row["id"]: row for row in item.calls}
        for index, part in enumerate(item.message["parts"][: self._known]):
            row = calls.get(part["id"]) if part["type"] == "tool_call" else None
            if row is not None:
                call = _Call(row["id"], row["tool_name"], [row["args_text"]], True, True)
                self._calls[index] = call
                self._has_page_calls |= not self._is_servers(call)
        yield {
            "type": "start",
            "messageId": item.message["id"],
            "messageMetadata": message_metadata(item.message, item.run),
        }

    def _on_ended(self, item: it.Ended) -> Iterator[Chunk]:
        self._approvals |= {row["id"]: row for row in item.approvals}
        for approval in item.approvals:
            # Once more: with what a page may show of it, and for a client that thinks it is decided.
            yield self._approval_request(approval["tool_call"], approval["id"])
        is_waiting = item.status.type is RunStatus.REQUIRES_ACTION
        if self._has_page_calls and not is_waiting:
            yield {"type": "start-step"}
            yield {"type": "finish-step"}
        if item.status.reason is Reason.CANCELLED:
            yield {"type": "abort", "reason": "The run was stopped."}
        yield {
            "type": "finish",
            "finishReason": "tool-calls" if is_waiting else finish_reason(item.status.reason),
            "messageMetadata": message_metadata(item.message, item.run),
        }
        if item.status.reason is Reason.ERROR:
            yield {"type": "error", "errorText": error_text(item.error)}

    def _on_step(self) -> Iterator[Chunk]:
        self._has_page_calls = False
        if self._is_reset:
            # The client keeps the mark of the step whose parts were taken back.
            self._is_reset = False
            return
        self._step_start, self._step = self._parts, StepRecord()
        yield {"type": "start-step"}

    def _on_reset(self, start: int) -> Iterator[Chunk]:
        """A client can take back the whole last step and nothing else; what stays is sent again."""
        if start < self._step_start:
            yield {"type": "error", "errorText": "The answer was started again. Reload to see it."}
            return
        yield {"type": "reset-step"}
        self._parts, self._is_reset = min(self._parts, start), True
        for index in [index for index in self._calls if index >= start]:
            del self._calls[index]
        self._started.clear()
        yield from self._step.keep(start)

    # Parts

    def _on_part(self, index: int, part: Any) -> Iterator[Chunk]:
        match part:
            case TextPart(text=text) | ReasoningPart(text=text):
                self._texts[index] = part.type
                if text:
                    yield from self._on_text(index, text)
            case ToolCallPart():
                call = _Call(part.id, part.tool_name, [])
                self._calls[index] = call
                self._has_page_calls |= not self._is_servers(call)
                if part.args_text:
                    yield from self._on_text(index, part.args_text)
            case SourcePart():
                yield source_chunk(part)
            case FilePart():
                yield {"type": "file", "url": file_url(part), "mediaType": part.mime_type}
            case DataPart():
                yield {"type": f"data-{part.name}", "id": data_id(index), "data": part.data}

    def _on_text(self, index: int, text: str) -> Iterator[Chunk]:
        if (call := self._calls.get(index)) is not None:
            yield from self._announce(call)
            call.args.append(text)
            yield {"type": "tool-input-delta", "toolCallId": call.id, "inputTextDelta": text}
        elif (kind := self._texts.get(index)) is not None:
            if index not in self._started:
                self._started.add(index)
                yield {"type": f"{kind}-start", "id": f"part-{index}"}
            yield {"type": f"{kind}-delta", "id": f"part-{index}", "delta": text}

    # Calls

    def _is_servers(self, call: _Call) -> bool:
        return call.name in self._server_tools

    def _announce(self, call: _Call) -> Iterator[Chunk]:
        if not call.is_announced:
            call.is_announced = True
            yield {"type": "tool-input-start", "toolCallId": call.id, "toolName": call.name}

    def _input(self, call: _Call, *, is_over: bool = False) -> Iterator[Chunk]:
        """The call's whole input. A call that is over is marked, so that no page begins it."""
        if call.is_available:
            return
        call.is_available = True
        chunk: Chunk = {"toolCallId": call.id, "toolName": call.name}
        args = args_of(call.text)
        if args is None:
            rest = {"input": call.text, "errorText": _BAD_ARGUMENTS}
            yield {"type": "tool-input-error", **chunk, **rest}
            return
        if is_over or self._is_servers(call):
            chunk["providerExecuted"] = True
        yield {"type": "tool-input-available", **chunk, "input": args}

    def _on_result(self, call: _Call, event: ev.ToolCallResult) -> Iterator[Chunk]:
        yield from self._input(call, is_over=True)
        if event.status is ToolCallStatus.DENIED:
            yield {"type": "tool-output-denied", "toolCallId": call.id}
        elif event.is_error or event.status not in (None, ToolCallStatus.COMPLETE):
            problem = error_value(event.result)
            yield {"type": "tool-output-error", "toolCallId": call.id, "errorText": problem}
        else:
            chunk: Chunk = {"toolCallId": call.id, "output": event.result}
            if event.artifact is not None:
                chunk["toolMetadata"] = {"artifact": event.artifact}
            yield {"type": "tool-output-available", **chunk}

    def _approval_request(self, call: str, approval: str) -> Chunk:
        chunk: Chunk = {"approvalId": approval, "toolCallId": call}
        if (row := self._approvals.get(approval)) is not None:
            chunk["approvalDescriptor"] = approval_descriptor(row)
        return {"type": "tool-approval-request", **chunk}


def _metadata(values: dict[str, Any]) -> Chunk:
    return {"type": "message-metadata", "messageMetadata": values}
