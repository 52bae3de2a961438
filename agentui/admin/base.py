"""What the pages have in common: rows that are looked at and not edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from .shown import plain, visible

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin as _ModelAdmin
else:

    class _ModelAdmin(admin.ModelAdmin):
        """Generic for the type checker only."""

        def __class_getitem__(cls, model: Any) -> Any:
            return cls


EMPTY = "–"


class ReadOnlyAdmin(_ModelAdmin[Model]):
    """A list, and a page of our own in place of a form."""

    page_template = ""
    object_history_template = "admin/agentui/history.html"
    list_per_page = 50
    show_full_result_count = False
    actions_on_bottom = False

    class Media:
        css = {"all": ["admin/agentui/admin.css"]}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def filter_rows(self, request: HttpRequest) -> Any:
        """The rows whose values the filters offer."""
        return self.get_queryset(request)

    def action_checkbox(self, obj: Model) -> SafeString:
        """The box, whose label for screen readers names the row: its text is escaped already."""
        return mark_safe(plain(super().action_checkbox(obj)))  # noqa: S308

    def page_context(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        """What the page shows, besides what every admin page shows."""
        raise NotImplementedError

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        extra = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, {**extra, **(extra_context or {})})

    def history_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        obj = self.get_object(request, unquote(object_id))
        name = plain(obj) if obj is not None else ""
        extra = {"title": _("What was done with %(name)s") % {"name": name}, "name": name}
        return super().history_view(request, object_id, {**extra, **(extra_context or {})})

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        obj = self.get_object(request, unquote(object_id))
        if obj is None:
            return self._not_there(request, object_id)
        if not self.has_view_permission(request, obj):
            raise PermissionDenied
        return self.show(request, self.page_template, obj, extra_context)

    def _not_there(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A row that is gone, or is not for this user: nobody learns which."""
        text = _("There is no such row, or it is not for you: %(id)s") % {"id": plain(object_id)}
        self.message_user(request, text, messages.WARNING)
        return HttpResponseRedirect(list_url(self.admin_site, self.model))

    def show(
        self,
        request: HttpRequest,
        template: str,
        obj: Any = None,
        extra: dict[str, Any] | None = None,
        status: int = 200,
    ) -> TemplateResponse:
        """A page within the admin; ``obj`` is the row it is about."""
        request.current_app = self.admin_site.name
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "media": self.media,
            "original": obj,
            "preserved_filters": self.get_preserved_filters(request),
            **(self.page_context(request, obj) if obj is not None else {}),
            **(extra or {}),
        }
        return TemplateResponse(request, template, context, status=status)


class OwnRowsAdmin(ReadOnlyAdmin):
    """Whoever has the permission to view them sees all rows; other staff see those that are theirs."""

    def concerns(self, request: HttpRequest, obj: Any = None) -> bool:
        """Is this row for this user; without a row, may any be?"""
        raise NotImplementedError

    def sees_all(self, request: HttpRequest) -> bool:
        """Has this user the permission to view them all?"""
        return super().has_view_permission(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if self.sees_all(request):
            return True
        if not request.user.is_active or not request.user.is_staff:
            return False
        return self.concerns(request, obj)


def link_to(request: HttpRequest, site: admin.AdminSite, obj: Model, text: Any) -> SafeString:
    """A link to the row's page for whoever may see it, otherwise the text alone."""
    shown = visible(text)
    model_admin = site._registry.get(type(obj))
    if model_admin is None or not model_admin.has_view_permission(request, obj):
        return shown
    return format_html('<a href="{}">{}</a>', page_url(site, obj), shown)


def page_url(site: admin.AdminSite, obj: Model) -> str:
    opts = obj._meta
    return reverse(f"{site.name}:{opts.app_label}_{opts.model_name}_change", args=[obj.pk])


def list_url(site: admin.AdminSite, model: type[Model]) -> str:
    opts = model._meta
    return reverse(f"{site.name}:{opts.app_label}_{opts.model_name}_changelist")


def short_id(obj: Model) -> str:
    """The end of the id, which is its random part: enough to tell rows apart."""
    return str(obj.pk)[-8:]


def name_of(user: Any) -> str:
    """Who it is: the user name, and the full name where there is one."""
    if user is None:
        return EMPTY
    name = user.get_username()
    full = getattr(user, "get_full_name", str)() or ""
    return plain(f"{full} ({name})" if full and full != name else name)
