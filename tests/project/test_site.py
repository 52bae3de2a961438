"""The pages, what they send along, and the data they show."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import authenticate, get_user_model
from django.core.management import call_command
from django.test import Client

from project.content_security import content_security
from project.shop.models import Customer, Order, Product, ReturnRequest

ROOT = Path(__file__).resolve().parent.parent.parent
RETURN = {"order": "1002", "reason": "damaged", "phone": "+44 20 555 1234", "note": "two pieces"}


def signed_in(username: str) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.get(username=username))
    return client


@pytest.mark.parametrize(
    ("who", "path"),
    [
        (None, "/"),
        (None, "/sign-in/"),
        ("ada", "/"),
        ("ada", "/account/"),
        ("sam", "/account/"),
        ("admin", "/account/"),
        ("sam", "/admin/"),
    ],
)
def test_pages_answer_under_a_strict_policy(demo: None, who: str | None, path: str) -> None:
    response = (signed_in(who) if who else Client()).get(path)
    assert response.status_code == 200
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/account/"])
def test_pages_hold_nothing_inline_and_nothing_foreign(demo: None, path: str) -> None:
    client = Client() if path == "/sign-in/" else signed_in("ada")
    page = client.get(path).content.decode()
    for forbidden in ("style=", "<style", "onclick=", "http://", "https://", "javascript:"):
        assert forbidden not in page
    assert "<script>" not in page


def test_the_header_is_the_same_for_every_django(site: Any) -> None:
    from django.http import HttpRequest, HttpResponse

    response = content_security(lambda request: HttpResponse())(HttpRequest())
    assert response.headers["Content-Security-Policy"].split("; ") == [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]


def test_the_account_asks_to_sign_in(demo: None) -> None:
    response = Client().get("/account/")
    assert response.status_code == 302
    assert response.headers["Location"] == "/sign-in/?next=/account/"


def test_the_account_shows_own_orders_and_the_chat(demo: None) -> None:
    page = signed_in("ada").get("/account/").content.decode()
    assert "Order 1002" in page
    assert "1005" not in page
    assert "<agentui-chat" in page
    assert 'agent="support"' in page


def test_staff_are_led_to_the_approvals(demo: None) -> None:
    assert "/admin/agentui/approval/" in signed_in("sam").get("/account/").content.decode()
    assert "/admin/" not in signed_in("ada").get("/account/").content.decode()


def test_demo_users_are_offered_while_debugging_only(demo: None, site: Any) -> None:
    assert "ada-demo" in Client().get("/sign-in/").content.decode()
    site.DEBUG = False
    assert "ada-demo" not in Client().get("/sign-in/").content.decode()


@pytest.mark.parametrize(("who", "to"), [("ada", "/account/"), ("sam", "/admin/")])
def test_signing_in_leads_to_ones_own_place(demo: None, who: str, to: str) -> None:
    response = Client().post("/sign-in/", {"username": who, "password": f"{who}-demo"})
    assert (response.status_code, response.headers["Location"]) == (302, to)


def test_a_return_request_is_kept(demo: None) -> None:
    response = signed_in("ada").post("/account/", RETURN, follow=True)
    assert "return order 1002" in response.content.decode()
    made = ReturnRequest.objects.get()
    assert (made.order.number, made.phone, made.reason) == (1002, "+44 20 555 1234", "damaged")


@pytest.mark.parametrize(
    "wrong",
    [{"order": "1005"}, {"order": "1003"}, {"phone": "call me"}, {"reason": "x"}, {"order": ""}],
)
def test_a_wrong_return_request_is_refused(demo: None, wrong: dict[str, str]) -> None:
    response = signed_in("ada").post("/account/", {**RETURN, **wrong})
    assert response.status_code == 422
    assert not ReturnRequest.objects.exists()


def test_who_is_no_customer_can_return_nothing(demo: None) -> None:
    assert signed_in("sam").post("/account/", RETURN).status_code == 302
    assert not ReturnRequest.objects.exists()


def test_demo_data_twice_is_demo_data_once(demo: None) -> None:
    ada = Customer.objects.get(user__username="ada")
    Order.objects.filter(number=1002).update(status=Order.Status.CANCELLED)
    before = (ada.user.password, Order.objects.count(), Product.objects.count())

    out = StringIO()
    call_command("demo_data", stdout=out, no_color=True)

    ada.user.refresh_from_db()
    assert (ada.user.password, Order.objects.count(), Product.objects.count()) == before
    assert Order.objects.get(number=1002).status == Order.Status.CANCELLED
    for shown in ("ada    ada-demo", "sam    sam-demo", "admin  admin-demo", "/admin/"):
        assert shown in out.getvalue()


def test_demo_passwords_end_with_debugging(demo: None, site: Any) -> None:
    assert authenticate(username="admin", password="admin-demo")
    site.DEBUG = False
    out = StringIO()
    call_command("demo_data", stdout=out, no_color=True)
    assert authenticate(username="admin", password="admin-demo") is None
    assert "-demo" not in out.getvalue()


def test_sam_decides_and_does_not_rule(demo: None) -> None:
    sam = get_user_model().objects.get(username="sam")
    assert sam.is_staff
    assert not sam.is_superuser
    assert sam.has_perms(["shop.refund_order", "agentui.view_approval", "shop.view_order"])
    assert not sam.has_perm("shop.change_order")
    assert not get_user_model().objects.get(username="ada").has_perm("shop.refund_order")


def test_the_site_has_no_complaints(tmp_path: Path) -> None:
    for arguments in (["check"], ["makemigrations", "--check", "--dry-run", "shop"]):
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={
                **os.environ,
                "AGENTUI_DEMO_VAR": str(tmp_path),
                "DJANGO_SETTINGS_MODULE": "project.settings",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "WARNING" not in done.stderr
