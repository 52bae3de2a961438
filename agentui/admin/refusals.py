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


def sentence(error: AgentUIError) -> str:
    """The refusal in the reader's language, with who was faster, and when."""
    if error.code == "already_decided" and "decided_by" in error.details:
        return decided_already(error.details)
    known = _SENTENCES.get(error.code)
    return str(known) if known else plain(error.message)


def heading(code: str) -> str:
    """The refusal without its details, for a list of what was skipped."""
    known = _SENTENCES.get(code)
    return str(known) if known else _("This could not be decided.")


def decided_already(details: dict[str, Any]) -> str:
    when = timezone.localtime(datetime.fromisoformat(details["decided_at"]))
    template = (
        _("Already decided: %(who)s approved this on %(when)s. Nothing was changed.")
        if details["verdict"] == "approve"
        else _("Already decided: %(who)s denied this on %(when)s. Nothing was changed.")
    )
    return template % {
        "who": plain(details["decided_by"]),
        "when": date_format(when, "DATETIME_FORMAT"),
    }


def closed(approval: Approval) -> str:
    """What there is to say about a request that takes no decision any more; empty while it does."""
    if approval.status == "pending":
        overdue = approval.expires_at is not None and approval.expires_at <= timezone.now()
        return str(_SENTENCES["approval_expired"]) if overdue else ""
    if approval.status in ("approved", "denied"):
        return ""
    return str(
        _SENTENCES["approval_expired" if approval.status == "expired" else "approval_closed"]
    )
