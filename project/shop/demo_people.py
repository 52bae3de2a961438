"""Who plays in the demo. Their passwords are public, so they work only while debugging."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """``part`` says what they are for."""

    username: str
    name: str
    part: str
    is_customer: bool = False
    is_staff: bool = False
    is_superuser: bool = False
    permissions: tuple[str, ...] = ()

    @property
    def password(self) -> str:
        return f"{self.username}-demo"

    @property
    def email(self) -> str:
        return f"{self.username}@example.com"


DEMO_PEOPLE = (
    DemoPerson("ada", "Ada Bell", "a customer, who chats with the support desk", is_customer=True),
    DemoPerson(
        "sam",
        "Sam Reed",
        "a colleague, who decides about refunds in the admin",
        is_staff=True,
        permissions=(
            "agentui.view_approval",
            "agentui.view_message",
            "agentui.view_run",
            "agentui.view_thread",
            "agentui.view_toolcall",
            "shop.refund_order",
            "shop.view_customer",
            "shop.view_order",
            "shop.view_orderline",
            "shop.view_product",
            "shop.view_refund",
            "shop.view_returnrequest",
        ),
    ),
    DemoPerson("admin", "", "a superuser, who sees everything", is_staff=True, is_superuser=True),
)

#: Somebody whose orders nobody else may see. There is no password for this user.
STRANGER = DemoPerson("lin", "Lin Marsh", "another customer", is_customer=True)
