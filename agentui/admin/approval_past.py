"""What came before a request, and what comes after its decision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.contrib.admin import AdminSite
from django.db.models import Count
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from ..core.statuses import ACTIVE_RUN, ApprovalStatus
from ..models import Approval, Message, Run
from ..runtime.feed_reads import rows_of
from . import words
from .base import page_url
from .shown import summary, visible
from .transcript import Entry, transcript

#: Earlier requests of the same person for the same tool that are shown one by one.
EARLIER = 5
#: Messages after the decision that are shown.
FOLLOWING = 6


@dataclass(frozen=True, slots=True)
class Earlier:
    """One earlier request of the same person for the same tool."""

    url: str
    when: Any
    status: words.Word
    arguments: SafeString
    decided_by: SafeString
    reason: SafeString


def counts_text(approval: Approval) -> str:
    """What became of the requester's other requests for this tool; one query."""
    counts = dict(_others(approval).values_list("status").annotate(n=Count("pk")).order_by())
    if not counts:
        return _("This is the first request of this person for this tool.")
    named = [
        f"{counts[status]} {words.APPROVAL[status].text}"
        for status in words.APPROVAL
        if status in counts
    ]
    return _("Of this person for this tool: %(counts)s.") % {"counts": ", ".join(named)}


def earlier_requests(model_admin: Any, request: HttpRequest, approval: Approval) -> list[Earlier]:
    """The last of them, as far as this user may see them; two queries."""
    rows = (
        model_admin.get_queryset(request)
        .filter(pk__in=_others(approval).values("pk"))
        .select_related("tool_call")
        .prefetch_related("decisions")
        .order_by("-requested_at")[:EARLIER]
    )
    found = []
    for row in rows:
        last = list(row.decisions.all())[-1:]
        found.append(
            Earlier(
                url=page_url(model_admin.admin_site, row),
                when=row.requested_at,
                status=words.word(words.APPROVAL, row.status),
                arguments=visible(summary(row.tool_call.effective_args_text, 160)),
                decided_by=visible(last[0].username if last else ""),
                reason=visible(summary(last[0].reason, 160) if last else ""),
            )
        )
    return found


def _others(approval: Approval) -> Any:
    return Approval.objects.filter(
        requester=approval.requester_id, agent=approval.agent, tool_name=approval.tool_name
    ).exclude(pk=approval.pk)


def messages_after(approval: Approval) -> list[Message]:
    """The message that made the call, and what came after it; nothing while it waits."""
    if approval.status == ApprovalStatus.PENDING:
        return []
    call = approval.tool_call
    branch = Message.objects.branch(approval.thread.head_id, FOLLOWING)
    mine = [message for message in branch if message.pk == call.message_id] or list(
        Message.objects.filter(pk=call.message_id)
    )
    return mine + [message for message in branch if message.seq > mine[0].seq] if mine else []


def what_follows(request: HttpRequest, site: AdminSite, approval: Approval) -> list[Entry]:
    """What the agent says and does after the decision, also while it is still writing it."""
    messages = messages_after(approval)
    if Run.objects.filter(thread=approval.thread_id, status__in=ACTIVE_RUN).exists():
        # The text of a message that is being written is in the journal so far.
        rows = {row["id"]: row for row in rows_of(messages, request.user)["messages"]}
        for message in messages:
            row = rows[str(message.pk)]
            message.parts = row["parts"]
            message.status = row["status"]["type"]
            message.reason = row["status"]["reason"]
    entries = transcript(request, site, messages, page=approval, versions=False)
    if not entries:
        return []
    # Of the message that made the call, what it says after it.
    first = replace(entries[0], parts=entries[0].parts[approval.tool_call.position + 1 :])
    shown = [first, *entries[1:]]
    return [entry for entry in shown if entry.parts or entry.status or entry.error]
