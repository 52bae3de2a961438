"""What a policy says, in the reader's language. Needs Django; everything else here does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from .policy import ApprovalPolicy


def describe(policy: ApprovalPolicy) -> str:
    """Who decides, for a person: "staff with the permission shop.refund_order"."""
    if policy.is_user:
        return _("the person who started the thread")
    who = _who(policy)
    if policy.required == 1:
        return who
    return ngettext(
        "%(count)d decision by %(who)s", "%(count)d decisions by %(who)s", policy.required
    ) % {"count": policy.required, "who": who}


def _who(policy: ApprovalPolicy) -> str:
    names = {"group": policy.group, "permission": policy.permission}
    if policy.permission and policy.group:
        text = _("staff in the group %(group)s with the permission %(permission)s") % names
    elif policy.permission:
        text = _("staff with the permission %(permission)s") % names
    elif policy.group:
        text = _("staff in the group %(group)s") % names
    elif policy.who == "staff":
        text = _("staff who may decide approvals")
    else:
        return _("people chosen by a rule of this site")
    if policy.who in (None, "staff"):
        return text
    return _("%(who)s, chosen by a rule of this site") % {"who": text}
