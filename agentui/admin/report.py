"""How long decisions take, and how they turn out: by tool and by person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import median
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from ..agents.policy_text import duration
from ..models import Approval, Decision
from .base import EMPTY
from .shown import visible

PERIODS = (1, 7, 30, 90, 365)
#: More requests than this are not counted one by one; the page says so.
MOST = 100_000


@dataclass(slots=True)
class Line:
    """One tool, or all of them."""

    name: Any
    approved: int = 0
    denied: int = 0
    expired: int = 0
    closed: int = 0
    waiting: int = 0
    seconds: list[float] = field(default_factory=list)

    @property
    def total(self) -> int:
        return self.approved + self.denied + self.expired + self.closed + self.waiting

    @property
    def rate(self) -> str:
        """Of what somebody decided, how much was approved."""
        decided = self.approved + self.denied
        return f"{100 * self.approved / decided:.0f} %" if decided else EMPTY

    @property
    def median(self) -> str:
        return _time(median(self.seconds)) if self.seconds else EMPTY

    @property
    def nine_in_ten(self) -> str:
        """Nine in ten decisions took no longer than this."""
        if not self.seconds:
            return EMPTY
        at = max(-(-9 * len(self.seconds) // 10) - 1, 0)
        return _time(sorted(self.seconds)[at])

    def add(self, status: str, seconds: float | None) -> None:
        match status:
            case "approved":
                self.approved += 1
            case "denied":
                self.denied += 1
            case "expired":
                self.expired += 1
            case "pending":
                self.waiting += 1
            case _:
                self.closed += 1
        if seconds is not None and status in ("approved", "denied"):
            self.seconds.append(seconds)


def show(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """The page; for those who may view decisions."""
    if not request.user.has_perm("agentui.view_decision"):
        raise PermissionDenied
    days = _days(request)
    since = timezone.now() - timedelta(days=days)
    rows = Approval.objects.filter(requested_at__gte=since).order_by("-requested_at")
    tools, whole = _by_tool(
        rows.values_list("agent", "tool_name", "status", "requested_at", "decided_at")[:MOST]
    )
    name = model_admin.admin_site.name
    page: HttpResponse = model_admin.show(
        request,
        "admin/agentui/report.html",
        extra={
            "title": _("How requests were decided"),
            "periods": [(n, n == days) for n in PERIODS],
            "days": days,
            "whole": whole,
            "is_cut": whole.total >= MOST,
            "most": MOST,
            "tools": sorted(tools, key=lambda line: -line.total),
            "people": _people(since),
            "record_url": reverse(f"{name}:agentui_decision_changelist"),
        },
    )
    return page


def _by_tool(rows: Iterable[tuple[Any, ...]]) -> tuple[list[Line], Line]:
    whole = Line(_("All"))
    tools: dict[tuple[str, str], Line] = {}
    for agent, tool, status, asked, decided in rows:
        line = tools.get((agent, tool))
        if line is None:
            line = tools[agent, tool] = Line((visible(tool), visible(agent)))
        seconds = (decided - asked).total_seconds() if decided else None
        line.add(status, seconds)
        whole.add(status, seconds)
    return list(tools.values()), whole


def _people(since: Any) -> list[dict[str, Any]]:
    """Who decided how much, how it turned out, and how long it had waited by then."""
    decisions = Decision.objects.filter(created_at__gte=since)
    counted = (
        decisions.values("username")
        .annotate(
            approved=Count("pk", filter=Q(verdict="approve")),
            denied=Count("pk", filter=Q(verdict="deny")),
            edited=Count("pk", filter=~Q(edited_args_text="")),
        )
        .order_by("-approved", "-denied", "username")[:200]
    )
    waits: dict[str, list[float]] = defaultdict(list)
    times = decisions.exclude(requested_at=None).values_list(
        "username", "requested_at", "created_at"
    )
    for name, asked, decided in times[:MOST]:
        if asked is not None:
            waits[name].append((decided - asked).total_seconds())
    return [
        {
            "name": visible(row["username"] or EMPTY),
            "approved": row["approved"],
            "denied": row["denied"],
            "edited": row["edited"],
            "rate": f"{100 * row['approved'] / (row['approved'] + row['denied']):.0f} %",
            "median": _time(median(waits[row["username"]])) if waits[row["username"]] else EMPTY,
        }
        for row in counted
    ]


def _days(request: HttpRequest) -> int:
    text = request.GET.get("days", "")
    return int(text) if text in map(str, PERIODS) else 30


def _time(seconds: float) -> str:
    return duration(timedelta(seconds=seconds))
