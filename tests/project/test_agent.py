"""The support agent's tools, called as a run calls them."""

from __future__ import annotations

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from agentui import RunContext
from agentui.agents import ToolError
from agentui.exceptions import ToolArgumentsError
from project.shop.agents import ask_customer, find_order, list_orders, refund_order, support
from project.shop.model_choice import OFFLINE, choose_model
from project.shop.models import Customer, Refund


@pytest.fixture
def ctx(ada: Customer) -> RunContext:
    return RunContext(user_id=ada.user_id, idempotency_key="call-1")


def call(tool: Any, ctx: RunContext, **args: Any) -> Any:
    return tool.call(tool.validate(json.dumps(args)), ctx)


def test_find_order_tells_what_the_customer_may_know(ctx: RunContext) -> None:
    order = call(find_order, ctx, order_number=1002)
    assert order["items"] == ["2 x Morning cup", "1 x Soup bowl"]
    assert (order["status"], order["paid"], order["refunded"]) == ("delivered", "60.00", "0.00")


@pytest.mark.parametrize("number", [1005, 4711])
def test_orders_of_others_do_not_exist(ctx: RunContext, number: int) -> None:
    for tool, more in ((find_order, {}), (refund_order, {"amount": "1", "reason": "x"})):
        with pytest.raises(ToolError, match=f"This customer has no order {number}."):
            call(tool, ctx, order_number=number, **more)


def test_list_orders_is_newest_first(ctx: RunContext) -> None:
    assert [order["order_number"] for order in call(list_orders, ctx)] == [1004, 1003, 1002, 1001]


def test_a_user_who_is_no_customer_has_no_orders(demo: None, django_user_model: Any) -> None:
    sam = django_user_model.objects.get(username="sam")
    assert call(list_orders, RunContext(user_id=sam.pk)) == []


def test_refund_order_refunds_once_for_each_call(ctx: RunContext) -> None:
    args = {"order_number": 1002, "amount": "20.00", "reason": "the cup was broken"}
    first, again = call(refund_order, ctx, **args), call(refund_order, ctx, **args)
    assert first == again
    assert first == {
        "order_number": 1002,
        "refunded": "20.00",
        "refunded_in_all": "20.00",
        "paid": "60.00",
    }
    refund = Refund.objects.get()
    assert (refund.idempotency_key, refund.reason) == ("call-1", "the cup was broken")


def test_refund_order_refuses_too_much(ctx: RunContext) -> None:
    with pytest.raises(ToolError, match=r"at most 60\.00 can be refunded"):
        call(refund_order, ctx, order_number=1002, amount="60.01", reason="x")
    assert not Refund.objects.exists()


@pytest.mark.parametrize("amount", ["0", "-1", "1.001", "NaN", "lots", 1e9])
def test_refund_order_takes_prices_only(amount: Any) -> None:
    with pytest.raises(ToolArgumentsError):
        refund_order.validate(
            json.dumps({"order_number": 1002, "amount": amount, "reason": "broken"})
        )


def test_refund_order_takes_numbers_as_models_write_them() -> None:
    for amount in (20, 20.5, "20.50"):
        text = json.dumps({"order_number": 1002, "amount": amount, "reason": "broken"})
        assert refund_order.validate(text)["amount"] == Decimal(str(amount))


def test_a_refund_waits_for_staff_who_may_refund() -> None:
    policy = refund_order.approval
    assert policy is not None
    assert policy.permission == "shop.refund_order"
    assert policy.expires_after == timedelta(hours=24)
    assert policy.reason_required
    assert not policy.requester_may_decide
    assert refund_order.transactional


def test_the_agent_knows_its_tools() -> None:
    assert {tool.name for tool in support.usable_tools} == {
        "list_orders",
        "find_order",
        "refund_order",
        "ask_customer",
    }
    assert ask_customer.kind == "human"


@pytest.mark.parametrize(
    ("environ", "model"),
    [
        ({}, OFFLINE),
        ({"AGENTUI_DEMO_MODEL": " "}, OFFLINE),
        ({"AGENTUI_DEMO_MODEL": "anthropic:claude-sonnet-5"}, "anthropic:claude-sonnet-5"),
        ({"OPENAI_API_KEY": "k"}, "openai:gpt-5.2"),
        ({"OPENAI_API_KEY": "k", "AGENTUI_DEMO_MODEL": "gpt-5-mini"}, "openai:gpt-5-mini"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, "openai-chat:gpt-5.2"),
        (
            {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "AGENTUI_DEMO_MODEL": "qwen3"},
            "openai-chat:qwen3",
        ),
    ],
)
def test_the_environment_chooses_the_model(environ: dict[str, str], model: str) -> None:
    assert choose_model(environ) == model
