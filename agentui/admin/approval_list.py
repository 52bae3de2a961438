"""The list of approvals: who sees which rows, in what order, and what a row shows."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth import get_user_model
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Left, Length, NullIf
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import smart_split, unescape_string_literal
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ..actions.inbox import URGENT_FIRST
from ..core.statuses import ApprovalStatus
from ..models import Approval
from . import words
from .badge import in_figures, waiting_count
from .base import EMPTY, OwnRowsAdmin, name_of
from .filters import (
    AgeFilter,
    AgentFilter,
    ExpiryFilter,
    MineFilter,
    RequesterFilter,
    StatusFilter,
    ToolFilter,
)
from .scope import scope
from .shown import visible

#: Of the arguments, the list shows this much; the page shows all.
EXCERPT = 160


class Inbox(ChangeList):
    """The list, with the beginning of each row's arguments and not all of them."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        # Only of the rows on the page: all of them are counted without looking at any call.
        written = Coalesce(NullIf("tool_call__edited_args_text", Value("")), "tool_call__args_text")
        self.result_list = self.result_list.annotate(
            args_start=Left(written, EXCERPT), args_length=Length(written)
        )


class ApprovalList(OwnRowsAdmin):
    """The inbox. A row is there for whoever may decide it, or has the permission to view approvals."""

    change_list_template = "admin/agentui/approval_list.html"
    list_display_links = ["request_shown"]
    list_filter = [
        StatusFilter,
        MineFilter,
        ExpiryFilter,
        ToolFilter,
        AgentFilter,
        RequesterFilter,
        AgeFilter,
    ]
    list_select_related = ["requester"]
    search_help_text = _("Searches the tool, the agent, the person who asked, and the arguments.")
    sortable_by = ["asked", "time_left"]

    # --- who sees what -----------------------------------------------------------------------

    def concerns(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return scope(request).decides
        return self.get_queryset(request).filter(pk=obj.pk).exists()

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Called by the admin for the list actions; each row is asked again."""
        return self.has_view_permission(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Approval]:
        rows = Approval.objects.all()
        return rows if self.sees_all(request) else rows.filter(scope(request).rows)

    def waiting_for(self, request: HttpRequest) -> QuerySet[Approval]:
        """What waits for this user's decision."""
        return scope(request).waiting

    def filter_rows(self, request: HttpRequest) -> QuerySet[Approval]:
        """The rows whose values the filters offer: what waits is what is looked through."""
        return self.get_queryset(request).filter(status=ApprovalStatus.PENDING)

    # --- the list ----------------------------------------------------------------------------

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """What waits, the soonest to expire first, then the oldest; then the last decided."""
        if StatusFilter.parameter_name not in request.GET:
            return [*URGENT_FIRST]
        pending = Q(status=ApprovalStatus.PENDING)
        return [
            Case(When(pending, then=Value(0)), default=Value(1)),
            Case(When(pending, then=F("expires_at"))).asc(nulls_last=True),
            Case(When(pending, then=F("requested_at"))).asc(nulls_last=True),
            F("decided_at").desc(nulls_last=True),
            "pk",
        ]

    def get_list_display(self, request: HttpRequest) -> Any:
        """The status is a column where there is more than one."""
        columns = ["request_shown", "requester_shown", "asked", "time_left"]
        return [*columns, "status_shown"] if StatusFilter.parameter_name in request.GET else columns

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        return [
            "tool_name",
            "agent",
            f"requester__{get_user_model().USERNAME_FIELD}",
            "tool_call__args_text",
            "tool_call__edited_args_text",
        ]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Each word has to occur. In arguments it may be written with JSON's escapes."""
        for word in smart_split(search_term):
            if word[0] in "\"'" and word[0] == word[-1] and len(word) > 1:
                word = unescape_string_literal(word)
            found = Q()
            for text in {word, json.dumps(word)[1:-1]}:
                for field in self.get_search_fields(request):
                    found |= Q(**{f"{field}__icontains": text.replace("\x00", "")})
            queryset = queryset.filter(found)
        return queryset, False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        waiting = waiting_count(self.admin_site, request)
        line = ngettext("%(n)s request waits for you", "%(n)s requests wait for you", waiting) % {
            "n": in_figures(waiting)
        }
        extra = {
            "waiting": line if waiting else gettext("Nothing waits for you"),
            "live_url": reverse(f"{self.admin_site.name}:agentui_approval_live_list"),
            "loaded_at": timezone.now().isoformat(),
            "may_report": request.user.has_perm("agentui.view_decision"),
        }
        return super().changelist_view(request, {**extra, **(extra_context or {})})

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return Inbox

    @admin.display(description=_("request"))
    def request_shown(self, approval: Any) -> SafeString:
        cut = approval.args_length > EXCERPT
        return format_html(
            '<strong class="agentui-tool">{}</strong> <span class="agentui-agent">{}</span>'
            '<code class="agentui-excerpt">{}{}</code>',
            visible(approval.tool_name),
            visible(approval.agent),
            visible(approval.args_start),
            format_html(
                ' <span class="agentui-cut">{}</span>',
                gettext("… %(n)d characters in all") % {"n": approval.args_length},
            )
            if cut
            else "",
        )

    @admin.display(description=_("asked for by"))
    def requester_shown(self, approval: Approval) -> str:
        return name_of(approval.requester)

    @admin.display(description=_("waiting"), ordering="requested_at")
    def asked(self, approval: Approval) -> SafeString:
        end = approval.decided_at or timezone.now()
        return format_html(
            '<time title="{}">{}</time>',
            timezone.localtime(approval.requested_at),
            timesince(approval.requested_at, end, depth=1),
        )

    @admin.display(description=_("time left"), ordering="expires_at")
    def time_left(self, approval: Approval) -> SafeString | str:
        if approval.expires_at is None or approval.status != ApprovalStatus.PENDING:
            return EMPTY
        left = (approval.expires_at - timezone.now()).total_seconds()
        tone = "over" if left <= 0 else "soon" if left < 3600 else "later"
        return format_html(
            '<time class="agentui-left agentui-left--{}" title="{}">{}</time>',
            tone,
            timezone.localtime(approval.expires_at),
            gettext("time is over") if left <= 0 else timeuntil(approval.expires_at, depth=1),
        )

    @admin.display(description=_("status"), ordering="status")
    def status_shown(self, approval: Approval) -> SafeString:
        return words.word(words.APPROVAL, approval.status).__html__()
