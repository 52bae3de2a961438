"""A run's items as lines of the data stream: ``<code>:<json>\\n``. Pure.

One encoder is one response, and every response has a fresh decoder on the other side: a call must be
opened here before it gets a result here, and it may be opened once. So a response that continues a
message tells the outcome of earlier calls as data (``2:``), and never re-opens them.

Arguments are closed by an ``isFinal`` delta, by the call's result, or before a step, the message or
the stream ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core import events as ev
from ...core.parts import DataPart, FilePart, ReasoningPart, SourcePart, TextPart, ToolCallPart
from ...core.statuses import ApprovalStatus, Reason
from .. import items as it
from ..aui import approval_row, approval_state, finish_reason, run_reason, usage
from ..wire import compact

_STILL_WAITS = "This call still waits for its decision; none has reached the server."
_STARTED_AGAIN = "The answer was started again. Reload to see it."


class DataStreamEncoder:
    """Items of :func:`~agentui.protocols.following.follow_run`, after ``Pacing``, as lines.

    ``parts`` is how many parts of the message the client has. ``with_approvals`` sends approvals as a
    line of their own, which decoders before assistant-stream 0.3.50 refuse; without it they are data.
    """

    def __init__(self, parts: int = 0, *, with_approvals: bool = False) -> None:
        self._known = parts
        self._parts = parts
        self._step_start = parts
        self._with_approvals = with_approvals
        self._message_id = ""
        self._kinds: dict[int, Any] = {}
        self._calls: dict[int, str] = {}
        self._open: dict[str, bool] = {}
        self._is_reset = False

    def encode(self, item: it.Item) -> Iterator[str]:
        """The lines for the next item."""
        match item:
            case it.Started():
                self._message_id = item.message["id"]
                calls = {row["id"]: row["id"] for row in item.calls}
                for index, part in enumerate(item.message["parts"][: self._known]):
                    if part["type"] == "tool_call" and part["id"] in calls:
                        self._calls[index] = part["id"]
                if item.thread["state"] is not None:
                    # Each answer begins with no state at the client's, and ends up as its state.
                    yield _state(item.thread["state"])
            case it.Progress(call=call, value=value):
                yield _data({"type": "progress", "toolCallId": call["id"], "value": value})
            case it.StateChanged(operations=operations) if operations:
                yield _line("aui-state", list(operations))
            case it.StateChanged(state=state):
                yield _state(state)
            case it.Ended():
                yield from self._on_ended(item)
            case it.CallStarted() | it.Heartbeat():
                return
            case _:
                yield from self._on_event(item)

    def end(self) -> Iterator[str]:
        """The last lines: whatever is still open is closed."""
        for call in list(self._open):
            yield from self._close(call)

    def _on_event(self, event: ev.StreamEvent) -> Iterator[str]:
        match event:
            case ev.PartStart(part=part):
                self._kinds[self._parts] = part
                self._parts += 1
                yield from self._on_part(self._parts - 1, part)
            case ev.TextDelta(path=(index,), text_delta=text):
                yield from self._on_text(index, text)
            case ev.ToolCallArgsFinish(path=(index,)) | ev.PartFinish(path=(index,)):
                yield from self._close(self._calls.get(index, ""))
            case ev.ToolCallResult(path=(index,)) if index in self._calls:
                yield self._result(index, event)
            case ev.ApprovalRequest(path=(index,), approval=approval) if index in self._calls:
                if self._with_approvals and index >= self._known:
                    yield self._approval(self._calls[index], approval_state(approval))
            case ev.ApprovalDecision(path=(index,), approval=approval) if index in self._calls:
                if approval.status is not ApprovalStatus.PENDING:
                    yield self._approval(self._calls[index], approval_state(approval), index)
            case ev.StepStart(message_id=message_id):
                if not self._is_reset:
                    self._step_start = self._parts
                    yield _line("f", {"messageId": message_id or self._message_id})
                self._is_reset = False
            case ev.StepFinish():
                yield from self.end()
                reason = {
                    "finishReason": finish_reason(event.finish_reason),
                    "usage": usage(event.usage),
                }
                yield _line("e", {**reason, "isContinued": event.is_continued})
            case ev.MessageFinish(finish_reason=word):
                yield from self.end()
                yield _line("d", {"finishReason": finish_reason(word), "usage": usage(event.usage)})
            case ev.ErrorEvent(error=error):
                yield from self.end()
                yield _line("3", error)
            case ev.Annotations(annotations=annotations):
                yield _line("8", list(annotations))
            case ev.Data(data=data):
                yield _line("2", list(data))
            case ev.UpdateState(operations=operations):
                yield _line("aui-state", list(operations))
            case ev.StepReset(start=start):
                yield from self._on_reset(start)

    def _on_ended(self, item: it.Ended) -> Iterator[str]:
        yield from self.end()
        indexes = {call: index for index, call in self._calls.items()}
        for row in item.approvals:
            index = indexes.get(row["tool_call"], 0)
            yield self._approval(row["tool_call"], approval_row(row), index)
        if self._known and self._parts == self._known and item.approvals:
            # The client believes that it may go on, and would ask again and again without a word.
            yield _line("3", _STILL_WAITS)
        if item.status.reason is Reason.ERROR:
            yield _line("3", str((item.error or {}).get("message") or "The run failed."))
        totals = usage(item.run["usage"])
        yield _line("d", {"finishReason": run_reason(item.status), "usage": totals})

    def _on_reset(self, start: int) -> Iterator[str]:
        """Nothing can be taken back here. A retry that had shown nothing is not seen at all."""
        if self._parts > start or start < self._step_start:
            yield from self.end()
            yield _line("3", _STARTED_AGAIN)
        self._is_reset = True
        self._parts = min(self._parts, start)

    # Parts

    def _on_part(self, index: int, part: Any) -> Iterator[str]:
        parent = {"parentId": part.parent_id} if part.parent_id else {}
        match part:
            case ReasoningPart(summary=str(summary)):
                yield _line("aui-reasoning-part-start", {"unstable_summary": summary, **parent})
            case ToolCallPart(id=call, tool_name=name):
                self._calls[index] = call
                self._open[call] = False
                yield _line("b", {"toolCallId": call, "toolName": name, **parent})
            case SourcePart(source_type="url", url=str(url)):
                titled = {"title": part.title} if part.title else {}
                source = {"sourceType": "url", "id": part.id, "url": url}
                yield _line("h", {**source, **titled, **parent})
            case SourcePart():
                # The protocol has no line for documents.
                document = {"id": part.id, "title": part.title, "mediaType": part.media_type}
                yield _line("aui-data", {"name": "source-document", "data": document, **parent})
            case FilePart():
                yield _line("k", {"data": part.data, "mimeType": part.mime_type, **parent})
            case DataPart():
                yield _line("aui-data", {"name": part.name, "data": part.data, **parent})
        match part:
            case TextPart(text=text) | ReasoningPart(text=text) | ToolCallPart(args_text=text):
                if text:
                    yield from self._on_text(index, text)

    def _on_text(self, index: int, text: str) -> Iterator[str]:
        match self._kinds.get(index):
            case TextPart(parent_id=str(parent)):
                yield _line("aui-text-delta", {"textDelta": text, "parentId": parent})
            case TextPart():
                yield _line("0", text)
            case ReasoningPart(parent_id=str(parent)):
                yield _line("aui-reasoning-delta", {"reasoningDelta": text, "parentId": parent})
            case ReasoningPart():
                yield _line("g", text)
            case ToolCallPart(id=call) if call in self._open:
                self._open[call] = True
                yield _line("c", {"toolCallId": call, "argsTextDelta": text})

    # Calls

    def _close(self, call: str) -> Iterator[str]:
        if call in self._open:
            rest = "" if self._open.pop(call) else "{}"
            yield _line("c", {"toolCallId": call, "argsTextDelta": rest, "isFinal": True})

    def _result(self, index: int, event: ev.ToolCallResult) -> str:
        call = self._calls[index]
        self._open.pop(call, None)
        result: dict[str, Any] = {"toolCallId": call, "result": event.result}
        if event.artifact is not None:
            result["artifact"] = event.artifact
        if event.is_error:
            result["isError"] = True
        if index < self._known:
            return _data({"type": "tool-result", **result})
        return _line("a", result)

    def _approval(self, call: str, approval: dict[str, Any], index: int | None = None) -> str:
        value = {"toolCallId": call, "approval": approval}
        is_here = index is None or index >= self._known
        if self._with_approvals and is_here:
            return _line("aui-tool-call-approval", value)
        return _data({"type": "approval", **value})


def _line(code: str, value: Any) -> str:
    return f"{code}:{compact(value)}\n"


def _state(state: Any) -> str:
    return _line("aui-state", [{"type": "set", "path": [], "value": state}])


def _data(value: dict[str, Any]) -> str:
    return _line("2", [value])
