"""The words that staff meet in place of the stored ones, each with its tone.

A tone is a colour of the page: ``waiting``, ``good``, ``bad``, ``busy`` or ``quiet``.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Word:
    text: str | Promise
    tone: str = "quiet"

    def __html__(self) -> SafeString:
        return format_html(
            '<span class="agentui-status agentui-status--{}">{}</span>', self.tone, self.text
        )

    __str__ = __html__


APPROVAL = {
    "pending": Word(_("waiting"), "waiting"),
    "approved": Word(_("approved"), "good"),
    "denied": Word(_("denied"), "bad"),
    "expired": Word(_("expired")),
    "cancelled": Word(_("withdrawn")),
    "superseded": Word(_("replaced")),
}
TOOL_CALL = {
    "streaming": Word(_("being written"), "busy"),
    "pending": Word(_("about to run"), "busy"),
    "awaiting_approval": Word(_("waiting for approval"), "waiting"),
    "approved": Word(_("approved, about to run"), "busy"),
    "executing": Word(_("running"), "busy"),
    "complete": Word(_("done"), "good"),
    "failed": Word(_("failed"), "bad"),
    "denied": Word(_("denied"), "bad"),
    "expired": Word(_("expired, not run")),
    "cancelled": Word(_("cancelled, not run")),
    "interrupted": Word(_("interrupted, may have had effects"), "bad"),
}
RUN = {
    "queued": Word(_("queued"), "busy"),
    "running": Word(_("running"), "busy"),
    "requires_action": Word(_("waiting for somebody"), "waiting"),
    "complete": Word(_("complete"), "good"),
    "incomplete": Word(_("ended early"), "bad"),
}
REASON = {
    "": "",
    "stop": _("the answer was finished"),
    "tool_calls": _("tool calls are open"),
    "length": _("the answer reached its length limit"),
    "content_filter": _("the provider's content filter stopped it"),
    "cancelled": _("somebody stopped it"),
    "error": _("an error"),
    "max_roundtrips": _("the limit of roundtrips was reached"),
    "interrupted": _("the worker stopped"),
    "other": _("another reason"),
    "unknown": _("the reason is not known"),
}
ROLE = {
    "system": _("Instructions"),
    "user": _("Person"),
    "assistant": _("Agent"),
    "event": _("Event"),
}
KIND = {
    "server": _("runs on the server"),
    "frontend": _("runs in the person's browser"),
    "human": _("is answered by the person"),
}
VERDICT = {"approve": Word(_("approved"), "good"), "deny": Word(_("denied"), "bad")}
FINDING = {
    "done": Word(_("it was done"), "good"),
    "not_done": Word(_("it was not done"), "bad"),
    "unknown": Word(_("it cannot be found out")),
}
DOOR = {
    "admin": _("in the admin"),
    "chat": _("in the chat"),
    "api": _("through the API"),
}


def word(table: dict[str, Word], status: str) -> Word:
    """The word for a stored status; one that is not known is shown as it is."""
    return table.get(status) or Word(status)


def reason(code: str) -> str:
    """Why a run or message stands where it stands; empty where there is nothing to say."""
    return str(REASON.get(code, code))
