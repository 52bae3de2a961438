"""The standing answers: what is allowed or denied without anybody being asked, and by whom."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from .. import actions
from ..agents import registry
from ..exceptions import AgentUIError, UnknownAgent
from ..models import Grant
from ..permissions import may_revoke
from . import words
from .base import EMPTY, OwnRowsAdmin, link_to, list_url, name_of, page_url
from .filters import AgentFilter, ToolFilter
from .refusals import sentence
from .shown import plain, visible
from .transcript import Text

#: Calls that a page shows one by one.
USES = 20


class HoldsFilter(admin.SimpleListFilter):
    """What holds now, unless something else is asked for."""

    title = _("holds")
    parameter_name = "holds"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("no", _("No longer")), ("all", _("All"))]

    def choices(self, changelist: Any) -> Any:
        default, *others = super().choices(changelist)
        yield {**default, "display": _("Now")}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        over = Q(revoked_at__isnull=False) | Q(expires_at__lte=timezone.now())
        match self.value():
            case "all":
                return queryset
            case "no":
                return queryset.filter(over)
        return queryset.exclude(over)


@admin.register(Grant)
class GrantAdmin(OwnRowsAdmin):
    """Whoever gave one sees it and can revoke it; with the permissions, everybody's."""

    page_template = "admin/agentui/grant.html"
    list_display = [
        "shown_tool",
        "shown_answer",
        "shown_giver",
        "uses",
        "shown_given",
    ]
    list_filter = [HoldsFilter, ToolFilter, AgentFilter]
    list_select_related = ["granted_by", "user", "thread"]
    ordering = ["-created_at", "-pk"]
    sortable_by = ["shown_given"]
    search_fields = ["tool_name", "agent", "reason"]
    actions = ["revoke_selected"]

    def concerns(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is not None:
            return bool(obj.granted_by_id == request.user.pk)
        return Grant.objects.filter(granted_by=request.user.pk).exists()

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Called by the admin for the list's action; each row is asked again."""
        return self.has_view_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Revoked, not deleted: which calls it let through stays known. It goes with its thread.
        match = request.resolver_match
        return not (match and (match.url_name or "").startswith("agentui_grant_"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Grant]:
        rows = actions.grants_for(request.user)
        return rows if self.sees_all(request) else rows.filter(granted_by=request.user.pk)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.revoke_view))
        return [
            path("<path:object_id>/revoke/", view, name="agentui_grant_revoke"),
            *super().get_urls(),
        ]

    @admin.display(description=_("tool"))
    def shown_tool(self, grant: Grant) -> SafeString:
        return format_html(
            '<span class="agentui-tool">{}</span> <span class="agentui-agent">{}</span>'
            '<span class="agentui-reach">{}</span>',
            visible(grant.tool_name),
            visible(grant.agent),
            visible(reach_of(grant)),
        )

    @admin.display(description=_("answer"))
    def shown_answer(self, grant: Grant) -> SafeString:
        return answer_of(grant).__html__()

    @admin.display(description=_("given by"))
    def shown_giver(self, grant: Grant) -> str:
        return giver_of(grant)

    @admin.display(description=_("given"), ordering="created_at")
    def shown_given(self, grant: Grant) -> SafeString:
        when = timezone.localtime(grant.created_at)
        return format_html(
            '<time title="{}">{}</time>', when, date_format(when, "SHORT_DATE_FORMAT")
        )

    @admin.display(description=_("calls answered"))
    def uses(self, grant: Any) -> int:
        return int(grant.used)

    def page_context(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        site = self.admin_site
        calls = obj.uses.select_related("thread__owner").order_by("-created_at")[:USES]
        holds = is_valid(obj)
        return {
            "title": plain(obj.tool_name),
            "status": answer_of(obj),
            "facts": [
                (_("Agent"), visible(obj.agent)),
                (_("Reach"), visible(reach_of(obj))),
                (_("Given by"), giver_of(obj)),
                (_("Given"), obj.created_at),
                (_("Holds until"), obj.expires_at or _("it is revoked")),
                (_("Revoked"), obj.revoked_at or EMPTY),
                (_("Revoked by"), name_of(obj.revoked_by)),
                (_("Calls answered"), obj.used),
                (_("Last"), obj.last_used_at or EMPTY),
                (
                    _("Given with the request"),
                    link_to(request, site, obj.approval, obj.approval.tool_name)
                    if obj.approval
                    else EMPTY,
                ),
            ],
            "problem": (_unbacked(obj) or _changed(obj)) if holds else "",
            "reason": Text.of(obj.reason) if obj.reason else None,
            "calls": [
                (
                    link_to(request, site, call, call.tool_name),
                    words.word(words.TOOL_CALL, call.status),
                    call.created_at,
                    name_of(call.thread.owner),
                )
                for call in calls
            ],
            "may_revoke": holds and may_revoke(request.user, obj) is None,
            "revoke_url": reverse(f"{site.name}:agentui_grant_revoke", args=[obj.pk]),
        }

    def revoke_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        grant = self.get_object(request, unquote(object_id))
        if grant is None:
            return HttpResponseRedirect(list_url(self.admin_site, Grant))
        if self._revoke(request, grant):
            text = gettext("Revoked. From now on people are asked again.")
            self.message_user(request, text, messages.SUCCESS)
        return HttpResponseRedirect(page_url(self.admin_site, grant))

    @admin.action(description=_("Revoke selected standing answers"), permissions=["revoke"])
    def revoke_selected(self, request: HttpRequest, queryset: Any) -> None:
        # Revoking only means that people are asked again, so it needs no page in between.
        done = sum(self._revoke(request, grant) for grant in queryset.filter(revoked_at=None))
        text = ngettext("%(n)d was revoked.", "%(n)d were revoked.", done) % {"n": done}
        self.message_user(request, text, messages.SUCCESS if done else messages.WARNING)

    def _revoke(self, request: HttpRequest, grant: Any) -> bool:
        try:
            actions.revoke_grant(request.user, grant.pk)
        except AgentUIError as error:
            self.message_user(request, sentence(error), messages.ERROR)
            return False
        self.log_change(request, grant, gettext("Revoked"))
        return True


def is_valid(grant: Grant) -> bool:
    over = grant.expires_at is not None and grant.expires_at <= timezone.now()
    return grant.revoked_at is None and not over


def answer_of(grant: Grant) -> words.Word:
    """What it says, or why it no longer does."""
    if grant.revoked_at is not None:
        return words.Word(_("revoked"))
    if not is_valid(grant):
        return words.Word(_("expired"))
    if not grant.holds(timezone.now()):
        return words.Word(_("suspended"), "waiting")
    if grant.is_allowed:
        return words.Word(_("always allowed"), "good")
    return words.Word(_("never allowed"), "bad")


def giver_of(grant: Grant) -> str:
    """Who gave it, and whether they are still there."""
    if grant.granted_by is None or grant.granted_by.is_active:
        return name_of(grant.granted_by)
    return gettext("%(name)s, no longer active") % {"name": name_of(grant.granted_by)}


def reach_of(grant: Grant) -> str:
    """How far it reaches, in plain words."""
    if grant.thread_id:
        where = gettext("in the thread “%(thread)s”") % {"thread": grant.thread}
    elif grant.user_id:
        where = gettext("in every thread of %(person)s") % {"person": name_of(grant.user)}
    else:
        where = gettext("for everybody who uses this agent")
    if not grant.arguments:
        return where
    pairs = ", ".join(f"{name} = {value!r}" for name, value in grant.arguments.items())
    return gettext("%(where)s, with %(arguments)s") % {"where": where, "arguments": pairs}


def _unbacked(grant: Grant) -> str:
    """Nobody answers for an answer whose giver has left: what it allowed is asked again."""
    if not grant.is_allowed or grant.has_active_giver:
        return ""
    return gettext(
        "Whoever gave this is no longer active, so it allows nothing: people are asked again. It holds "
        "again if they come back, unless it is revoked."
    )


def _changed(grant: Grant) -> str:
    """Why an answer that was not revoked answers nothing."""
    if not grant.is_allowed or not grant.tool_digest:
        return ""
    try:
        tool = registry.get(grant.agent).tool(grant.tool_name)
    except UnknownAgent:
        tool = None
    if tool is not None and tool.digest == grant.tool_digest:
        return ""
    return gettext(
        "The tool has changed or is gone since this was given, so it allows nothing: people are "
        "asked again."
    )
