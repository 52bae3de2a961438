"""The support desk's agent and what it may do. The page adds `set_theme`,
`fill_return` and `send_return`."""

from __future__ import annotations

import os
from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field

from agentui import Agent, ApprovalPolicy, RunContext, ToolError, human_tool, tool
from agentui.adapters import ModelSuggestions, ModelTitles

from .demo_model import register_demo_model
from .model_choice import choose_model, choose_side_model
from .models import Order, OrderQuerySet, RefundRefused

INSTRUCTIONS = """\
You work at the support desk of Kiln & Table, a small shop for handmade tableware.
Answer the signed-in customer in the language they write in: kind, short and concrete.
Say nothing about an order that no tool told you. Prices are in euros.
A refund waits until a colleague approves it, so say that you have asked for it, and never that the
money is on its way before the tool said so. When it was declined, expired or interrupted, say that.
If something important is missing, use ask_customer. The page may offer tools to change its look and
to fill its form; nothing is sent until the customer sends the form.
"""

OrderNumber = Annotated[int, Field(ge=1, description="The order's number, for example 1002.")]
Euros = Annotated[Decimal, Field(gt=0, max_digits=8, decimal_places=2)]


@tool
def list_orders(ctx: RunContext) -> list[dict[str, Any]]:
    """List the customer's orders, the newest first."""
    return [_summary(order) for order in _orders(ctx).with_lines()]


@tool
def find_order(ctx: RunContext, order_number: OrderNumber) -> dict[str, Any]:
    """Look up one of the customer's orders: its items, what was paid, and where it is."""
    return _summary(_order(ctx, order_number))


@tool(
    approval=ApprovalPolicy(
        permission="shop.refund_order",
        expires_after=timedelta(hours=24),
        editable=["amount"],
        reason_required=True,
    ),
    transactional=True,
)
def refund_order(
    ctx: RunContext, order_number: OrderNumber, amount: Euros, reason: str
) -> dict[str, Any]:
    """Refund part or all of an order. A colleague at the shop has to approve it first.

    Args:
        amount: In euros; at most what was paid and not refunded yet.
        reason: Why, in a sentence that the colleague can decide by.
    """
    order = _order(ctx, order_number)
    try:
        refund = order.refund(amount, reason=reason, idempotency_key=ctx.idempotency_key)
    except RefundRefused as refused:
        raise ToolError(str(refused)) from refused
    return {
        "order_number": order.number,
        "refunded": str(refund.amount),
        "refunded_in_all": str(order.refunded),
        "paid": str(order.total),
    }


ask_customer = human_tool(
    "ask_customer",
    "Ask the customer one question in the chat and wait for the answer.",
    {
        "type": "object",
        "properties": {
            "question": {"type": "string", "description": "The question, one sentence."},
            "choices": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Answers to pick from; leave out for a free answer.",
            },
        },
        "required": ["question"],
    },
)


def _orders(ctx: RunContext) -> OrderQuerySet:
    return Order.objects.of(ctx.user_id)


def _order(ctx: RunContext, number: int) -> Order:
    # Somebody else's order is told like one that does not exist.
    order = _orders(ctx).with_lines().filter(number=number).first()
    if order is None:
        raise ToolError(f"This customer has no order {number}.")
    return order


def _summary(order: Order) -> dict[str, Any]:
    return {
        "order_number": order.number,
        "status": order.status,
        "items": [f"{line.quantity} x {line.product.name}" for line in order.lines.all()],
        "paid": str(order.total),
        "refunded": str(order.refunded),
        "placed_on": order.placed_at.date().isoformat(),
        "arrives_on": order.arrives_on.isoformat() if order.arrives_on else None,
    }


register_demo_model()

support = Agent(
    "support",
    model=choose_model(os.environ),
    title="Support desk",
    description="Finds your orders, asks for refunds, fills in forms.",
    instructions=INSTRUCTIONS,
    tools=[list_orders, find_order, refund_order, ask_customer],
    suggestions=ModelSuggestions(
        choose_side_model(os.environ),
        starters=[
            "Where is my order 1002?",
            "Refund order 1002 20 because the cup was broken",
            "Make the page dark",
            "Ask me something",
        ],
    ),
    titles=ModelTitles(choose_side_model(os.environ)),
)
