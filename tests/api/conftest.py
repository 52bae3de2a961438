"""A client that speaks JSON, a shop's agent, and rows in the states that endpoints are about."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from agentui.agents import Agent, ApprovalPolicy, human_tool, registry, tool
from agentui.core.digest import args_digest
from agentui.models import Approval, Message, Run, Thread, ToolCall
from agentui.testing import ScriptedAdapter

ROOT = "/agentui/api/"

refunded: list[int] = []


class Api:
    """Requests of one person, as JSON; ``answer.data`` is the JSON that came back."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def get(self, path: str, **query: Any) -> Any:
        return self._read(self.client.get(ROOT + path, query))

    def post(self, path: str, body: Any = None, **headers: Any) -> Any:
        return self._send("post", path, {} if body is None else body, headers)

    def patch(self, path: str, body: Any) -> Any:
        return self._send("patch", path, body, {})

    def delete(self, path: str) -> Any:
        return self._read(self.client.delete(ROOT + path))

    def raw(self, path: str, body: bytes, content_type: str = "application/json") -> Any:
        return self._read(self.client.post(ROOT + path, body, content_type=content_type))

    def _send(self, method: str, path: str, body: Any, headers: dict[str, Any]) -> Any:
        send = getattr(self.client, method)
        return self._read(
            send(
                ROOT + path,
                json.dumps(body),
                content_type="application/json",
                headers={name.replace("_", "-"): value for name, value in headers.items()},
            )
        )

    @staticmethod
    def _read(response: Any) -> Any:
        response.data = json.loads(response.content) if response.content else None
        return response


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


@pytest.fixture(autouse=True)
def _nothing_refunded() -> None:
    refunded.clear()


@pytest.fixture(autouse=True)
def shop() -> Iterator[Agent]:
    """The site's one agent; its script is what a test puts in ``shop.model``."""

    @tool(approval=ApprovalPolicy.user(reason_required=True, editable=["order"]))
    def refund(order: int) -> dict[str, int]:
        """Refund an order."""
        refunded.append(order)
        return {"refunded": order}

    @tool
    def find(order: int) -> dict[str, Any]:
        """Find an order."""
        return {"order": order, "big": 2**53 + 1, "weight": float("nan")}

    ask = human_tool("ask", "Ask the person.", {"type": "object", "properties": {}})
    agent = Agent(
        "shop", model=ScriptedAdapter(), tools=[refund, find, ask], description="Sells things."
    )
    with registry.temporary(agent):
        yield agent


@pytest.fixture
def api(user: Any) -> Api:
    """The thread's owner."""
    return _signed_in(user)


@pytest.fixture
def other_api(other_user: Any) -> Api:
    """Somebody else."""
    return _signed_in(other_user)


@pytest.fixture
def staff_api(staff: Any) -> Api:
    return _signed_in(staff)


def _signed_in(user: Any) -> Api:
    client = Client()
    client.force_login(user)
    return Api(client)


@pytest.fixture
def thread(user: Any) -> Thread:
    return Thread.objects.create(owner=user, agent="shop", title="Shoes")


@pytest.fixture
def paused(user: Any) -> Any:
    return make_paused(user)


def make_paused(
    user: Any,
    policy: ApprovalPolicy | None = None,
    *,
    into: Thread | None = None,
    **approval: Any,
) -> Any:
    """A thread whose run waits: for a decision, for a browser's result, for the person's answer."""
    policy = policy or ApprovalPolicy.user(reason_required=True, editable=["order"])
    thread = into or Thread.objects.create(owner=user, agent="shop", title="Refund")
    asked = say(thread, "user", "Refund 7", thread.head)
    answer = say(thread, "assistant", "", asked, status="requires_action", reason="tool_calls")
    run = Run.objects.create(
        thread=thread, message=answer, agent="shop", status="requires_action", reason="tool_calls"
    )
    calls: list[ToolCall] = []
    for position, (name, kind, status) in enumerate(
        [
            ("refund", "server", "awaiting_approval"),
            ("paint", "frontend", "pending"),
            ("ask", "human", "pending"),
        ]
    ):
        args_text = '{"order": 7}'
        calls.append(
            ToolCall.objects.create(
                thread=thread,
                message=answer,
                run=run,
                position=position,
                tool_call_id=f"call_{position}",
                tool_name=name,
                kind=kind,
                status=status,
                args_text=args_text,
                args={"order": 7},
                args_digest=args_digest(name, args_text),
                tool_digest=_digest(name),
            )
        )
    answer.parts = [{"type": "tool_call", "id": str(call.pk)} for call in calls]
    answer.save()
    fields = {
        "thread": thread,
        "tool_call": calls[0],
        "agent": "shop",
        "tool_name": "refund",
        "requester": user,
        "policy": policy.snapshot(),
        "required": policy.required,
        "args_digest": calls[0].args_digest,
        **approval,
    }
    return SimpleNamespace(
        thread=thread,
        asked=asked,
        answer=answer,
        run=run,
        refund=calls[0],
        paint=calls[1],
        ask=calls[2],
        approval=Approval.objects.create(**fields),
    )


def _digest(name: str) -> str:
    found = registry.get("shop").tool(name)
    return found.digest if found else ""


def say(thread: Thread, role: str, words: str, parent: Message | None, **fields: Any) -> Message:
    """One more message at the head of the thread."""
    message = Message.objects.create(
        thread=thread,
        parent=parent,
        seq=thread.take_seq(),
        role=role,
        parts=text(words) if words else [],
        **fields,
    )
    thread.move_head(message.pk)
    return message


def fill(thread: Thread, count: int) -> list[Message]:
    """A thread with so many messages, all made in the same moment."""
    messages: list[Message] = []
    parent = None
    for number in range(count):
        role = "assistant" if number % 2 else "user"
        parent = say(thread, role, f"message {number + 1}", parent)
        messages.append(parent)
        if role == "assistant":
            run = Run.objects.create(thread=thread, message=parent, agent="shop", status="complete")
            ToolCall.objects.create(
                thread=thread,
                message=parent,
                run=run,
                position=0,
                tool_call_id="call",
                tool_name="find",
                status="complete",
                args_text="{}",
                result={"found": number},
            )
    Message.objects.filter(thread=thread).update(created_at=thread.created_at)
    return messages


@pytest.fixture
def play(shop: Agent) -> Callable[..., ScriptedAdapter]:
    """Give the agent a script, one list of steps for each roundtrip."""

    def set_script(*roundtrips: Any) -> ScriptedAdapter:
        shop.model = ScriptedAdapter(list(roundtrips))
        return shop.model

    return set_script


@pytest.fixture
def immediate(settings: Any) -> None:
    """Runs are over, or wait, when the request that began them is answered."""
    settings.AGENTUI = {**settings.AGENTUI, "LAUNCHER": "immediate"}


LATE = timedelta(minutes=-1)
