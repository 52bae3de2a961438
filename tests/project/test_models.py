"""Money: what may be refunded, once."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from project.shop.models import Customer, Order, Refund, RefundRefused


@pytest.fixture
def order(ada: Customer) -> Order:
    return ada.orders.get(number=1002)


def refund(order: Order, amount: str, key: str = "call-1") -> Refund:
    return order.refund(Decimal(amount), reason="broken", idempotency_key=key)


def test_a_refund_is_one_row_and_counts(order: Order) -> None:
    made = refund(order, "20.00")
    order.refresh_from_db()
    assert (made.amount, made.reason, order.refunded) == (Decimal("20"), "broken", Decimal("20"))
    assert order.refundable == Decimal("40")


def test_the_same_key_refunds_once(order: Order) -> None:
    first, again = refund(order, "20.00"), refund(order, "20.00")
    order.refresh_from_db()
    assert first == again
    assert Refund.objects.count() == 1
    assert order.refunded == Decimal("20")


def test_parts_add_up_to_what_was_paid_and_not_further(order: Order) -> None:
    # Cents that have no exact float: a sum kept in floats would refuse the last part.
    for number, amount in enumerate(["0.10", "0.20", "19.90", "39.80"]):
        refund(order, amount, f"call-{number}")
    order.refresh_from_db()
    assert order.refundable == 0
    with pytest.raises(RefundRefused, match=r"at most 0\.00 can be refunded"):
        refund(order, "0.01", "call-9")


@pytest.mark.parametrize("amount", ["60.01", "0", "-5", "1.001", "1000000"])
def test_a_refused_refund_changes_nothing(order: Order, amount: str) -> None:
    with pytest.raises(RefundRefused):
        refund(order, amount)
    order.refresh_from_db()
    assert order.refunded == 0
    assert not Refund.objects.exists()


def test_two_that_read_the_same_sum_refund_once(order: Order) -> None:
    stale = Order.objects.get(pk=order.pk)
    refund(order, "50.00", "call-1")
    with pytest.raises(RefundRefused, match=r"at most 10\.00"):
        refund(stale, "50.00", "call-2")


def test_the_database_refuses_more_than_was_paid(order: Order) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Order.objects.filter(pk=order.pk).update(refunded=Decimal("60.01"))


def test_orders_belong_to_their_customer(ada: Customer) -> None:
    assert {order.number for order in Order.objects.of(ada.user_id)} == {1001, 1002, 1003, 1004}
    assert not Order.objects.of(None).exists()
