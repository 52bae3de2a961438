"""The record of decisions: to look up, to filter, and to take out as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from ..models import Decision
from . import words
from .base import EMPTY, ReadOnlyAdmin, link_to
from .filters import AgentFilter, ToolFilter
from .shown import plain, summary, visible
from .transcript import Text

COLUMNS = (
    "decided_at",
    "decided_by",
    "verdict",
    "reason",
    "option",
    "door",
    "agent",
    "tool",
    "asked_for_by",
    "asked_at",
    "arguments",
    "changed_arguments",
    "answer",
    "fingerprint",
    "request",
    "thread",
)
#: A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    """Rows are only ever added, by deciding; nothing here changes or deletes one."""

    page_template = "admin/agentui/facts.html"
    change_list_template = "admin/agentui/decision_list.html"
    list_display = ["shown_tool", "shown_verdict", "shown_who", "shown_reason", "created_at"]
    list_filter = [
        "verdict",
        ToolFilter,
        AgentFilter,
        "door",
        ("created_at", admin.DateFieldListFilter),
    ]
    search_fields = ["tool_name", "username", "requester_name", "reason", "=approval_ref"]
    ordering = ["-created_at", "-pk"]
    sortable_by = ["created_at"]
    date_hierarchy = "created_at"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Their own pages delete none. A thread or a user may go: the record stays without them.
        match = request.resolver_match
        return not (match and (match.url_name or "").startswith("agentui_decision_"))

    def has_export_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("agentui.export_decision"))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_GET(self.export_view))
        return [path("export/", view, name="agentui_decision_export"), *super().get_urls()]

    @admin.display(description=_("tool"))
    def shown_tool(self, decision: Decision) -> SafeString:
        return visible(decision.tool_name)

    @admin.display(description=_("verdict"), ordering="verdict")
    def shown_verdict(self, decision: Decision) -> SafeString:
        return words.word(words.VERDICT, decision.verdict).__html__()

    @admin.display(description=_("decided by"))
    def shown_who(self, decision: Decision) -> SafeString:
        return visible(decision.username)

    @admin.display(description=_("reason"))
    def shown_reason(self, decision: Decision) -> SafeString:
        return visible(summary(decision.reason, 120))

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        query = request.GET.urlencode()
        name = self.admin_site.name
        extra = {
            "export_url": reverse(f"{name}:agentui_decision_export")
            + (f"?{query}" if query else ""),
            "may_export": self.has_export_permission(request),
            "report_url": reverse(f"{name}:agentui_approval_report"),
        }
        return super().changelist_view(request, {**extra, **(extra_context or {})})

    def page_context(self, request: HttpRequest, obj: Decision) -> dict[str, Any]:
        site = self.admin_site
        approval = obj.approval
        return {
            "title": plain(obj.tool_name),
            "status": words.word(words.VERDICT, obj.verdict),
            "facts": [
                (_("Decided by"), visible(obj.username)),
                (_("Decided"), obj.created_at),
                (_("Where"), words.DOOR.get(obj.door) or visible(obj.door)),
                (_("Option"), visible(obj.option) or EMPTY),
                (_("Agent"), visible(obj.agent)),
                (_("Asked for by"), visible(obj.requester_name)),
                (_("Asked"), obj.requested_at or EMPTY),
                (
                    _("Request"),
                    link_to(request, site, approval, obj.approval_ref)
                    if approval
                    else visible(obj.approval_ref or EMPTY),
                ),
                (_("Fingerprint of the arguments"), obj.args_digest),
            ],
            "texts": [
                (_("Reason"), Text.of(obj.reason) if obj.reason else None),
                (_("Answer"), None if obj.answer is None else Text.of(obj.answer)),
                (_("Arguments as the agent wrote them"), Text.of(obj.original_args_text)),
                (
                    _("Arguments as they were changed"),
                    Text.of(obj.edited_args_text) if obj.edited_args_text else None,
                ),
            ],
        }

    def export_view(self, request: HttpRequest) -> StreamingHttpResponse:
        """What the list shows with its filters, as CSV, row by row."""
        if not self.has_export_permission(request) or not self.has_view_permission(request):
            raise PermissionDenied
        rows = self.get_changelist_instance(request).get_queryset(request)
        response = StreamingHttpResponse(
            _csv(rows),
            content_type="text/csv; charset=utf-8",
            headers={"Cache-Control": "no-store"},
        )
        name = f"decisions-{timezone.localdate():%Y-%m-%d}.csv"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        response["X-Content-Type-Options"] = "nosniff"
        return response


class _Line:
    """Gives back what the writer of CSV writes."""

    def write(self, text: str) -> str:
        return text


def _csv(rows: Any) -> Iterator[str]:
    writer = csv.writer(_Line())
    # Spreadsheets take the file for what it is only with this mark.
    yield "\ufeff" + writer.writerow(COLUMNS)
    for row in rows.iterator(chunk_size=500):
        yield writer.writerow([cell(value) for value in _values(row)])


def _values(row: Decision) -> list[Any]:
    return [
        row.created_at.isoformat(),
        row.username,
        row.verdict,
        row.reason,
        row.option,
        row.door,
        row.agent,
        row.tool_name,
        row.requester_name,
        row.requested_at.isoformat() if row.requested_at else "",
        row.original_args_text,
        row.edited_args_text,
        "" if row.answer is None else Text.of(row.answer).text,
        row.args_digest,
        row.approval_ref or "",
        row.thread_ref or "",
    ]


def cell(value: Any) -> str:
    """A cell that no spreadsheet takes for a formula: it is what stands there, after an apostrophe."""
    text = str(value)
    return f"'{text}" if text.lstrip(" \u00a0").startswith(_FORMULA) else text
