"""One decision made in the admin: the action, and the admin's own log, in one transaction."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import ModelAdmin
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import actions
from ..core.statuses import ApprovalStatus
from ..exceptions import AgentUIError
from ..models import Approval, Decision
from .shown import plain


def decide(
    model_admin: ModelAdmin[Any], request: HttpRequest, approval: Approval, **answer: Any
) -> Approval:
    """Decide as the signed-in user; returns the approval as it stands then.

    Raises the refusal, an :class:`AgentUIError`. Only what the refusal itself changes (a request whose
    time is over is ended) is kept then.
    """
    refusal: AgentUIError | None = None
    with transaction.atomic():
        try:
            decided = actions.decide_approval(request.user, approval.pk, door="admin", **answer)
        except AgentUIError as error:
            # Raised after the block: an exception through it would undo the ending, too.
            refusal = error
        else:
            model_admin.log_change(request, decided, log_text(last_of(decided, request.user)))
    if refusal is not None:
        raise refusal
    return decided


def last_of(approval: Approval, user: Any) -> Decision:
    """This user's last decision on it: after an edit they may have given several."""
    return approval.decisions.filter(user=user).latest("created_at", "pk")


def outcome(approval: Approval) -> str:
    """What the decision has led to, for the person who made it."""
    tool = plain(approval.tool_name)
    match approval.status:
        case ApprovalStatus.APPROVED:
            if approval.tool_call.answer_schema is not None:
                return _("You answered %(tool)s, and the agent goes on.") % {"tool": tool}
            return _("You approved %(tool)s. It runs now, and the agent goes on.") % {"tool": tool}
        case ApprovalStatus.DENIED:
            return _("You denied %(tool)s. It was not run, and the agent is told your reason.") % {
                "tool": tool
            }
    about_these = approval.decisions.filter(args_digest=approval.args_digest)
    given = about_these.filter(verdict="approve").count()
    missing = approval.required - given
    return ngettext(
        "You approved %(tool)s. %(n)d more approval is needed before it runs.",
        "You approved %(tool)s. %(n)d more approvals are needed before it runs.",
        missing,
    ) % {"tool": tool, "n": missing}


def log_text(decision: Decision) -> str:
    """The decision as the admin's log has it."""
    text = _("Approved") if decision.verdict == "approve" else _("Denied")
    text += " · " + _("arguments %(digest)s") % {"digest": decision.args_digest}
    if decision.edited_args_text:
        text += " · " + _("changed to %(arguments)s") % {
            "arguments": plain(decision.edited_args_text)
        }
    if decision.option:
        text += " · " + plain(decision.option)
    if decision.reason:
        text += " · " + _("reason: %(reason)s") % {"reason": plain(decision.reason)}
    return text
