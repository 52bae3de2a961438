"""Runs to read: where each stands and why."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ..models import Run, RunEvent, ToolCall
from . import words
from .base import EMPTY, ReadOnlyAdmin, link_to, short_id
from .filters import AgentFilter
from .parts_of_thread import PartOfThread
from .shown import pretty, summary, visible
from .transcript import Text


@admin.register(Run)
class RunAdmin(PartOfThread, ReadOnlyAdmin):
    page_template = "admin/agentui/facts.html"
    list_display = ["shown_name", "shown_status", "thread_link", "attempt", "created_at", "took"]
    list_filter = ["status", "reason", AgentFilter, ("created_at", admin.DateFieldListFilter)]
    list_select_related = ["thread"]
    search_fields = ["=id", "=thread__id", "agent"]
    ordering = ["-created_at", "-pk"]
    sortable_by = ["created_at", "attempt"]

    @admin.display(description=_("run"))
    def shown_name(self, run: Run) -> SafeString:
        return visible(run)

    @admin.display(description=_("status"))
    def shown_status(self, run: Run) -> SafeString:
        return words.word(words.RUN, run.status).__html__()

    @admin.display(description=_("thread"))
    def thread_link(self, run: Run) -> SafeString:
        return visible(summary(run.thread, 60))

    @admin.display(description=_("took"))
    def took(self, run: Run) -> str:
        return duration(run.started_at, run.finished_at)

    def page_context(self, request: HttpRequest, obj: Run) -> dict[str, Any]:
        site = self.admin_site
        batches = RunEvent.objects.filter(run=obj).count()
        return {
            "title": _("Run %(id)s") % {"id": short_id(obj)},
            "status": words.word(words.RUN, obj.status),
            "facts": [
                (_("Why"), words.reason(obj.reason) or EMPTY),
                (_("Thread"), link_to(request, site, obj.thread, summary(obj.thread, 80))),
                (_("Agent"), visible(obj.agent)),
                (_("Model"), visible(obj.model) or EMPTY),
                (_("Roundtrips"), obj.roundtrips),
                (_("Attempt"), obj.attempt),
                (_("Worker"), visible(obj.lease_owner) or EMPTY),
                (_("Worker’s lease ends"), obj.lease_expires_at or EMPTY),
                (_("Asked to stop"), obj.cancel_requested_at or EMPTY),
                (_("A newer message came meanwhile"), _("yes") if obj.is_detached else _("no")),
                (_("Created"), obj.created_at),
                (_("Started"), obj.started_at or EMPTY),
                (_("Finished"), obj.finished_at or EMPTY),
                (_("Took"), duration(obj.started_at, obj.finished_at)),
                (_("Events"), obj.last_seq),
                (_("Batches of events in the journal"), batches),
            ],
            "texts": [
                (_("Error"), Text.of(obj.error) if obj.error else None),
                (_("Usage"), Text.of(pretty(obj.usage)) if obj.usage else None),
            ],
            "calls": [
                (
                    link_to(request, site, call, call.tool_name),
                    words.word(words.TOOL_CALL, call.status),
                )
                for call in ToolCall.objects.filter(run=obj).order_by("position")
            ],
        }


def duration(start: Any, end: Any) -> str:
    """``1.4 s``, or a dash while it is not over."""
    if start is None or end is None:
        return EMPTY
    return _("%(seconds).1f s") % {"seconds": (end - start).total_seconds()}
