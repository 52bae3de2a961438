"""Tool calls to read: what was asked, what came of it, and who has it in hand."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from .. import actions
from ..actions.outcomes import can_run_again
from ..exceptions import AgentUIError
from ..models import ToolCall
from ..permissions import may_record_outcome
from . import words
from .base import EMPTY, ReadOnlyAdmin, link_to, page_url, short_id
from .filters import ToolFilter
from .grant import reach_of
from .parts_of_thread import PartOfThread
from .refusals import sentence
from .run import duration
from .shown import plain, summary, visible
from .transcript import Text, call_of


class LookedIntoFilter(admin.SimpleListFilter):
    """What may have had effects, and nobody has said whether it had."""

    title = _("interrupted")
    parameter_name = "interrupted"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", _("Not looked into")), ("done", _("Looked into"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        match self.value():
            case "open":
                return queryset.filter(status="interrupted", records=None)
            case "done":
                return queryset.exclude(records=None).distinct()
        return queryset


@admin.register(ToolCall)
class ToolCallAdmin(PartOfThread, ReadOnlyAdmin):
    page_template = "admin/agentui/tool_call.html"
    list_display = ["shown_name", "shown_status", "thread_link", "kind", "created_at"]
    list_filter = [LookedIntoFilter, "status", "kind", "is_error", ToolFilter]
    list_select_related = ["thread"]
    search_fields = ["tool_name", "args_text", "=id", "=thread__id", "=run__id"]
    ordering = ["-created_at", "-pk"]
    sortable_by = ["created_at"]

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request).select_related("thread", "run", "approval", "grant")
        if super().has_view_permission(request):
            return rows
        # Who may record outcomes, and no more, sees what there is to look into.
        return rows.filter(Q(status="interrupted") | Q(records__user=request.user.pk)).distinct()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        may_record = request.user.has_perm("agentui.record_outcome")
        return super().has_view_permission(request, obj) or may_record

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.outcome_view))
        return [
            path("<path:object_id>/outcome/", view, name="agentui_toolcall_outcome"),
            *super().get_urls(),
        ]

    def outcome_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The form on an interrupted call's page comes here."""
        call = self.get_object(request, unquote(object_id))
        if call is None:
            return self._not_there(request, object_id)
        typed = {name: request.POST.get(name, "") for name in ("finding", "result", "note")}
        try:
            with transaction.atomic():
                record = actions.record_outcome(
                    request.user,
                    call.pk,
                    finding=typed["finding"],
                    result=_as_json(typed["result"]),
                    note=typed["note"],
                    door="admin",
                )
                self.log_change(
                    request, call, f"{record.get_finding_display()} · {plain(record.note)}"
                )
        except AgentUIError as error:
            extra = {"refusal": sentence(error), "typed": typed}
            return self.show(request, self.page_template, call, extra, status=409)
        self.message_user(request, gettext("Recorded. The agent is told so."), messages.SUCCESS)
        return HttpResponseRedirect(page_url(self.admin_site, call))

    @admin.display(description=_("tool"))
    def shown_name(self, call: ToolCall) -> SafeString:
        return visible(call.tool_name)

    @admin.display(description=_("status"))
    def shown_status(self, call: ToolCall) -> SafeString:
        return words.word(words.TOOL_CALL, call.status).__html__()

    @admin.display(description=_("thread"))
    def thread_link(self, call: ToolCall) -> SafeString:
        return visible(summary(call.thread, 60))

    def page_context(self, request: HttpRequest, obj: ToolCall) -> dict[str, Any]:
        site = self.admin_site
        return {
            "title": plain(obj.tool_name),
            "status": words.word(words.TOOL_CALL, obj.status),
            "facts": [
                (_("Where it is answered"), words.KIND.get(obj.kind, obj.kind)),
                (_("Thread"), link_to(request, site, obj.thread, summary(obj.thread, 80))),
                (_("Run"), link_to(request, site, obj.run, short_id(obj.run))),
                (_("The provider’s id"), visible(obj.tool_call_id) or EMPTY),
                (_("Asked"), obj.created_at),
                (_("Started"), obj.started_at or EMPTY),
                (_("Finished"), obj.finished_at or EMPTY),
                (_("Took"), duration(obj.started_at, obj.finished_at)),
                (_("Attempt"), obj.attempt),
                (_("Claimed by"), visible(obj.claimed_by) or EMPTY),
                (_("Claim ends"), obj.claim_expires_at or EMPTY),
                (
                    _("Let through by"),
                    link_to(request, site, obj.grant, reach_of(obj.grant)) if obj.grant else EMPTY,
                ),
                (_("May be run again"), _("yes") if obj.is_idempotent else _("no")),
                (_("Fingerprint of the arguments"), obj.args_digest or EMPTY),
            ],
            "call": call_of(request, site, obj),
            "records": list(obj.records.all()),
            "may_record": obj.status == "interrupted" and may_record_outcome(request.user, obj),
            "may_repeat": can_run_again(obj),
            "outcome_url": reverse(f"{site.name}:agentui_toolcall_outcome", args=[obj.pk]),
            "texts": [
                (_("Progress"), _text(obj.progress)),
                (_("For the page only"), _text(obj.artifact)),
                (_("For the model only"), _text(obj.model_content)),
            ],
        }


def _as_json(text: str) -> Any:
    """What was typed as a result: JSON where it is JSON, otherwise the text itself."""
    if not text.strip():
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def _text(value: Any) -> Text | None:
    return None if value is None else Text.of(value)
