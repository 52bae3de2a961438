"""What the page of one approval shows: all that is needed to decide, and nothing to look up."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from ..agents import ApprovalPolicy, PolicyOption, Tool, ToolDefinitionError, registry
from ..core.statuses import ApprovalStatus, Role
from ..exceptions import UnknownAgent
from ..models import Approval, Message
from ..permissions import may_decide
from . import words
from .base import EMPTY, link_to, name_of, page_url
from .refusals import closed, sentence
from .shown import plain, visible
from .transcript import Text, call_of, transcript, verdicts

#: How many of the last messages the page shows.
LAST_MESSAGES = 8
MAX_REASON = 4_000


def page_context(model_admin: Any, request: HttpRequest, approval: Approval) -> dict[str, Any]:
    """For the template ``approval.html``; the number of queries does not depend on the thread."""
    site = model_admin.admin_site
    call = approval.tool_call
    call.approval = approval
    tool, tool_problem = _tool(approval)
    messages = Message.objects.branch(call.message_id, LAST_MESSAGES)
    policy = _policy(approval)
    refusal = may_decide(request.user, approval) if policy else None
    ended = closed(approval)
    is_open = approval.status == ApprovalStatus.PENDING and not ended
    given = verdicts(approval)
    approved = sum(d.word is words.VERDICT["approve"] for d in given)
    voted = any(d.user_id == request.user.pk for d in approval.decisions.all())
    return {
        "title": plain(approval.tool_name),
        "approval": approval,
        "status": words.word(words.APPROVAL, approval.status),
        "tool_name": visible(approval.tool_name),
        "tool_description": Text.of(tool.description) if tool and tool.description else None,
        "tool_problem": tool_problem,
        "call": call_of(request, site, call),
        "who": policy.describe() if policy else EMPTY,
        "facts": [
            (
                _("Asked for by"),
                link_to(request, site, approval.requester, name_of(approval.requester)),
            ),
            (_("Agent"), visible(approval.agent)),
            (_("Asked"), approval.requested_at),
            (_("May be decided until"), approval.expires_at or _("no limit")),
            (_("Who decides"), policy.describe() if policy else EMPTY),
            (_("Earlier"), _earlier(approval)),
            (_("Thread"), link_to(request, site, approval.thread, plain(approval.thread))),
        ],
        "asked": _last_words(messages),
        "entries": transcript(request, site, messages, versions=False),
        "verdicts": given,
        "missing": approval.required - approved,
        "ended": ended,
        "cannot": _cannot(refusal, voted) if is_open else "",
        "is_overdue": approval.expires_at is not None and approval.expires_at <= timezone.now(),
        "may_decide": is_open and refusal is None and not voted and policy is not None,
        "may_approve": not tool_problem,
        "standing": [_standing(o) for o in policy.policy_options if o.is_always] if policy else [],
        "reason_required": bool(policy and policy.reason_required),
        "max_reason": MAX_REASON,
        "decide_url": reverse(f"{site.name}:agentui_approval_decide", args=[approval.pk]),
        "next_url": _next_url(model_admin, request, approval),
    }


def _policy(approval: Approval) -> ApprovalPolicy | None:
    """The policy as it was; None when it cannot be read any more, and then nobody decides."""
    try:
        return ApprovalPolicy.from_snapshot(approval.policy)
    except (ToolDefinitionError, LookupError, TypeError, ValueError):
        return None


def _tool(approval: Approval) -> tuple[Tool | None, str]:
    """The tool as the site has it now, and why this call can no longer run, if it cannot."""
    call = approval.tool_call
    try:
        tool = registry.get(approval.agent).tool(call.tool_name)
    except UnknownAgent:
        return None, _("The agent behind this request no longer exists, so it cannot run.")
    if call.kind == "server" and tool is None:
        return None, _("The tool behind this request no longer exists, so it cannot run.")
    if call.kind == "server" and tool is not None and tool.digest != call.tool_digest:
        return tool, _("The tool has changed since this request was made, so it cannot run.")
    return tool, ""


def _cannot(refusal: Any, voted: bool) -> str:
    if refusal is not None:
        return sentence(refusal)
    if voted:
        return _("You have given your decision. Somebody else has to give the next.")
    return ""


def _last_words(messages: list[Message]) -> Text | None:
    """What the person asked for: their last message before the call."""
    said = [m.text for m in messages if m.role == Role.USER and m.text.strip()]
    return Text.of(said[-1]) if said else None


def _earlier(approval: Approval) -> str:
    """What became of the requester's other requests for this tool; one query."""
    counts = dict(
        Approval.objects.filter(
            requester=approval.requester_id, agent=approval.agent, tool_name=approval.tool_name
        )
        .exclude(pk=approval.pk)
        .values_list("status")
        .annotate(n=Count("pk"))
        .order_by()
    )
    if not counts:
        return _("the first request of this person for this tool")
    named = [
        f"{counts[status]} {words.APPROVAL[status].text}"
        for status in words.APPROVAL
        if status in counts
    ]
    return _("of this person for this tool: %(counts)s") % {"counts": ", ".join(named)}


def _standing(option: PolicyOption) -> dict[str, Any]:
    """An answer that also holds for later calls, with how far it reaches in plain words."""
    where = {
        "thread": _("in this thread"),
        "user": _("in every thread of this person"),
        "agent": _("for everybody who uses this agent"),
    }[option.reach or "thread"]
    label = _("Approve, and always allow") if option.allows else _("Deny, and never allow")
    parts = [where]
    if option.arguments:
        names = ", ".join(plain(name) for name in option.arguments)
        parts.append(_("with the same %(names)s") % {"names": names})
    if option.expires_after:
        parts.append(_("for %(time)s") % {"time": option.expires_after})
    return {
        "id": option.id,
        "label": plain(option.label or f"{label} {' '.join(parts)}"),
        "description": plain(option.description or ""),
        "verdict": "approve" if option.allows else "deny",
    }


def _next_url(model_admin: Any, request: HttpRequest, approval: Approval) -> str:
    """The next request that waits for this user, once this one is decided."""
    if approval.status == ApprovalStatus.PENDING:
        return ""
    waiting = model_admin.waiting_for(request).order_by(*model_admin.get_ordering(request))
    following = waiting.first()
    return page_url(model_admin.admin_site, following) if following else ""
