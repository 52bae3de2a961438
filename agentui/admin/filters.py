"""What the lists can be narrowed to."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .base import name_of
from .scope import scope
from .shown import summary

MOST_CHOICES = 40


class ValueFilter(admin.SimpleListFilter):
    """The values that occur most, as plain text: a name may be anything that a model made up."""

    field: ClassVar[str]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        rows = model_admin.filter_rows(request)
        found = (
            rows.order_by().values(self.field).annotate(n=Count("pk")).order_by("-n", self.field)
        )
        return [
            (str(row[self.field]), summary(row[self.field], 60)) for row in found[:MOST_CHOICES]
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset if self.value() is None else queryset.filter(**{self.field: self.value()})


class AgentFilter(ValueFilter):
    title = _("agent")
    parameter_name = field = "agent"


class ToolFilter(ValueFilter):
    title = _("tool")
    parameter_name = "tool"
    field = "tool_name"


class RequesterFilter(admin.SimpleListFilter):
    """Those who ask most; everybody else is found by the search."""

    title = _("person")
    parameter_name = "requester"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        rows = model_admin.filter_rows(request)
        busiest = (
            rows.order_by().values("requester").annotate(n=Count("pk")).order_by("-n", "requester")
        )
        ids = [row["requester"] for row in busiest[:MOST_CHOICES]]
        people = get_user_model()._default_manager.in_bulk(ids)
        return [(str(pk), name_of(people[pk])) for pk in ids if pk in people]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() is None:
            return queryset
        try:
            return queryset.filter(requester=self.value())
        except (ValueError, ValidationError) as error:
            raise IncorrectLookupParameters from error


class StatusFilter(admin.SimpleListFilter):
    """What waits, unless something else is asked for."""

    title = _("status")
    parameter_name = "status"
    WAITING = "pending"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("approved", _("Approved")),
            ("denied", _("Denied")),
            ("expired", _("Expired")),
            ("closed", _("Withdrawn or replaced")),
            ("all", _("All")),
        ]

    def choices(self, changelist: Any) -> Iterator[Any]:
        default, *others = super().choices(changelist)
        yield {**default, "display": _("Waiting")}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        match self.value():
            case "all":
                return queryset
            case "closed":
                return queryset.filter(status__in=("cancelled", "superseded"))
            case status:
                return queryset.filter(status=status or self.WAITING)


class ExpiryFilter(admin.SimpleListFilter):
    title = _("time left")
    parameter_name = "left"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("hour", _("Less than an hour")),
            ("day", _("Less than a day")),
            ("over", _("Time is over")),
            ("none", _("No limit")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        now = timezone.now()
        match self.value():
            case "hour":
                return queryset.filter(expires_at__gt=now, expires_at__lte=now + timedelta(hours=1))
            case "day":
                return queryset.filter(expires_at__gt=now, expires_at__lte=now + timedelta(days=1))
            case "over":
                return queryset.filter(expires_at__lte=now)
            case "none":
                return queryset.filter(expires_at=None)
        return queryset


class AgeFilter(admin.SimpleListFilter):
    title = _("age")
    parameter_name = "age"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("hour", _("Within the last hour")),
            ("day", _("Within the last day")),
            ("older", _("More than a day ago")),
            ("week", _("More than a week ago")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        now = timezone.now()
        ago = {
            "hour": Q(requested_at__gte=now - timedelta(hours=1)),
            "day": Q(requested_at__gte=now - timedelta(days=1)),
            "older": Q(requested_at__lt=now - timedelta(days=1)),
            "week": Q(requested_at__lt=now - timedelta(days=7)),
        }
        return queryset.filter(ago.get(self.value() or "", Q()))


class MineFilter(admin.SimpleListFilter):
    """For those who see more than they may decide."""

    title = _("who decides")
    parameter_name = "who"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        if not model_admin.sees_all(request):
            return []  # then it is not offered
        return [("me", _("I may decide"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() != "me":
            return queryset
        return queryset.filter(scope(request).rows).exclude(requester=request.user.pk)
