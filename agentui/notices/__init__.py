"""Telling people that something waits for them: by e-mail, by webhook, or as the site likes.

What is due is found in the rows and claimed by a row of its own, so each notifier is told once,
whatever process looks, and also after a crash. A notice only ever links to a page; nothing is
decided by following it.
"""

from .base import Notice, NoticeKind, Notifier, get_notifiers
from .due import send_due
from .email import EmailNotifier
from .people import who_may_decide
from .webhook import WebhookNotifier, verify

__all__ = [
    "EmailNotifier",
    "Notice",
    "NoticeKind",
    "Notifier",
    "WebhookNotifier",
    "get_notifiers",
    "send_due",
    "verify",
    "who_may_decide",
]
