"""An AG-UI client in a few lines: what @ag-ui/client does with a stream, checked at every event."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import deepcopy
from typing import Any

from django.test import AsyncClient

from tests.protocols.verifier import Event, Verifier

BASE = "/agentui/protocols/ag-ui"


class Refused(Exception):
    """An HTTP error."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(f"{status} {body}")
        self.status, self.body, self.code = status, body, body.get("code")


class Client:
    """One page: its messages, state and interrupts. ``runs`` are the events of each run."""

    def __init__(
        self,
        http: AsyncClient,
        *,
        agent: str = "tester",
        is_modern: bool = True,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.http = http
        self.url = f"{BASE}/{agent}"
        self.thread = f"thread-{uuid.uuid4()}"
        self.is_modern = is_modern
        self.headers = headers or {}
        self.messages: list[dict[str, Any]] = []
        self.state: Any = {}
        self.interrupts: list[dict[str, Any]] = []
        self.pings = 0
        self.runs: list[list[Event]] = []

    def say(self, text: str) -> str:
        """Add a user message, as a page does before it runs the agent."""
        id = str(uuid.uuid4())
        self.messages.append({"id": id, "role": "user", "content": text})
        return id

    def answer(self, call_id: str, content: str, **fields: Any) -> None:
        """Add a tool message behind the message that asked."""
        at = next(
            index
            for index, message in enumerate(self.messages)
            if any(call["id"] == call_id for call in message.get("toolCalls", ()))
        )
        message = {"id": str(uuid.uuid4()), "role": "tool", "toolCallId": call_id}
        self.messages.insert(at + 1, {**message, "content": content, **fields})

    async def run(self, text: str | None = None, **fields: Any) -> list[Event]:
        """Run the agent and take in what it answers; returns the events."""
        if text is not None:
            self.say(text)
        return [event async for event in self.events(**fields)]

    async def events(self, path: str = "", **fields: Any) -> AsyncIterator[Event]:
        """The events of a run, each verified and taken in."""
        body = self.input(**fields)
        response = await self.http.post(
            self.url + path,
            json.dumps(body),
            content_type="application/json",
            headers=self.headers,
        )
        if response.status_code != 200:
            raise Refused(response.status_code, json.loads(response.content))
        assert response["Content-Type"] == "text/event-stream"
        verifier = Verifier(is_modern=self.is_modern)
        self.runs.append([])
        async with asyncio.timeout(20), _closing(response):
            async for chunk in response.streaming_content:
                text = chunk.decode()
                assert "\r" not in text
                assert text.endswith("\n\n")
                for block in text.removesuffix("\n\n").split("\n\n"):
                    if block.startswith(":"):
                        self.pings += 1
                        continue
                    event = json.loads(block.removeprefix("data: "))
                    verifier.take(event)
                    self.runs[-1].append(event)
                    self.take(event)
                    yield event
        verifier.finish()

    def input(self, **fields: Any) -> dict[str, Any]:
        shown = [message for message in self.messages if message.get("role") != "activity"]
        version = {"protocolVersion": "1.0"} if self.is_modern else {}
        return {
            "threadId": self.thread,
            "runId": str(uuid.uuid4()),
            **version,
            "state": self.state,
            "messages": deepcopy(shown),
            "tools": [],
            "context": [],
            "forwardedProps": {},
            **fields,
        }

    # What @ag-ui/client's apply does

    def take(self, event: Event) -> None:
        match event["type"]:
            case "TEXT_MESSAGE_START":
                self._message(event["messageId"], "assistant", content="")
            case "REASONING_MESSAGE_START":
                self._message(event["messageId"], "reasoning", content="")
            case "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT":
                message = self._message(event["messageId"])
                message["content"] = message.get("content", "") + event["delta"]
            case "TOOL_CALL_START":
                message = self._message(event.get("parentMessageId", event["toolCallId"]))
                function = {"name": event["toolCallName"], "arguments": ""}
                call = {"id": event["toolCallId"], "type": "function", "function": function}
                message.setdefault("toolCalls", []).append(call)
            case "TOOL_CALL_ARGS":
                self.call(event["toolCallId"])["function"]["arguments"] += event["delta"]
            case "TOOL_CALL_RESULT":
                self._result(event)
            case "MESSAGES_SNAPSHOT":
                self._snapshot(event["messages"])
            case "STATE_SNAPSHOT":
                self.state = event["snapshot"]
            case "STATE_DELTA":
                self.state = patched(self.state, event["delta"])
            case "ACTIVITY_SNAPSHOT":
                message = self._message(event["messageId"], "activity")
                message |= {"activityType": event["activityType"], "content": event["content"]}
            case "ACTIVITY_DELTA":
                message = self._message(event["messageId"], "activity")
                message["content"] = patched(message["content"], event["patch"])
            case "RUN_FINISHED":
                outcome = event.get("outcome") or {}
                self.interrupts = outcome.get("interrupts", [])

    def call(self, call_id: str) -> dict[str, Any]:
        return next(
            call
            for message in self.messages
            for call in message.get("toolCalls", ())
            if call["id"] == call_id
        )

    def _message(self, id: str, role: str = "assistant", **fields: Any) -> dict[str, Any]:
        found = next((message for message in self.messages if message.get("id") == id), None)
        if found is None:
            found = {"id": id, "role": role, **fields}
            self.messages.append(found)
        return found

    def _result(self, event: Event) -> None:
        message = {
            "id": event["messageId"],
            "role": "tool",
            "toolCallId": event["toolCallId"],
            "content": event["content"],
        }
        for at, owner in enumerate(self.messages):
            if any(call["id"] == event["toolCallId"] for call in owner.get("toolCalls", ())):
                at += 1
                while at < len(self.messages) and self.messages[at]["role"] == "tool":
                    at += 1
                self.messages.insert(at, message)
                return
        self.messages.append(message)

    def _snapshot(self, messages: list[dict[str, Any]]) -> None:
        by_id = {message["id"]: message for message in messages}
        assert len(by_id) == len(messages), "two messages with one id"
        roles = {message["role"] for message in messages}
        kept = []
        for message in self.messages:
            if message["id"] in by_id:
                kept.append(deepcopy(by_id.pop(message["id"])))
            elif message["role"] in ("activity", "reasoning") and message["role"] not in roles:
                kept.append(message)
        self.messages = [*kept, *deepcopy(list(by_id.values()))]

    @property
    def texts(self) -> list[str]:
        return [
            m["content"] for m in self.messages if m["role"] == "assistant" and m.get("content")
        ]


@asynccontextmanager
async def _closing(response: Any) -> AsyncIterator[None]:
    """What a server does at the end of a request, also when the client goes away."""
    try:
        yield
    finally:
        response.close()
        await asyncio.sleep(0.01)


def types(events: list[Event]) -> list[str]:
    return [event["type"] for event in events]


def patched(value: Any, patch: list[dict[str, Any]]) -> Any:
    """``value`` after a JSON Patch of add, replace and remove."""
    value = deepcopy(value)
    for operation in patch:
        steps = [
            step.replace("~1", "/").replace("~0", "~") for step in operation["path"].split("/")[1:]
        ]
        if not steps:
            value = operation["value"]
            continue
        target = value
        for step in steps[:-1]:
            target = target[step]
        if operation["op"] == "remove":
            del target[steps[-1]]
        else:
            target[steps[-1]] = operation["value"]
    return value
