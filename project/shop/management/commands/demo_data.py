"""Users, products and orders for the demo."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from project.shop.demo_people import DEMO_PEOPLE, STRANGER, DemoPerson
from project.shop.models import Customer, Order, OrderLine, Product

PRODUCTS = (
    # name, price, drawing, note
    ("Morning cup", "18.00", "cup", "holds a generous coffee"),
    ("Soup bowl", "24.00", "bowl", "deep, with a wide rim"),
    ("Dinner plate", "29.00", "plate", "27 cm, stacks well"),
    ("Teapot", "64.00", "teapot", "for four cups"),
    ("Bud vase", "32.00", "vase", "for one stem or three"),
    ("Oil jug", "36.00", "jug", "pours without a drop"),
)

_STATUS = Order.Status
ORDERS = (
    # number, customer, days ago, status, arrives in days, items
    (1001, "ada", 41, _STATUS.DELIVERED, None, [("Dinner plate", 4), ("Bud vase", 1)]),
    (1002, "ada", 9, _STATUS.DELIVERED, None, [("Morning cup", 2), ("Soup bowl", 1)]),
    (1003, "ada", 3, _STATUS.SHIPPED, 2, [("Teapot", 1)]),
    (1004, "ada", 0, _STATUS.PACKING, 6, [("Oil jug", 1), ("Morning cup", 1)]),
    (1005, "lin", 5, _STATUS.SHIPPED, 1, [("Soup bowl", 6)]),
)


class Command(BaseCommand):
    help = "Make the demo's users, products and orders. Run again, it adds only what is missing."

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            for person in (*DEMO_PEOPLE, STRANGER):
                make_person(person)
            make_products()
            make_orders()
        self.stdout.write(self.style.MIGRATE_HEADING("\nUsers of the demo"))
        for person in DEMO_PEOPLE:
            password = person.password if settings.DEBUG else "(none)"
            self.stdout.write(f"  {person.username:6} {password:12} {person.part}")
        if not settings.DEBUG:
            self.stdout.write("  Debugging is off: set passwords with `manage.py changepassword`.")
        self.stdout.write(self.style.MIGRATE_HEADING("\nPages"))
        self.stdout.write("  /         the shop; sign in as ada and chat on the account page")
        self.stdout.write("  /admin/   for sam, who approves the refunds that ada asks for")


def make_person(person: DemoPerson) -> None:
    user, _ = get_user_model().objects.get_or_create(
        username=person.username,
        defaults={
            "email": person.email,
            "first_name": person.name.partition(" ")[0],
            "last_name": person.name.partition(" ")[2],
            "is_staff": person.is_staff,
            "is_superuser": person.is_superuser,
        },
    )
    _set_password(user, person)
    for permission in person.permissions:
        app_label, _, codename = permission.partition(".")
        user.user_permissions.add(
            Permission.objects.get(content_type__app_label=app_label, codename=codename)
        )
    if person.is_customer:
        Customer.objects.get_or_create(user=user, defaults={"name": person.name})


def _set_password(user: Any, person: DemoPerson) -> None:
    """The demo's password while debugging; that password on no site that is not."""
    is_demo = settings.DEBUG and person is not STRANGER
    # Setting it anew would sign the user out of their open pages.
    if is_demo and not user.check_password(person.password):
        user.set_password(person.password)
    elif not is_demo and (not user.password or user.check_password(person.password)):
        user.set_unusable_password()
    else:
        return
    user.save(update_fields=["password"])


def make_products() -> None:
    for name, price, picture, note in PRODUCTS:
        Product.objects.get_or_create(
            name=name, defaults={"price": Decimal(price), "picture": picture, "note": note}
        )


def make_orders() -> None:
    now = timezone.now()
    products = {product.name: product for product in Product.objects.all()}
    for number, username, days, status, arrives, items in ORDERS:
        if Order.objects.filter(number=number).exists():
            continue
        order = Order.objects.create(
            number=number,
            customer=Customer.objects.get(user__username=username),
            status=status,
            total=sum((products[name].price * quantity for name, quantity in items), Decimal(0)),
            placed_at=now - timedelta(days=days, hours=3),
            arrives_on=(now + timedelta(days=arrives)).date() if arrives is not None else None,
        )
        OrderLine.objects.bulk_create(
            OrderLine(
                order=order,
                product=products[name],
                quantity=quantity,
                price=products[name].price,
            )
            for name, quantity in items
        )
