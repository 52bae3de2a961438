"""What open pages ask for, to see what somebody else has done meanwhile. Small, and a few queries."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.http import HttpRequest
from django.utils import timezone

from ..core.moments import read_moment
from ..core.statuses import ACTIVE_RUN, ApprovalStatus
from ..models import Approval, Decision, Run, Thread
from . import words
from .badge import MOST, in_figures, waiting_count
from .refusals import closed, decided_already

#: Rows of one list that are asked about at once.
MOST_ROWS = 200


def page_state(approval: Approval) -> dict[str, Any]:
    """``mark`` changes whenever the page would look otherwise; ``busy`` while something runs."""
    version = Thread.objects.filter(pk=approval.thread_id).values_list("version", flat=True).first()
    run = (
        Run.objects.filter(thread=approval.thread_id, status__in=ACTIVE_RUN)
        .annotate(seq=Max("journal__last"))
        .values_list("pk", "seq")
        .first()
    )
    over = approval.expires_at is not None and approval.expires_at <= timezone.now()
    escalated = approval.is_escalated(timezone.now())
    mark = f"{version}.{run[1] or 0 if run else ''}.{approval.status}.{over:d}{escalated:d}"
    return {"mark": mark, "busy": run is not None, "waiting": approval.status == "pending"}


def list_state(model_admin: Any, request: HttpRequest) -> dict[str, Any]:
    """``closed``: what became of the rows that take no decision any more, as words; ``new``: how
    many requests have come in since the list was loaded; ``waiting``: how many wait in all."""
    ids = []
    for text in request.GET.get("ids", "").split(",")[:MOST_ROWS]:
        try:
            ids.append(uuid.UUID(text))
        except ValueError:
            continue
    rows = model_admin.get_queryset(request).filter(pk__in=ids)
    ended = [row for row in rows if row.status != ApprovalStatus.PENDING or closed(row)]
    last = {
        decision.approval_id: decision
        for decision in Decision.objects.filter(approval__in=ended).order_by("created_at", "pk")
    }
    return {
        "closed": {str(row.pk): _became(row, last.get(row.pk)) for row in ended},
        "new": _new(model_admin, request),
        "waiting": in_figures(waiting_count(model_admin.admin_site, request)),
    }


def _became(approval: Approval, decision: Decision | None) -> str:
    if decision is not None and approval.status in ("approved", "denied"):
        return decided_already(
            {
                "decided_by": decision.username,
                "verdict": decision.verdict,
                "decided_at": decision.created_at.isoformat(),
            }
        )
    return closed(approval) or str(words.word(words.APPROVAL, approval.status).text)


def _new(model_admin: Any, request: HttpRequest) -> int:
    since = _time(request.GET.get("since", ""))
    if since is None:
        return 0
    new = model_admin.waiting_for(request).filter(requested_at__gt=since)
    return int(new[: MOST + 1].count())


def _time(text: str) -> datetime | None:
    try:
        return read_moment(text)
    except ValueError:
        return None
