"""Finding what people have to be told now, and telling each notifier of it once."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from ..models import Approval, SentNotice
from ..models.approvals import audience_key
from ..signals import approval_escalated, approval_expires_soon
from .base import Notice, NoticeKind, Notifier, get_notifiers

logger = logging.getLogger("agentui")

_AT_ONCE = 500
#: A notice that was claimed this long ago and not sent was claimed by a process that is gone.
_GIVEN_UP = timedelta(minutes=10)


class _Signals(Notifier):
    """The site's own code hears of reminders and escalations; of requests it has heard already."""

    name = "signals"

    def notify(self, notices: list[Notice]) -> None:  # type: ignore[override]
        signals = {
            NoticeKind.REMINDER: approval_expires_soon,
            NoticeKind.ESCALATED: approval_escalated,
        }
        for notice in notices:
            for receiver, answer in signals[notice.kind].send_robust(
                Approval, approval=notice.approval
            ):
                if isinstance(answer, Exception):
                    logger.error("A receiver of a signal failed: %r", receiver, exc_info=answer)


def send_due(now: datetime | None = None) -> int:
    """Tell every notifier what is due; returns how many notices were given. Never raises for one."""
    now = now or timezone.now()
    SentNotice.objects.filter(sent_at=None, created_at__lt=now - _GIVEN_UP).delete()
    sent = 0
    for notifier in (_Signals(), *get_notifiers()):
        token = uuid.uuid4()
        notices = [notice for kind in NoticeKind for notice in _claim(notifier, kind, now, token)]
        if not notices:
            continue
        # By the token: what another process has claimed meanwhile is that one's to tell.
        rows = SentNotice.objects.filter(token=token)
        try:
            notifier.notify(notices)
        except Exception:
            # A notifier is the site's or a mail server's: whatever it raises, the rest goes on.
            logger.exception("%s could not tell of %s requests", notifier.name, len(notices))
            rows.delete()
        else:
            rows.update(sent_at=timezone.now())
            sent += len(notices)
    return sent


def _claim(
    notifier: Notifier, kind: NoticeKind, now: datetime, token: uuid.UUID
) -> Iterator[Notice]:
    """What is due for this notifier, as far as this process is the first to say so."""
    if isinstance(notifier, _Signals) and kind is NoticeKind.REQUESTED:
        return
    due = list(_due(notifier, kind, now)[:_AT_ONCE])
    if not due:
        return
    SentNotice.objects.bulk_create(
        [
            SentNotice(approval=approval, kind=kind, notifier=notifier.name, token=token)
            for approval in due
        ],
        ignore_conflicts=True,
    )
    mine = set(
        SentNotice.objects.filter(token=token, kind=kind).values_list("approval_id", flat=True)
    )
    yield from (Notice(kind, approval) for approval in due if approval.pk in mine)


def _due(notifier: Notifier, kind: NoticeKind, now: datetime) -> QuerySet[Approval]:
    told = SentNotice.objects.filter(
        approval=OuterRef("pk"), kind=kind.value, notifier=notifier.name
    )
    open_ = (
        Approval.objects.decidable(now)
        # What the person in the chat decides, they see in the chat.
        .exclude(audience=audience_key(who="user"))
        .exclude(Exists(told))
        .select_related("tool_call", "requester")
        .order_by("requested_at")
    )
    match kind:
        case NoticeKind.REMINDER:
            return open_.filter(remind_at__lte=now)
        case NoticeKind.ESCALATED:
            return open_.filter(escalates_at__lte=now)
    # Once the oldest has waited long enough, all that has come meanwhile goes with it.
    waited = open_.filter(requested_at__lte=now - notifier.wait)
    return open_ if waited.exists() else open_.filter(Q(pk__in=[]))
