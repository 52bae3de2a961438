"""What a notifier is told, and which notifiers the site has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.urls import NoReverseMatch, reverse
from django.utils.module_loading import import_string

from ..conf import app_settings
from ..models import Approval


class NoticeKind(StrEnum):
    """Why people are told."""

    REQUESTED = "requested"
    """Something new waits."""
    REMINDER = "reminder"
    """Its time is nearly over."""
    ESCALATED = "escalated"
    """Nobody has decided, and a second group may now, too."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One request that waits, and why people are told of it now."""

    kind: NoticeKind
    approval: Approval

    @property
    def url(self) -> str:
        """The page on which it is decided; with the site's name when ``SITE_URL`` is set."""
        return admin_address(self.approval)


class Notifier:
    """Tells people. ``name`` is unique among the site's notifiers; ``wait`` is how long it collects
    what is new before it says so, all at once."""

    name = ""
    wait = timedelta(0)

    def notify(self, notices: Sequence[Notice]) -> None:
        """Called in a thread of its own, outside of any transaction, with what is due now.

        When it raises, all of them are due again at the next look.
        """
        raise NotImplementedError


def get_notifiers() -> list[Notifier]:
    """The notifiers of ``AGENTUI["NOTIFIERS"]``, each a dotted path or ``{"BACKEND", "OPTIONS"}``."""
    return [get_notifier(number, entry) for number, entry in enumerate(app_settings.NOTIFIERS)]


def get_notifier(number: int, entry: Any) -> Notifier:
    """The notifier that this entry stands for. Raises ``ImproperlyConfigured`` where there is none."""
    where = f"AGENTUI['NOTIFIERS'][{number}]"
    entry = {"BACKEND": entry} if isinstance(entry, str) else entry
    try:
        notifier: Any = import_string(entry["BACKEND"])(**entry.get("OPTIONS", {}))
    except (ImportError, KeyError, TypeError, AttributeError) as error:
        raise ImproperlyConfigured(f"{where} cannot be made: {error}") from error
    if not callable(getattr(notifier, "notify", None)):
        raise ImproperlyConfigured(f"{where} is no notifier: it has no notify(notices).")
    notifier.name = entry.get("NAME") or getattr(notifier, "name", "") or entry["BACKEND"]
    notifier.wait = getattr(notifier, "wait", timedelta(0))
    return notifier  # type: ignore[no-any-return]


def admin_address(approval: Approval) -> str:
    """Where staff decide this request, with the site's name; empty where the admin shows none."""
    path = admin_path(approval)
    return app_settings.SITE_URL.rstrip("/") + path if path else ""


def admin_path(approval: Approval) -> str:
    """The same as a path of the site."""
    return _path("admin:agentui_approval_change", approval.pk)


def admin_list_path() -> str:
    """Where staff find all that waits for them; empty where the admin shows none."""
    return _path("admin:agentui_approval_changelist")


def _path(name: str, *args: Any) -> str:
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""
