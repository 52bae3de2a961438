"""The number of requests that wait, on the admin's index."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest

from ..models import Approval

MOST = 99


def show_waiting_count(site: AdminSite) -> None:
    """Let ``site`` write "Approvals (12)" in its list of models.

    A site with an ``AdminSite`` of its own calls this for it, too. The admin has no hook for a
    model's name, so the site's own method is extended in place; it costs one query a page, and only
    for those who see the inbox.
    """
    get_app_list = site.get_app_list

    def with_count(request: HttpRequest, app_label: str | None = None) -> list[Any]:
        apps = get_app_list(request, app_label)
        for model in (m for app in apps for m in app["models"] if m.get("model") is Approval):
            if waiting := waiting_count(site, request):
                model["name"] = f"{model['name']} ({waiting})"
        return apps

    site.get_app_list = with_count  # type: ignore[method-assign]


def waiting_count(site: AdminSite, request: HttpRequest) -> str:
    """How many requests wait for this user, ``99+`` at most; empty when none does."""
    model_admin: Any = site._registry[Approval]
    count = model_admin.waiting_for(request)[: MOST + 1].count()
    if not count:
        return ""
    return f"{MOST}+" if count > MOST else str(count)
