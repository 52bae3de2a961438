"""Many decisions at once: confirmed on a page that says what they are, then made one by one.

What was chosen travels as one signed field, however many rows it is, with the fingerprint of the
arguments of each: a row that came later is not in it, a row that changed meanwhile is skipped. Every
row is asked about as if it were decided alone, and the report says what became of each.
"""

from __future__ import annotations

import time
import uuid
from base64 import b85decode, b85encode
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..core.statuses import ApprovalStatus
from ..exceptions import AgentUIError
from ..models import Approval
from .base import list_url, name_of, page_url
from .deciding import decide
from .refusals import heading, sentence
from .shown import plain, visible

if TYPE_CHECKING:
    from .approval import ApprovalAdmin

MOST = 10_000
"""Rows of one go; more do not fit into a request of the size that Django takes by default."""
SHOWN = 100
"""Rows that the confirm page shows one by one, and of each reason that the report does."""
EXCERPT = 400
SECONDS = 20.0
"""After this long the page answers with what is done, and goes on when asked: no proxy times out."""
_FINGERPRINT = 8  # bytes of the digest: enough to see a change, and the field is signed
_ID = 16


@dataclass(slots=True)
class Report:
    """What has been done so far. ``skipped`` holds the first rows of each reason, by its code."""

    verdict: str
    total: int
    decided: int = 0
    waiting: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, list[list[str]]] = field(default_factory=dict)

    def skip(self, code: str, row: list[str]) -> None:
        self.counts[code] = self.counts.get(code, 0) + 1
        rows = self.skipped.setdefault(code, [])
        if len(rows) < SHOWN:
            rows.append(row)


def confirm(
    model_admin: ApprovalAdmin, request: HttpRequest, queryset: Any, verdict: str
) -> HttpResponse | None:
    """The page that says what is about to be decided. Nothing is decided here."""
    rows = _chosen(model_admin, request, queryset)
    total = rows.count()
    if total == 0:
        model_admin.message_user(
            request, _("Nothing that you may decide was selected."), messages.WARNING
        )
        return None
    if total > MOST:
        text = _(
            "%(n)d requests are selected; at most %(most)d can be decided at once. Filter first."
        )
        model_admin.message_user(request, text % {"n": total, "most": MOST}, messages.ERROR)
        return None
    chosen = list(rows.values_list("pk", "args_digest"))
    policies = rows.order_by().values_list("policy", flat=True)
    return model_admin.show(
        request,
        "admin/agentui/bulk_confirm.html",
        extra={
            "title": _title(verdict, total),
            "verdict": verdict,
            "total": total,
            "groups": _groups(rows),
            "rows": _shown_rows(model_admin, rows),
            "more": max(total - SHOWN, 0),
            "reason_required": verdict == "deny"
            and any(policy.get("reason_required") for policy in policies.distinct()),
            "chosen": _pack(request, chosen, Report(verdict, total), ""),
        },
    )


def decide_chosen(model_admin: ApprovalAdmin, request: HttpRequest) -> HttpResponse:
    """Decide what was confirmed, each row on its own; then the report."""
    if not model_admin.has_decide_permission(request):
        raise PermissionDenied
    try:
        chosen, report, reason = _unpack(request)
    except (signing.BadSignature, ValueError, KeyError, TypeError):
        text = _("The selection could not be read. Select the requests again.")
        model_admin.message_user(request, text, messages.ERROR)
        return HttpResponseRedirect(list_url(model_admin.admin_site, Approval))
    reason = request.POST.get("reason", "") or reason
    until = time.monotonic() + SECONDS
    done = 0
    while done < len(chosen) and (done == 0 or time.monotonic() < until):
        batch = chosen[done : done + SHOWN]
        _decide_batch(model_admin, request, batch, report, reason)
        done += len(batch)
    left = chosen[done:]
    return model_admin.show(
        request,
        "admin/agentui/bulk_report.html",
        extra={
            "title": _("What was decided"),
            "report": report,
            "done": report.total - len(left),
            "left": len(left),
            "sentence": _decided(report),
            "groups": [
                (heading(code), report.counts[code], rows, report.counts[code] - len(rows))
                for code, rows in report.skipped.items()
            ],
            "skipped": sum(report.counts.values()),
            "chosen": _pack(request, left, report, reason) if left else "",
        },
    )


def _decide_batch(
    model_admin: Any,
    request: HttpRequest,
    batch: list[tuple[uuid.UUID, bytes]],
    report: Report,
    reason: str,
) -> None:
    mine = model_admin.get_queryset(request).select_related("requester")
    rows = mine.in_bulk([pk for pk, _digest in batch])
    for pk, fingerprint in batch:
        approval = rows.get(pk)
        if approval is None:
            report.skip("not_found", [str(pk), "", ""])
            continue
        shown = [plain(approval.tool_name), name_of(approval.requester)]
        url = page_url(model_admin.admin_site, approval)
        same = bytes.fromhex(approval.args_digest)[:_FINGERPRINT] == fingerprint
        try:
            decided = decide(
                model_admin,
                request,
                approval,
                verdict=report.verdict,
                reason=reason if report.verdict == "deny" else "",
                digest=approval.args_digest if same else "",
            )
        except AgentUIError as error:
            report.skip(error.code, [" · ".join(shown), url, sentence(error)])
        else:
            report.decided += 1
            report.waiting += decided.status == ApprovalStatus.PENDING


def _chosen(model_admin: Any, request: HttpRequest, queryset: Any) -> Any:
    """The rows that were ticked, by their keys, also those that left the list meanwhile.

    ``queryset`` has the list's filters; a row that was decided a moment ago is no longer in it, and
    whoever ticked it is to be told so.
    """
    if request.POST.get("select_across") == "1":
        return queryset
    ticked = []
    for key in request.POST.getlist(ACTION_CHECKBOX_NAME):
        try:
            ticked.append(uuid.UUID(key))
        except ValueError:
            continue
    rows = model_admin.get_queryset(request).filter(pk__in=ticked)
    return rows.order_by(*model_admin.get_ordering(request))


def _groups(rows: Any) -> list[tuple[Any, Any, int]]:
    """How many of each tool and agent, the most first."""
    counted = Counter(rows.order_by().values_list("tool_name", "agent"))
    return [(visible(tool), visible(agent), n) for (tool, agent), n in counted.most_common()]


def _shown_rows(model_admin: Any, rows: Any) -> list[dict[str, Any]]:
    shown = []
    for approval in rows.select_related("tool_call", "requester")[:SHOWN]:
        text = approval.tool_call.effective_args_text
        shown.append(
            {
                "url": page_url(model_admin.admin_site, approval),
                "tool": visible(approval.tool_name),
                "requester": name_of(approval.requester),
                "arguments": visible(text[:EXCERPT]),
                "cut": max(len(text) - EXCERPT, 0),
            }
        )
    return shown


def _title(verdict: str, total: int) -> str:
    if verdict == "approve":
        return ngettext("Approve %(n)d request?", "Approve %(n)d requests?", total) % {"n": total}
    return ngettext("Deny %(n)d request?", "Deny %(n)d requests?", total) % {"n": total}


def _decided(report: Report) -> str:
    n = report.decided
    if report.verdict == "approve":
        text = ngettext("%(n)d request was approved.", "%(n)d requests were approved.", n)
    else:
        text = ngettext("%(n)d request was denied.", "%(n)d requests were denied.", n)
    return text % {"n": n}


def _pack(
    request: HttpRequest, rows: list[tuple[uuid.UUID, Any]], report: Report, reason: str
) -> str:
    """The selection as one field, which only the server can write and only this user can use."""
    raw = b"".join(
        pk.bytes + (mark if isinstance(mark, bytes) else bytes.fromhex(mark)[:_FINGERPRINT])
        for pk, mark in rows
    )
    value = {"rows": b85encode(raw).decode(), "report": asdict(report), "reason": reason}
    return signing.dumps(value, salt=_salt(request))


def _unpack(request: HttpRequest) -> tuple[list[tuple[uuid.UUID, bytes]], Report, str]:
    value = signing.loads(request.POST.get("chosen", ""), salt=_salt(request))
    raw = b85decode(value["rows"])
    width = _ID + _FINGERPRINT
    rows = [
        (uuid.UUID(bytes=raw[at : at + _ID]), raw[at + _ID : at + width])
        for at in range(0, len(raw), width)
    ]
    return rows, Report(**value["report"]), value["reason"]


def _salt(request: HttpRequest) -> str:
    return f"agentui.admin.bulk.{request.user.pk}"
