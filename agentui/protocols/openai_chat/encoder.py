"""A run's items as the deltas of one completion. Pure.

Where the protocol has no word for something, the answer says it in words:

- *Calls for the client* (those of its own ``tools``) are given whole, at the end, once the server has
  checked their arguments and they are really open. ``finish_reason`` is then ``tool_calls``.
- *Calls that wait for a person* end the answer with a line in brackets, ``[Waiting for ...]``, and
  ``finish_reason`` ``stop``; the field ``agentui`` has the ids.
- Calls that the server runs are not shown: their results are in the answer's words.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from ...core import events as ev
from ...core.parts import ReasoningPart, TextPart
from ...core.statuses import ANSWERED, Reason, RunStatus, Status, ToolKind
from .. import items as it
from ..items import Row
from .decoder import client_id

_FINISH = {
    Reason.LENGTH: "length",
    Reason.CONTENT_FILTER: "content_filter",
    # The words of the protocol end here: something was cut off.
    Reason.MAX_ROUNDTRIPS: "length",
}
_BROKEN = (Reason.ERROR, Reason.INTERRUPTED)
_AGAIN = "[The answer was started again.]"
_LONGEST_QUESTION = 500


class ChatEncoder:
    """Items of :func:`~agentui.protocols.plan.follow_plan`, as deltas; then what ended it.

    ``client_tools`` are the names of the client's own tools, ``parts`` how many parts of the message it
    has. With ``is_replay`` calls for the client that were answered meanwhile end the answer as they
    did the first time.
    """

    def __init__(
        self, client_tools: Container[str] = (), *, parts: int = 0, is_replay: bool = False
    ) -> None:
        self._client_tools = client_tools
        self._first = self._parts = parts
        self._is_replay = is_replay
        self._kinds: dict[int, str] = {}
        self._shown = ""
        self._asked: list[Row] = []
        self._asked_until = 0
        self.message_id = ""
        self.finish_reason: str | None = None
        self.error: Row | None = None
        self.usage: Row = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        self.state: Row = {}

    @property
    def is_over(self) -> bool:
        return self.finish_reason is not None or self.error is not None

    def encode(self, item: it.Item) -> Iterator[Row]:
        """The deltas for the next item."""
        match item:
            case it.Started():
                self._on_started(item)
            case ev.PartStart(part=part):
                self._kinds[self._parts] = _kind(part)
                self._parts += 1
                if isinstance(part, TextPart | ReasoningPart) and part.text:
                    yield from self._words(self._parts - 1, part.text)
            case ev.TextDelta(path=(index,), text_delta=text):
                yield from self._words(index, text)
            case ev.StepFinish():
                if self._asked and self._parts >= self._asked_until:
                    yield from self._calls(self._asked)
            case ev.StepReset(start=start):
                yield from self._on_reset(start)
            case it.Ended():
                yield from self._on_ended(item)

    def _on_started(self, item: it.Started) -> None:
        self.message_id = item.message["id"]
        self._note(item.run, item.message, ())
        if not self._is_replay:
            return
        steps = [step.get("start", 0) for step in item.message["metadata"].get("steps", ())]
        calls = [
            call
            for call in sorted(item.calls, key=lambda row: row["position"])
            if call["position"] >= self._first
            and self._is_clients(call)
            and call["status"] in ANSWERED
        ]
        if calls:
            later = [start for start in steps if start > calls[0]["position"]]
            self._asked_until = later[0] if later else len(item.message["parts"])
            self._asked = [call for call in calls if call["position"] < self._asked_until]

    def _words(self, index: int, text: str) -> Iterator[Row]:
        match self._kinds.get(index):
            case "text":
                yield from self._say(f"{index}", text)
            case "reasoning":
                yield {"reasoning_content": text}

    def _say(self, source: str, text: str) -> Iterator[Row]:
        """Words; those of another part stand in a paragraph of their own."""
        if self._shown and self._shown != source:
            text = "\n\n" + text
        self._shown = source
        yield {"content": text}

    def _on_reset(self, start: int) -> Iterator[Row]:
        if any(kind == "text" for index, kind in self._kinds.items() if index >= start):
            yield from self._say("reset", _AGAIN)
        self._parts = min(self._parts, start)
        self._kinds = {index: kind for index, kind in self._kinds.items() if index < start}

    # The end

    def _on_ended(self, item: it.Ended) -> Iterator[Row]:
        self._note(item.run, item.message, item.approvals)
        if item.status.type is RunStatus.REQUIRES_ACTION:
            yield from self._on_waiting(item)
        elif item.status.reason in _BROKEN:
            self.error = item.error or {"code": "error", "message": "The run failed."}
        else:
            self.finish_reason = _FINISH.get(item.status.reason, "stop")

    def _on_waiting(self, item: it.Ended) -> Iterator[Row]:
        mine = [call for call in item.open_calls if self._is_clients(call)]
        for approval in item.approvals:
            yield from self._say(approval["id"], _approval_notice(approval))
        for call in item.open_calls:
            if call not in mine:
                yield from self._say(call["id"], _question_notice(call))
        yield from self._calls(mine)

    def _calls(self, calls: list[Row]) -> Iterator[Row]:
        for index, call in enumerate(calls):
            function = {"name": call["tool_name"], "arguments": call["args_text"] or "{}"}
            described = {"index": index, "id": client_id(call["id"]), "type": "function"}
            yield {"tool_calls": [{**described, "function": function}]}
        self.finish_reason = "tool_calls" if calls else "stop"

    def _is_clients(self, call: Row) -> bool:
        return call["kind"] != ToolKind.SERVER and call["tool_name"] in self._client_tools

    def _note(self, run: Row, message: Row, approvals: tuple[Row, ...]) -> None:
        """What the field ``agentui`` says, and what the parts of this answer cost."""
        waiting = [
            {name: row[name] for name in ("id", "tool_name", "status", "who", "expires_at")}
            for row in approvals
        ]
        status = Status(RunStatus(run["status"]), Reason(run["reason"]))
        self.state = {
            "thread": run["thread"],
            "run": run["id"],
            "status": status.type.value,
            "reason": status.reason.value,
            "approvals": waiting,
        }
        steps = [
            step.get("usage") or {}
            for step in message["metadata"].get("steps", ())
            if step.get("start", 0) >= self._first
            and (not self._asked or step.get("start", 0) < self._asked_until)
        ]
        given = sum(step.get("input_tokens") or 0 for step in steps)
        made = sum(step.get("output_tokens") or 0 for step in steps)
        self.usage = {
            "prompt_tokens": given,
            "completion_tokens": made,
            "total_tokens": given + made,
        }


def _kind(part: Any) -> str:
    return str(part.type)


def _approval_notice(approval: Row) -> str:
    who = "you can decide it" if approval["may_decide"] else _plain(approval["who"]) or "somebody"
    deciding = who if approval["may_decide"] else f"{who} can decide it"
    return (
        f"[Waiting for approval: {_plain(approval['tool_name'])} has not run yet; {deciding}. "
        f"Approval {approval['id']}]"
    )


def _question_notice(call: Row) -> str:
    asked = _plain(call["args_text"])[:_LONGEST_QUESTION]
    return (
        f"[Waiting for an answer: {_plain(call['tool_name'])} {asked}. "
        f"Tool call {client_id(call['id'])}]"
    )


def _plain(text: str) -> str:
    """Without brackets: they end a notice."""
    return text.replace("[", "(").replace("]", ")")
