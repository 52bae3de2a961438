"""What a policy says, in the reader's language. Needs Django; everything else here does not."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agentui.core.values import Json


def describe(snapshot: dict[str, Json]) -> str:
    """Who decides, for a person: "2 staff members with the permission shop.refund_order"."""
    if snapshot.get("who") == "user":
        return _("the person who started the thread")
    who = _who(snapshot)
    required = int(snapshot.get("required") or 1)
    if required > 1:
        return ngettext(
            "%(count)d person of: %(who)s", "%(count)d people of: %(who)s", required
        ) % {"count": required, "who": who}
    return who


def _who(snapshot: dict[str, Json]) -> str:
    permission, group = snapshot.get("permission"), snapshot.get("group")
    if permission and group:
        return _("staff in the group %(group)s with the permission %(permission)s") % {
            "group": group,
            "permission": permission,
        }
    if permission:
        return _("staff with the permission %(permission)s") % {"permission": permission}
    if group:
        return _("staff in the group %(group)s") % {"group": group}
    if snapshot.get("who") == "staff":
        return _("staff who may decide approvals")
    return _("people chosen by a rule of this site")
