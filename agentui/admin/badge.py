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
                model["name"] = f"{model['name']} ({in_figures(waiting)})"
        return apps

    site.get_app_list = with_count  # type: ignore[method-assign]


def waiting_count(site: AdminSite, request: HttpRequest) -> int:
    """How many requests wait for this user; one more than :data:`MOST` stands for any more.

    Counted once for a request: the page and the list of models both show it.
    """
    known: int | None = getattr(request, "_agentui_waiting", None)
    if known is None:
        model_admin: Any = site._registry[Approval]
        known = model_admin.waiting_for(request)[: MOST + 1].count()
        request._agentui_waiting = known  # type: ignore[attr-defined]
    return known


def in_figures(count: int) -> str:
    """The count as it is written: ``99+`` when there are more."""
    return f"{MOST}+" if count > MOST else str(count)
