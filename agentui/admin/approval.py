"""The approvals: what waits for a decision, and what became of the rest."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from ..exceptions import AgentUIError, NotFound, NotPermitted
from ..models import Approval
from ..permissions import policy_of
from . import bulk, live, report
from .answering import answer_form, check_edit, edit_form, posted, read_answer
from .approval_list import ApprovalList
from .approval_page import changed_context, current_tool, messages_before, page_context
from .approval_past import messages_after
from .base import list_url, page_url
from .deciding import decide, outcome
from .files import WithFiles, is_in
from .parts_of_thread import PartOfThread
from .refusals import sentence


@admin.register(Approval)
class ApprovalAdmin(PartOfThread, WithFiles, ApprovalList):
    """The inbox, and one request with all that is needed to decide it.

    A request goes with its thread, and not alone; the record of its decisions stays.
    """

    page_template = "admin/agentui/approval.html"
    actions = ["approve_selected", "deny_selected"]

    @property
    def media(self) -> forms.Media:
        module: Any = forms.Script("admin/agentui/inbox.js", type="module")
        return super().media + forms.Media(js=[module])

    def page_context(self, request: HttpRequest, obj: Approval) -> dict[str, Any]:
        return page_context(self, request, obj)

    def shows_file(self, obj: Approval, pk: uuid.UUID) -> bool:
        return is_in([*messages_before(obj), *messages_after(obj)], pk)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        one, name = "<path:object_id>/", "agentui_approval"
        return [
            path("bulk/", wrap(require_POST(self.bulk_view)), name=f"{name}_bulk"),
            path("live/", wrap(require_GET(self.live_list_view)), name=f"{name}_live_list"),
            path("report/", wrap(require_GET(self.report_view)), name=f"{name}_report"),
            path(f"{one}decide/", wrap(require_POST(self.decide_view)), name=f"{name}_decide"),
            path(f"{one}live/", wrap(require_GET(self.live_view)), name=f"{name}_live"),
            *super().get_urls(),
        ]

    # --- the page, and the decision ----------------------------------------------------------

    def decide_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The form on the page comes here. What is refused is said there, with what was typed."""
        approval: Any = self.get_object(request, unquote(object_id))
        if approval is None:
            return self._gone(request)
        extra: dict[str, Any] = {
            "typed_reason": request.POST.get("reason", ""),
            "opened": request.POST.get("verdict"),
        }
        if "edit" in request.POST:
            return self._show_changes(request, approval, extra)
        option = request.POST.get("option") or None
        said: dict[str, Any] = {
            "verdict": None if option else request.POST.get("verdict"),
            "option": option,
            "reason": request.POST.get("reason", ""),
            "args_text": request.POST.get("args_text") or None,
            # Without the digest nobody knows what was shown, so nothing is decided.
            "digest": request.POST.get("digest", ""),
        }
        form = answer_form(approval, posted(request, "answer"))
        if form is not None and form.is_bound and request.POST.get("verdict") == "approve":
            if not form.is_valid():
                extra["answer_form"] = form
                return self.show(request, self.page_template, approval, extra, status=422)
            said["answer"] = read_answer(approval, form)
        try:
            decided = decide(self, request, approval, **said)
        except NotFound:
            return self._gone(request)
        except AgentUIError as error:
            status = 403 if isinstance(error, NotPermitted) else 409
            approval = self.get_object(request, unquote(object_id)) or approval
            extra |= {"refusal": sentence(error)}
            if form is not None and form.is_bound:
                extra["answer_form"] = form
            return self.show(request, self.page_template, approval, extra, status=status)
        self.message_user(request, outcome(decided), messages.SUCCESS)
        return HttpResponseRedirect(page_url(self.admin_site, approval))

    def _show_changes(
        self, request: HttpRequest, approval: Approval, extra: dict[str, Any]
    ) -> HttpResponse:
        """The changed arguments, to be looked at before they are approved. Nothing is decided."""
        policy = policy_of(approval)
        tool, _problem = current_tool(approval)
        form = edit_form(approval, policy, tool, request.POST)
        if form is None or policy is None:
            raise Http404
        text = check_edit(approval, policy, tool, form)
        extra |= {"edit_form": form, "opened": "approve", "edited_text": text}
        extra |= changed_context(approval, text)
        return self.show(request, self.page_template, approval, extra, status=200 if text else 422)

    def _gone(self, request: HttpRequest) -> HttpResponse:
        text = gettext(
            "This request no longer exists, or is not for you. If its thread was deleted, it was "
            "not run. Nothing was decided."
        )
        self.message_user(request, text, messages.ERROR)
        return HttpResponseRedirect(list_url(self.admin_site, Approval))

    # --- live --------------------------------------------------------------------------------

    def live_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """What an open page asks again and again: is it still as you show it?"""
        approval: Any = self.get_object(request, unquote(object_id))
        if approval is None:
            raise Http404
        return _fresh(live.page_state(approval))

    def live_list_view(self, request: HttpRequest) -> HttpResponse:
        """What an open list asks: which of these rows are decided by now, and is there more?"""
        if not self.has_view_permission(request):
            raise Http404
        return _fresh(live.list_state(self, request))

    # --- many at once ------------------------------------------------------------------------

    @admin.action(description=_("Approve selected requests"), permissions=["decide"])
    def approve_selected(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        return bulk.confirm(self, request, queryset, "approve")

    @admin.action(description=_("Deny selected requests, with a reason"), permissions=["decide"])
    def deny_selected(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        return bulk.confirm(self, request, queryset, "deny")

    def bulk_view(self, request: HttpRequest) -> HttpResponse:
        """The confirm page's form comes here."""
        return bulk.decide_chosen(self, request)

    def report_view(self, request: HttpRequest) -> HttpResponse:
        return report.show(self, request)


def _fresh(state: dict[str, Any]) -> JsonResponse:
    return JsonResponse(state, headers={"Cache-Control": "no-store"})
