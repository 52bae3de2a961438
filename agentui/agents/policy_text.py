"""What a policy says, in the reader's language. Needs Django; everything else here does not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from django.apps import apps
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from .policy import ApprovalPolicy


def describe(policy: ApprovalPolicy) -> str:
    """Who decides, for a person: "staff with the permission “Can refund orders”"."""
    if policy.is_user:
        return _("the person who started the thread")
    who = _who(policy)
    if policy.required > 1:
        who = ngettext(
            "%(count)d decision by %(who)s", "%(count)d decisions by %(who)s", policy.required
        ) % {"count": policy.required, "who": who}
    if policy.escalate_to and policy.escalate_after:
        who = _("%(who)s; after %(time)s also the group %(group)s") % {
            "who": who,
            "time": duration(policy.escalate_after),
            "group": policy.escalate_to,
        }
    return who


def duration(time: timedelta) -> str:
    """A length of time in words, in its two largest units: "1 day, 6 hours"."""
    seconds = int(time.total_seconds())
    named = []
    for size, words in _UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            named.append(words(count) % {"n": count})
    return ", ".join(named[:2]) or _("less than a second")


_UNITS: tuple[tuple[int, Callable[[int], str]], ...] = (
    (86400, lambda n: ngettext("%(n)d day", "%(n)d days", n)),
    (3600, lambda n: ngettext("%(n)d hour", "%(n)d hours", n)),
    (60, lambda n: ngettext("%(n)d minute", "%(n)d minutes", n)),
    (1, lambda n: ngettext("%(n)d second", "%(n)d seconds", n)),
)


def _who(policy: ApprovalPolicy) -> str:
    names = {"group": policy.group, "permission": _permission(policy.permission or "")}
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


def _permission(name: str) -> str:
    """A permission by the words that its model has for it; by its name where no model has any."""
    label, _dot, codename = name.partition(".")
    models = apps.get_app_config(label).get_models() if label in apps.app_configs else ()
    for model in models:
        options = model._meta
        own = {str(code): str(words) for code, words in options.permissions}
        usual = {
            f"{action}_{options.model_name}": f"Can {action} {options.verbose_name_raw}"
            for action in options.default_permissions
        }
        if words := {**usual, **own}.get(codename):
            return f"“{words}”"
    return name
