"""Customers, what they ordered, and what they got back. The rules about money stand here."""

from __future__ import annotations

from decimal import Decimal
from typing import Self

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models, transaction
from django.utils import timezone


class RefundRefused(Exception):
    """This refund cannot be made. The text says why, and what could be."""


class Customer(models.Model):
    """What the shop knows about one user."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="customer"
    )
    name = models.CharField(max_length=100)
    phone = models.CharField(max_length=30, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Product(models.Model):
    """Something on the shelf. ``picture`` names a drawing of the sprite ``products.svg``."""

    name = models.CharField(max_length=100, unique=True)
    price = models.DecimalField(
        max_digits=8, decimal_places=2, validators=[MinValueValidator(Decimal("0.01"))]
    )
    picture = models.SlugField(max_length=30)
    note = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name


class OrderQuerySet(models.QuerySet["Order"]):
    def of(self, user_id: object) -> Self:
        """The orders of this user; for a user who is no customer there are none."""
        return self.filter(customer__user_id=user_id)

    def with_lines(self) -> Self:
        """With all that a list of orders shows, in two queries."""
        return self.select_related("customer").prefetch_related("lines__product")


class Order(models.Model):
    class Status(models.TextChoices):
        PACKING = "packing", "Being packed"
        SHIPPED = "shipped", "On its way"
        DELIVERED = "delivered", "Delivered"
        CANCELLED = "cancelled", "Cancelled"

    number = models.PositiveIntegerField(unique=True)
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT, related_name="orders")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PACKING)
    total = models.DecimalField("paid", max_digits=8, decimal_places=2)
    refunded = models.DecimalField(max_digits=8, decimal_places=2, default=Decimal("0.00"))
    placed_at = models.DateTimeField(default=timezone.now)
    arrives_on = models.DateField(null=True, blank=True)

    objects = OrderQuerySet.as_manager()

    class Meta:
        ordering = ["-placed_at", "-number"]
        permissions = [("refund_order", "Can refund orders")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(refunded__gte=0) & models.Q(refunded__lte=models.F("total")),
                name="shop_order_refunded_at_most_total",
            )
        ]

    def __str__(self) -> str:
        return f"Order {self.number}"

    @property
    def refundable(self) -> Decimal:
        """What was paid and not given back yet."""
        return self.total - self.refunded

    def refund(self, amount: Decimal, *, reason: str, idempotency_key: str) -> Refund:
        """Give ``amount`` back: one row and the order's sum, together or not at all.

        The same key again returns the refund it made. Raises :class:`RefundRefused` for an amount
        that is no price, or that is more than what is left of the payment.
        """
        if amount <= 0 or amount != amount.quantize(Decimal("0.01")):
            raise RefundRefused("A refund is an amount above 0 with at most two decimals.")
        with transaction.atomic():
            # Refunds of one order wait for each other here, where the database has row locks ...
            order = Order.objects.select_for_update().get(pk=self.pk)
            made = Refund.objects.filter(idempotency_key=idempotency_key).first()
            if made is not None:
                return made
            if amount > order.refundable:
                raise RefundRefused(
                    f"Order {order.number}: at most {order.refundable} can be refunded "
                    f"({order.total} paid, {order.refunded} refunded before)."
                )
            # ... and where it has none, only one of two that read the same sum changes it.
            changed = Order.objects.filter(pk=order.pk, refunded=order.refunded).update(
                refunded=order.refunded + amount
            )
            if not changed:
                raise RefundRefused(f"Order {order.number} was just changed. Look at it again.")
            refund = Refund.objects.create(
                order=order, amount=amount, reason=reason, idempotency_key=idempotency_key
            )
        self.refunded = order.refunded + amount
        return refund


class OrderLine(models.Model):
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="lines")
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    quantity = models.PositiveSmallIntegerField(default=1)
    price = models.DecimalField("price each", max_digits=8, decimal_places=2)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.product}"


class Refund(models.Model):
    """Money given back. Made once for each tool call, whatever is tried again."""

    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="refunds")
    amount = models.DecimalField(max_digits=8, decimal_places=2)
    reason = models.TextField()
    idempotency_key = models.CharField("made by", max_length=200, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(amount__gt=0), name="shop_refund_amount")
        ]

    def __str__(self) -> str:
        return f"{self.amount} for {self.order}"


class ReturnRequest(models.Model):
    """A customer wants to send something back; sent by the form of the account page."""

    class Reason(models.TextChoices):
        DAMAGED = "damaged", "Arrived damaged"
        WRONG = "wrong", "Not what I ordered"
        UNWANTED = "unwanted", "Changed my mind"

    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="return_requests")
    reason = models.CharField(max_length=10, choices=Reason.choices)
    phone = models.CharField(max_length=30)
    note = models.TextField(blank=True, max_length=1000)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"Return of {self.order}"
