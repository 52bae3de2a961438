"""What the page of one approval shows: all that is needed to decide, and nothing to look up."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from ..actions.decision_checks import MAX_REASON
from ..agents import PolicyOption, Tool, registry
from ..agents.policy_text import duration
from ..core.statuses import ApprovalStatus, Role
from ..exceptions import UnknownAgent
from ..models import Approval, Message
from ..permissions import may_decide, policy_of
from . import words
from .answering import answer_form, changes, edit_form
from .approval_past import counts_text, earlier_requests, what_follows
from .base import EMPTY, link_to, name_of, page_url
from .live import page_state
from .refusals import closed, sentence
from .shown import plain, visible
from .transcript import Text, call_of, transcript, verdicts

#: How many of the last messages the page shows.
LAST_MESSAGES = 8


def messages_before(approval: Approval) -> list[Message]:
    """What was said last, up to the call that is to be decided."""
    return list(Message.objects.branch(approval.tool_call.message_id, LAST_MESSAGES))


def page_context(model_admin: Any, request: HttpRequest, approval: Approval) -> dict[str, Any]:
    """For the template ``approval.html``; the number of queries does not depend on the thread."""
    site = model_admin.admin_site
    call = approval.tool_call
    call.approval = approval
    tool, tool_problem = current_tool(approval)
    messages = messages_before(approval)
    policy = policy_of(approval)
    refusal = may_decide(request.user, approval)
    ended = closed(approval)
    is_open = approval.status == ApprovalStatus.PENDING and not ended
    given = list(approval.decisions.all())
    # What was said about other arguments does not count for these.
    about_these = [d for d in given if d.args_digest == approval.args_digest]
    voted = any(d.user_id == request.user.pk for d in about_these)
    may = is_open and refusal is None and not voted
    state = page_state(approval)
    return {
        "title": plain(approval.tool_name),
        "approval": approval,
        "status": words.word(words.APPROVAL, approval.status),
        "tool_name": visible(approval.tool_name),
        "tool_description": Text.of(tool.description) if tool and tool.description else None,
        "tool_problem": tool_problem if approval.status == ApprovalStatus.PENDING else "",
        "call": call_of(request, site, call),
        "facts": [
            (
                _("Asked for by"),
                link_to(request, site, approval.requester, name_of(approval.requester)),
            ),
            (_("Agent"), visible(approval.agent)),
            (_("Asked"), approval.requested_at),
            (_("May be decided until"), approval.expires_at or _("no limit")),
            (_("Who decides"), policy.describe() if policy else EMPTY),
            *_escalation(approval),
            (_("Thread"), link_to(request, site, approval.thread, plain(approval.thread))),
        ],
        "earlier_counts": counts_text(approval),
        "earlier": earlier_requests(model_admin, request, approval),
        "asked": _last_words(messages),
        "entries": transcript(request, site, messages, page=approval, versions=False),
        "follows": what_follows(request, site, approval),
        "verdicts": verdicts(approval),
        "missing": approval.required - sum(d.verdict == "approve" for d in about_these),
        "ended": ended,
        "cannot": _cannot(refusal, voted) if is_open else "",
        "may_decide": may,
        "may_approve": not tool_problem,
        "edit_form": edit_form(approval, policy, tool) if may else None,
        "answer_form": answer_form(approval) if may else None,
        "standing": [_standing(o) for o in policy.policy_options if o.is_always] if policy else [],
        "reason_required": bool(policy and policy.reason_required),
        "max_reason": MAX_REASON,
        "decide_url": reverse(f"{site.name}:agentui_approval_decide", args=[approval.pk]),
        "live_url": reverse(f"{site.name}:agentui_approval_live", args=[approval.pk]),
        "live": state,
        "next_url": _next_url(model_admin, request, approval),
    }


def changed_context(approval: Approval, edited_text: str | None) -> dict[str, Any]:
    """What was changed, for the step in which it is looked at."""
    return {"changes": changes(approval, edited_text) if edited_text else []}


def current_tool(approval: Approval) -> tuple[Tool | None, str]:
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


def _escalation(approval: Approval) -> list[tuple[str, Any]]:
    if approval.escalates_at is None:
        return []
    group = approval.policy.get("escalate_to") or ""
    if approval.is_escalated(timezone.now()):
        return [(_("Escalated to"), visible(group))]
    text = _("to %(group)s on %(when)s") % {
        "group": plain(group),
        "when": timezone.localtime(approval.escalates_at).strftime("%Y-%m-%d %H:%M"),
    }
    return [(_("Escalates"), text)] if approval.status == ApprovalStatus.PENDING else []


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


def reach_text(option: PolicyOption) -> str:
    """How far an answer for "always" reaches, in plain words."""
    where = {
        "thread": _("in this thread"),
        "user": _("in every thread of this person"),
        "agent": _("for everybody who uses this agent"),
    }[option.reach or "thread"]
    parts = [where]
    if option.arguments:
        names = ", ".join(plain(name) for name in option.arguments)
        parts.append(_("with the same %(names)s") % {"names": names})
    if option.expires_after:
        parts.append(_("for %(time)s") % {"time": duration(option.expires_after)})
    return " ".join(parts)


def _standing(option: PolicyOption) -> dict[str, Any]:
    """An answer that also holds for later calls, with how far it reaches in plain words."""
    label = _("Approve, and always allow") if option.allows else _("Deny, and never allow")
    if option.allows:
        means = _(
            "From then on this tool runs without anybody being asked %(reach)s. It is in the list of "
            "standing answers, where it can be revoked."
        )
    else:
        means = _(
            "From then on this tool is refused without anybody being asked %(reach)s. It is in the "
            "list of standing answers, where it can be revoked."
        )
    reach = reach_text(option)
    return {
        "id": option.id,
        "label": plain(option.label or f"{label} {reach}"),
        "means": means % {"reach": reach},
        "description": plain(option.description or ""),
        "verdict": "approve" if option.allows else "deny",
    }


def _next_url(model_admin: Any, request: HttpRequest, approval: Approval) -> str:
    """The next request that waits for this user, once this one is decided."""
    waiting = model_admin.waiting_for(request).order_by(*model_admin.get_ordering(request))
    following = waiting.exclude(pk=approval.pk).first()
    return page_url(model_admin.admin_site, following) if following else ""
