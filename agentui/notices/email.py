"""By e-mail: one to each person, with all that waits for them and a link to each page."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPNotSupportedError, SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .base import Notice, NoticeKind, Notifier
from .people import who_may_decide

logger = logging.getLogger("agentui")

#: What is wrong with one address, not with the mail server. (A line end in a header is a ValueError.)
_BAD_ADDRESS = (ValueError, SMTPRecipientsRefused, SMTPNotSupportedError)

#: Requests that one e-mail names; of the rest it says how many they are.
MOST_NAMED = 50


class EmailNotifier(Notifier):
    """Writes to those who may decide and have an address.

    digest: seconds to collect what is new, so that a busy day is a few e-mails; 0 writes at once.
    from_email: instead of ``DEFAULT_FROM_EMAIL``.

    The arguments are not in the e-mail: they may hold what mail servers are not to keep.
    """

    name = "email"

    def __init__(self, digest: float = 0, from_email: str | None = None) -> None:
        self.wait = timedelta(seconds=digest)
        self.from_email = from_email

    def notify(self, notices: Sequence[Notice]) -> None:
        by_person: dict[Any, list[Notice]] = defaultdict(list)
        people: dict[Any, Any] = {}
        for notice in notices:
            for person in who_may_decide(notice.approval):
                people[person.pk] = person
                by_person[person.pk].append(notice)
        messages = [
            message
            for pk, mine in by_person.items()
            if (message := self._message(people[pk], mine)) is not None
        ]
        for message in messages:
            try:
                message.send()
            except _BAD_ADDRESS as error:
                # It stays bad. The others are told all the same, and nobody twice.
                logger.error("%r cannot be written to: %s", message.to, type(error).__name__)

    def _message(self, person: Any, notices: list[Notice]) -> EmailMessage | None:
        address = getattr(person, person.get_email_field_name(), "")
        if not address:
            logger.warning("%s may decide and has no e-mail address", person.pk)
            return None
        with translation.override(settings.LANGUAGE_CODE):
            return EmailMessage(
                subject=_subject(notices),
                body=_body(notices),
                from_email=self.from_email,
                to=[address],
            )


def _subject(notices: list[Notice]) -> str:
    if len(notices) == 1:
        template = {
            NoticeKind.REQUESTED: _("Please decide: %(tool)s"),
            NoticeKind.REMINDER: _("Soon too late to decide: %(tool)s"),
            NoticeKind.ESCALATED: _("Nobody has decided yet: %(tool)s"),
        }[notices[0].kind]
        return " ".join((template % {"tool": notices[0].approval.tool_name}).split())
    return ngettext(
        "%(n)d request waits for your decision",
        "%(n)d requests wait for your decision",
        len(notices),
    ) % {"n": len(notices)}


def _body(notices: list[Notice]) -> str:
    headings = {
        NoticeKind.REMINDER: _("Soon too late to decide"),
        NoticeKind.ESCALATED: _("Nobody has decided yet, so you may"),
        NoticeKind.REQUESTED: _("New"),
    }
    lines: list[str] = []
    named = 0
    for kind, heading in headings.items():
        mine = [notice for notice in notices if notice.kind is kind]
        if not mine:
            continue
        lines += [heading, ""]
        for notice in mine[: max(MOST_NAMED - named, 0)]:
            lines += [*_lines(notice), ""]
            named += 1
    if len(notices) > named:
        more = len(notices) - named
        lines += [ngettext("… and %(n)d more.", "… and %(n)d more.", more) % {"n": more}, ""]
    lines.append(_("Following a link decides nothing; you decide on its page."))
    return "\n".join(lines)


def _lines(notice: Notice) -> list[str]:
    approval = notice.approval
    asked = _("%(tool)s, asked for by %(who)s") % {
        "tool": approval.tool_name,
        "who": approval.requester.get_username(),
    }
    lines = [f"- {asked}"]
    if approval.expires_at is not None:
        when = date_format(timezone.localtime(approval.expires_at), "DATETIME_FORMAT")
        lines.append("  " + _("may be decided until %(when)s") % {"when": when})
    return [*lines, f"  {notice.url}"]
