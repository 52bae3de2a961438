"""What a page does with the frames it gets, in as few lines as possible: the reference reader."""

from __future__ import annotations

from typing import Any

from agentui.core.accumulator import Accumulator
from agentui.core.events import event_from_json
from agentui.core.parts import Message, part_from_json
from agentui.core.statuses import Role
from agentui.testing import Socket


class Page:
    """Folds snapshot, changes and events; keeps the cursor to come back with."""

    def __init__(self) -> None:
        self.thread: dict[str, Any] = {}
        self.messages: dict[str, dict[str, Any]] = {}
        self.tool_calls: dict[str, dict[str, Any]] = {}
        self.approvals: dict[str, dict[str, Any]] = {}
        self.runs: dict[str, dict[str, Any]] = {}
        self.version = -1
        self.seqs: dict[str, int] = {}
        self.gaps = 0

    def take(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "snapshot":
                self.messages, self.seqs = {}, dict(frame["cursors"])
                self._rows(frame)
            case "changes":
                assert frame["from"] == self.version, "a change was lost"
                self._rows(frame)
            case "events":
                self._events(frame)

    @property
    def cursor(self) -> dict[str, Any]:
        active = self.thread.get("active_run")
        seq = self.seqs.get(active) if active else None
        return {"version": self.version} | ({} if seq is None else {"run": active, "seq": seq})

    def text(self, message_id: str) -> str:
        parts = self.messages[message_id]["parts"]
        return "".join(part["text"] for part in parts if part["type"] == "text")

    async def follow(self, socket: Socket, done: Any, seconds: float = 20) -> None:
        """Take frames until ``done(self)``."""
        while not done(self):
            self.take(await socket.next(seconds))

    def is_over(self, message_id: str) -> bool:
        message = self.messages.get(message_id)
        return bool(message) and message["status"]["type"] in ("complete", "incomplete")

    def _rows(self, frame: dict[str, Any]) -> None:
        self.thread = frame["thread"]
        self.version = frame["version"]
        for name in ("tool_calls", "approvals", "runs"):
            getattr(self, name).update({row["id"]: row for row in frame[name]})
        for row in frame["messages"]:
            known = self.messages.get(row["id"], {"parts": []})
            self.messages[row["id"]] = {**known, **row}
            if cursor := row.get("cursor"):
                self.seqs[cursor["run"]] = cursor["seq"]

    def _events(self, frame: dict[str, Any]) -> None:
        known = self.seqs.get(frame["run"], 0)
        if frame["to"] <= known:
            return
        if frame["from"] > known + 1:
            self.gaps += 1
        events = frame["events"][max(known + 1 - frame["from"], 0) :]
        self.seqs[frame["run"]] = frame["to"]
        row = self.messages[frame["message"]]
        parts = [self._part(part) for part in row["parts"]]
        fold = Accumulator(Message(row["id"], Role.ASSISTANT, tuple(parts)))
        for event in events:
            fold.apply(event_from_json(event))
        row["parts"] = [part.to_json() for part in fold.message.parts]

    def _part(self, part: dict[str, Any]) -> Any:
        if part["type"] == "tool_call" and "tool_call_id" not in part:
            call = self.tool_calls[part["id"]]
            part = {key: call[key] for key in ("id", "tool_call_id", "tool_name", "args_text")} | {
                "type": "tool_call",
                "status": call["status"],
            }
        return part_from_json(part)
