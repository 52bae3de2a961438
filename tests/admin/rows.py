"""Rows as a run leaves them when it waits for the staff, made without running it."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from agentui import Agent, ApprovalPolicy, tool
from agentui.adapters import ScriptedAdapter
from agentui.core.digest import args_digest
from agentui.models import Approval, Message, Run, Thread, ToolCall

REFUND = ApprovalPolicy(permission="testsite.change_effect")


@tool(approval=REFUND)
def refund_order(order_id: int, amount: str, note: str = "") -> str:
    """Refund part or all of an order.

    Args:
        order_id: The order's number.
        amount: In the order's currency.
    """
    return "refunded"


desk = Agent("desk", model=ScriptedAdapter([]), tools=[refund_order])


def waiting(
    owner: Any,
    *,
    policy: ApprovalPolicy = REFUND,
    args: Any = None,
    args_text: str | None = None,
    tool_name: str = "refund_order",
    agent: str = "desk",
    title: str = "",
    said: str = "Please refund order 17.",
    expires_in: timedelta | None = None,
    asked_ago: timedelta = timedelta(minutes=5),
    thread: Thread | None = None,
) -> Approval:
    """An approval that waits, with its thread, its messages, its run and its call."""
    args = {"order_id": 17, "amount": "12.50"} if args is None else args
    text = json.dumps(args) if args_text is None else args_text
    asked = timezone.now() - asked_ago
    thread = thread or Thread.objects.create(owner=owner, agent=agent, title=title)
    question = Message.objects.create(
        thread=thread,
        parent=thread.head,
        seq=thread.take_seq(),
        role="user",
        parts=[{"type": "text", "text": said}],
        created_at=asked,
    )
    call_id = uuid.uuid4()
    answer = Message.objects.create(
        thread=thread,
        parent=question,
        seq=thread.take_seq(),
        role="assistant",
        status="requires_action",
        reason="tool_calls",
        model="scripted",
        parts=[
            {"type": "text", "text": "I will ask for that."},
            {"type": "tool_call", "id": str(call_id)},
        ],
        created_at=asked,
    )
    run = Run.objects.create(
        thread=thread,
        message=answer,
        agent=agent,
        status="requires_action",
        reason="tool_calls",
        attempt=1,
        roundtrips=1,
        started_at=asked,
    )
    call = ToolCall.objects.create(
        id=call_id,
        thread=thread,
        message=answer,
        run=run,
        position=1,
        tool_call_id="call_1",
        tool_name=tool_name,
        tool_digest=refund_order.digest,
        args_text=text,
        args=args if args_text is None else None,
        args_digest=args_digest(tool_name, text),
        status="awaiting_approval",
        while_waiting="continue",
    )
    thread.move_head(answer.pk)
    return Approval.objects.create(
        thread=thread,
        tool_call=call,
        agent=agent,
        tool_name=tool_name,
        requester=owner,
        policy=policy.snapshot(),
        required=policy.required,
        args_digest=call.args_digest,
        requested_at=asked,
        expires_at=None if expires_in is None else timezone.now() + expires_in,
    )


def many_waiting(owner: Any, count: int) -> list[Approval]:
    """``count`` approvals, each of a thread of its own, made with few queries."""
    threads = Thread.objects.bulk_create(Thread(owner=owner, agent="desk") for _ in range(count))
    messages = Message.objects.bulk_create(
        Message(
            thread=thread, seq=1, role="assistant", status="requires_action", reason="tool_calls"
        )
        for thread in threads
    )
    runs = Run.objects.bulk_create(
        Run(
            thread=message.thread,
            message=message,
            agent="desk",
            status="requires_action",
            reason="tool_calls",
        )
        for message in messages
    )
    calls = ToolCall.objects.bulk_create(_call(run, number) for number, run in enumerate(runs))
    for message, call in zip(messages, calls, strict=True):
        message.parts = [{"type": "tool_call", "id": str(call.pk)}]
    Message.objects.bulk_update(messages, ["parts"], batch_size=500)
    return Approval.objects.bulk_create(
        Approval(
            thread=call.thread,
            tool_call=call,
            agent="desk",
            tool_name=call.tool_name,
            requester=owner,
            policy=REFUND.snapshot(),
            args_digest=call.args_digest,
        ).read_policy()
        for call in calls
    )


def _call(run: Run, number: int) -> ToolCall:
    args = {"order_id": number, "amount": "1.00"}
    text = json.dumps(args)
    return ToolCall(
        thread=run.thread,
        message=run.message,
        run=run,
        position=0,
        tool_call_id="call_1",
        tool_name="refund_order",
        tool_digest=refund_order.digest,
        args_text=text,
        args=args,
        args_digest=args_digest("refund_order", text),
        status="awaiting_approval",
    )
