"""Addresses of the admin's pages, and what a browser would send to them."""

from __future__ import annotations

import html
import re
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from agentui.models import Approval

LIST = "/admin/agentui/approval/"
BULK = "/admin/agentui/approval/bulk/"


def page_of(row: Any) -> str:
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}_change"
    return reverse(name, args=[row.pk])


def decide_url(approval: Approval) -> str:
    return reverse("admin:agentui_approval_decide", args=[approval.pk])


def answer(client: Client, approval: Approval, verdict: str, **fields: Any) -> HttpResponse:
    """What the form on the page sends."""
    fields = {"verdict": verdict, "digest": approval.args_digest, **fields}
    return client.post(decide_url(approval), fields)


def act(
    client: Client, action: str, rows: list[Any], url: str = LIST, **fields: Any
) -> HttpResponse:
    """What the list sends when an action is chosen for these rows."""
    ticked = [str(row.pk) for row in rows]
    return client.post(url, {"action": action, "_selected_action": ticked, "index": "0", **fields})


def confirm(client: Client, response: HttpResponse, **fields: Any) -> HttpResponse:
    """What the confirm page sends when it is answered with yes."""
    return client.post(BULK, {"chosen": chosen_of(response), **fields})


def chosen_of(response: HttpResponse) -> str:
    found = re.search(r'name="chosen" value="([^"]*)"', response.content.decode())
    assert found, response.content.decode()
    return html.unescape(found[1])


def text_of(response: HttpResponse) -> str:
    """The page as a person reads it: no markup, entities as their signs."""
    body = response.content.decode()
    body = re.sub(r"<(script|style).*?</\1>", "", body, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", body)).split())
