"""Why a decision was refused, in the sentence the staff member reads."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..exceptions import AgentUIError
from ..models import Approval
from .shown import plain

_SENTENCES: dict[str, Promise] = {
    "not_permitted": gettext_lazy("You are not one of those who may decide this request."),
    "not_found": gettext_lazy("This request no longer exists."),
    "already_decided": gettext_lazy("This request has already been decided."),
    "approval_expired": gettext_lazy(
        "The time to decide this request is over. It has not run; the agent is told so."
    ),
    "approval_closed": gettext_lazy(
        "This request is no longer open: it was withdrawn or replaced. Nothing was run."
    ),
    "policy_gone": gettext_lazy(
        "The rule that says who may decide this no longer exists on this site, so nobody may. "
        "The person who develops the site has to bring it back."
    ),
    "already_voted": gettext_lazy(
        "You have already given your decision on this request. Somebody else has to give the next."
    ),
    "digest_mismatch": gettext_lazy(
        "The arguments are not the ones you were shown. Look at them again before you decide."
    ),
    "tool_changed": gettext_lazy(
        "The tool or agent behind this request has changed since it was made, so it cannot run. "
        "The request was closed and the agent is told so."
    ),
    "requester_may_not_decide": gettext_lazy(
        "You asked for this yourself, so somebody else has to decide it."
    ),
    "reason_required": gettext_lazy(
        "Please give a reason for the denial; the agent is told it word for word."
    ),
}


_CLOSED: dict[str, Promise] = {
    "superseded": gettext_lazy(
        "This request was replaced: the person edited the message behind it. Nothing was run."
    ),
    "cancelled": gettext_lazy(
        "This request was withdrawn: the run was stopped, or the tool or agent has changed. "
        "Nothing was run."
    ),
}


def sentence(error: AgentUIError) -> str:
    """The refusal in the reader's language, with who was faster, and when."""
    if error.code == "already_decided" and "decided_by" in error.details:
        return decided_already(error.details)
    if error.code == "approval_closed" and error.details.get("status") in _CLOSED:
        return str(_CLOSED[error.details["status"]])
    known = _SENTENCES.get(error.code)
    return str(known) if known else plain(error.message)


def heading(code: str) -> str:
    """The refusal without its details, for a list of what was skipped."""
    known = _SENTENCES.get(code)
    return str(known) if known else _("This could not be decided.")


def decided_already(details: dict[str, Any]) -> str:
    when = timezone.localtime(datetime.fromisoformat(details["decided_at"]))
    needed = int(details.get("required", 1))
    template = (
        _(
            "Already decided: the %(needed)d approvals that were needed had been given, the last by "
            "%(who)s on %(when)s. Nothing was changed."
        )
        if details["verdict"] == "approve" and needed > 1
        else _("Already decided: %(who)s approved this on %(when)s. Nothing was changed.")
        if details["verdict"] == "approve"
        else _("Already decided: %(who)s denied this on %(when)s. Nothing was changed.")
    )
    return template % {
        "who": plain(details["decided_by"]),
        "when": date_format(when, "DATETIME_FORMAT"),
        "needed": needed,
    }


def closed(approval: Approval) -> str:
    """What there is to say about a request that takes no decision any more; empty while it does."""
    if approval.status == "pending":
        overdue = approval.expires_at is not None and approval.expires_at <= timezone.now()
        return str(_SENTENCES["approval_expired"]) if overdue else ""
    if approval.status in ("approved", "denied"):
        return ""
    if approval.status == "expired":
        return str(_SENTENCES["approval_expired"])
    return str(_CLOSED.get(approval.status) or _SENTENCES["approval_closed"])
