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
    """``count`` approvals in one thread, made with few queries."""
    first = waiting(owner)
    calls, approvals = [], []
    for number in range(1, count):
        text = json.dumps({"order_id": number, "amount": "1.00"})
        call = ToolCall(
            thread=first.thread,
            message=first.tool_call.message,
            run=first.tool_call.run,
            position=number + 1,
            tool_call_id=f"call_{number}",
            tool_name="refund_order",
            tool_digest=refund_order.digest,
            args_text=text,
            args={"order_id": number, "amount": "1.00"},
            args_digest=args_digest("refund_order", text),
            status="awaiting_approval",
        )
        calls.append(call)
        approvals.append(
            Approval(
                thread=first.thread,
                tool_call=call,
                agent="desk",
                tool_name="refund_order",
                requester=owner,
                policy=REFUND.snapshot(),
                args_digest=call.args_digest,
            )
        )
    ToolCall.objects.bulk_create(calls)
    return [first, *Approval.objects.bulk_create(approvals)]
