"""Threads to read."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ..models import Attachment, Message, Thread
from ..runtime import publish
from . import words
from .base import link_to, name_of
from .feedback import FeedbackFilter
from .files import WithFiles
from .filters import AgentFilter
from .shown import plain, summary, visible
from .transcript import Text, transcript

PAGE = 50


@admin.register(Thread)
class ThreadAdmin(WithFiles):
    """The transcript of the branch that the owner sees; other versions are a link away."""

    page_template = "admin/agentui/thread.html"
    list_display = ["shown_title", "owner", "agent", "state_now", "last_activity_at"]
    list_filter = [
        "status",
        AgentFilter,
        FeedbackFilter,
        ("last_activity_at", admin.DateFieldListFilter),
    ]
    list_select_related = ["owner"]
    ordering = ["-last_activity_at", "-id"]
    sortable_by = ["owner", "agent", "last_activity_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Thread]:
        return Thread.objects.with_activity()

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        return ["title", "agent", f"owner__{get_user_model().USERNAME_FIELD}", "=id"]

    @admin.display(description=_("title"), ordering="title")
    def shown_title(self, thread: Thread) -> SafeString:
        return visible(summary(thread, 80))

    @admin.display(description=_("now"))
    def state_now(self, thread: Any) -> words.Word | str:
        if thread.active_run_id:
            return words.RUN["running"].__html__()
        if thread.is_waiting:
            return words.RUN["requires_action"].__html__()
        return "" if thread.status == Thread.Status.REGULAR else thread.get_status_display()

    def page_context(self, request: HttpRequest, obj: Thread) -> dict[str, Any]:
        until = self._until(request, obj)
        messages = Message.objects.branch(until, PAGE)
        first = messages[0] if messages else None
        return {
            "title": summary(obj, 80),
            "facts": [
                (_("Owner"), link_to(request, self.admin_site, obj.owner, name_of(obj.owner))),
                (_("Agent"), visible(obj.agent)),
                (_("Status"), obj.get_status_display()),
                (_("Began"), obj.created_at),
                (_("Last activity"), obj.last_activity_at),
                (_("Messages"), Message.objects.filter(thread=obj).count()),
            ],
            "entries": transcript(request, self.admin_site, messages, page=obj),
            "earlier": first.parent_id if first else None,
            "is_newest": until == obj.head_id,
            "state": None if obj.state is None else Text.of(obj.state),
            "history_text": plain(obj),
        }

    def shows_file(self, obj: Thread, pk: uuid.UUID) -> bool:
        return Attachment.objects.filter(pk=pk, thread=obj).exists()

    def _until(self, request: HttpRequest, thread: Thread) -> uuid.UUID | None:
        """The message at which the page ends: the one asked for, if it is in this thread."""
        try:
            wanted = uuid.UUID(request.GET.get("until", ""))
        except ValueError:
            return thread.head_id
        found = Message.objects.filter(pk=wanted, thread=thread).exists()
        return wanted if found else thread.head_id

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        publish.thread_deleted(obj.pk, obj.owner_id)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for pk, owner in queryset.values_list("pk", "owner"):
            publish.thread_deleted(pk, owner)
        super().delete_queryset(request, queryset)
