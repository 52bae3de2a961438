"""What readers thought of the answers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ..models import Message, Thread


class FeedbackFilter(admin.SimpleListFilter):
    """Threads with an answer that somebody called good, or bad."""

    title = _("feedback")
    parameter_name = "feedback"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(rating.value, rating.label) for rating in Message.Feedback if rating]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Thread]) -> QuerySet[Thread]:
        if self.value() not in Message.Feedback.values:
            return queryset
        rated = Message.objects.filter(thread=OuterRef("pk"), feedback=self.value())
        return queryset.filter(Exists(rated))


def feedback_text(message: Message) -> str:
    """The rating and the words; empty where nothing was said."""
    rating = str(message.get_feedback_display()) if message.feedback else ""
    return " · ".join(said for said in (rating, message.feedback_comment) if said)
