"""What AG-UI clients refuse, as a Python verifier of event streams.

The rules of ``verifyEvents`` of @ag-ui/client 1.0.0, the stricter ones of its enforcement (null, floats,
what 0.0.59 does not know), and two of our own: no empty delta, and no message that nobody started.
"""

from __future__ import annotations

from typing import Any

Event = dict[str, Any]

#: Fields that must not be null; what is optional is left out.
_STRICT_OLD_TYPES = {
    "RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "STEP_STARTED", "STEP_FINISHED",
    "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END",
    "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT",
    "STATE_SNAPSHOT", "STATE_DELTA", "MESSAGES_SNAPSHOT", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA",
    "REASONING_START", "REASONING_END", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END", "RAW", "CUSTOM",
}  # fmt: skip


class Violation(AssertionError):
    """A client would end the run here."""


class Verifier:
    """Takes the events of one stream in order; raises :class:`Violation` at the first that is wrong."""

    def __init__(self, *, is_modern: bool = True) -> None:
        self.is_modern = is_modern
        self.open: dict[tuple[str, str], bool] = {}
        self.started: set[str] = set()
        self.is_running = False
        self.last_terminal = ""

    def take(self, event: Event) -> None:
        kind = event["type"]
        self._form(event)
        if not self.is_running and kind not in ("RUN_STARTED", "RUN_ERROR"):
            raise Violation(f"{kind}: no run is active")
        match kind:
            case "RUN_STARTED":
                if self.is_running:
                    raise Violation("RUN_STARTED while a run is active")
                self.is_running = True
                self.open.clear()
            case "RUN_FINISHED":
                if self.open:
                    raise Violation(f"RUN_FINISHED while still active: {sorted(self.open)}")
                self._outcome(event)
                self.is_running = False
            case "RUN_ERROR":
                self.is_running = False
            case "STEP_STARTED":
                self._start("step", event["stepName"])
            case "STEP_FINISHED":
                self._end("step", event["stepName"])
            case "TEXT_MESSAGE_START":
                self._start("text", event["messageId"])
                self.started.add(event["messageId"])
            case "TEXT_MESSAGE_CONTENT":
                self._content("text", event["messageId"], event["delta"])
            case "TEXT_MESSAGE_END":
                self._end("text", event["messageId"])
            case "TOOL_CALL_START":
                self._start("call", event["toolCallId"])
                parent = event.get("parentMessageId")
                if parent is not None and parent not in self.started:
                    raise Violation(f"parentMessageId {parent} was never started")
                self.started.add(event["toolCallId"])
            case "TOOL_CALL_ARGS":
                self._content("call", event["toolCallId"], event["delta"])
            case "TOOL_CALL_END":
                self._end("call", event["toolCallId"])
            case "REASONING_START":
                self._start("span", event["messageId"])
            case "REASONING_END":
                self._end("span", event["messageId"])
            case "REASONING_MESSAGE_START":
                self._start("reasoning", event["messageId"])
            case "REASONING_MESSAGE_CONTENT":
                self._content("reasoning", event["messageId"], event["delta"])
            case "REASONING_MESSAGE_END":
                self._end("reasoning", event["messageId"])

    def finish(self) -> None:
        """Called at the end of the stream: it must not be cut off."""
        if self.is_running:
            raise Violation("the stream ended without a terminal event")

    def _start(self, kind: str, id: str) -> None:
        if (kind, id) in self.open:
            raise Violation(f"{kind} {id} is already open")
        self.open[(kind, id)] = True

    def _content(self, kind: str, id: str, delta: str) -> None:
        if (kind, id) not in self.open:
            raise Violation(f"content of {kind} {id}, which is not open")
        if not delta:
            raise Violation(f"an empty delta for {kind} {id}")

    def _end(self, kind: str, id: str) -> None:
        if self.open.pop((kind, id), None) is None:
            raise Violation(f"end of {kind} {id}, which is not open")

    def _outcome(self, event: Event) -> None:
        for field in ("threadId", "runId"):
            if not event.get(field):
                raise Violation(f"RUN_FINISHED without {field}")
        outcome = event.get("outcome") or {}
        if outcome.get("type") == "interrupt" and not outcome.get("interrupts"):
            raise Violation("an interrupt outcome without interrupts")
        if not self.is_modern:
            if outcome.get("type") not in (None, "interrupt", "success"):
                raise Violation(f"an old client does not know {outcome}")
            if "pendingToolCallIds" in outcome:
                raise Violation("an old client does not know pendingToolCallIds")
            if any("expiresAt" in entry for entry in outcome.get("interrupts", ())):
                raise Violation("expiresAt locks the thread of an old client")

    def _form(self, event: Event) -> None:
        kind = event["type"]
        if kind not in _STRICT_OLD_TYPES:
            raise Violation(f"{kind} is unknown to old clients")
        for name, value in event.items():
            if value is None and name not in ("snapshot", "value", "result"):
                raise Violation(f"{kind}.{name} is null")
        if isinstance(event.get("timestamp"), float):
            raise Violation("a timestamp must be an integer")
        if kind == "TOOL_CALL_RESULT" and not isinstance(event["content"], str):
            raise Violation("an old client takes a result as text only")
        if kind == "STATE_DELTA":
            for operation in event["delta"]:
                if operation["path"] and not operation["path"].startswith("/"):
                    raise Violation(f"{operation['path']} is no JSON pointer")


def verify(events: list[Event], *, is_modern: bool = True) -> None:
    """Raise :class:`Violation` unless clients take this stream."""
    verifier = Verifier(is_modern=is_modern)
    for event in events:
        verifier.take(event)
    verifier.finish()
