"""Tool calls to read: what was asked, what came of it, and who has it in hand."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ..models import ToolCall
from . import words
from .base import EMPTY, ReadOnlyAdmin, link_to, short_id
from .filters import ToolFilter
from .parts_of_thread import PartOfThread
from .run import duration
from .shown import plain, summary, visible
from .transcript import Text, call_of


@admin.register(ToolCall)
class ToolCallAdmin(PartOfThread, ReadOnlyAdmin):
    page_template = "admin/agentui/facts.html"
    list_display = ["shown_name", "shown_status", "thread_link", "kind", "created_at"]
    list_filter = ["status", "kind", "is_error", ToolFilter]
    list_select_related = ["thread"]
    search_fields = ["tool_name", "args_text", "=id", "=thread__id", "=run__id"]
    ordering = ["-created_at", "-pk"]
    sortable_by = ["created_at"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("thread", "run", "approval")

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
                (_("May be run again"), _("yes") if obj.is_idempotent else _("no")),
                (_("Fingerprint of the arguments"), obj.args_digest or EMPTY),
            ],
            "call": call_of(request, site, obj),
            "texts": [
                (_("Progress"), _text(obj.progress)),
                (_("For the page only"), _text(obj.artifact)),
                (_("For the model only"), _text(obj.model_content)),
            ],
        }


def _text(value: Any) -> Text | None:
    return None if value is None else Text.of(value)
