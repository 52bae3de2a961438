"""Messages as staff read them: who spoke, what was said, which tools were called and who let them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.admin import AdminSite
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from ..core.parts import FilePart
from ..core.statuses import ToolCallStatus
from ..models import Approval, Message, Run, ToolCall
from . import words
from .base import link_to, page_url
from .feedback import feedback_text
from .files import file_url
from .shown import arguments, pretty, size, visible

#: A text of more characters than this is shown in a box that scrolls, with its size below it.
LONG = 2_000
MANY_LINES = 24


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it is shown. ``size`` is given for one that is longer than the eye takes in."""

    text: SafeString
    size: str = ""
    is_json: bool = False

    @classmethod
    def of(cls, value: Any) -> Text:
        text = pretty(value)
        is_long = len(text) > LONG or text.count("\n") > MANY_LINES
        return cls(visible(text), size(text) if is_long else "", not isinstance(value, str))


@dataclass(frozen=True, slots=True)
class Verdict:
    """One person's decision."""

    who: SafeString
    word: words.Word
    door: Any
    when: Any
    reason: SafeString
    option: SafeString
    edited: Text | None


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call with its arguments, its answer and who decided about it."""

    pk: uuid.UUID
    name: Any
    status: words.Word
    kind: Any
    arguments: list[tuple[SafeString, SafeString, str]] | None
    raw: Text
    edited: Text | None
    result: Text | None
    is_error: bool
    is_automatic: bool
    grant_url: str
    approval: words.Word | None = None
    approval_url: str = ""
    verdicts: list[Verdict] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Entry:
    """One message. ``parts`` are pairs of a kind (text, reasoning, call, note) and what to show."""

    seq: int
    pk: uuid.UUID
    role: Any
    css: str
    created_at: Any
    parts: list[tuple[str, Any]]
    status: words.Word | None
    reason: Any
    error: Text | None
    model: SafeString
    run_url: str
    versions: list[tuple[int, uuid.UUID, bool]]


def transcript(
    request: HttpRequest,
    site: AdminSite,
    messages: Sequence[Message],
    *,
    page: Model,
    versions: bool = True,
) -> list[Entry]:
    """The messages with their calls, decisions, runs and versions; five queries at most.

    ``page`` is the row on whose page they are shown: their files are opened from there.
    """
    ids = [message.pk for message in messages]
    calls = {
        str(call.pk): call
        for call in ToolCall.objects.filter(message__in=ids)
        .select_related("approval")
        .prefetch_related("approval__decisions")
    }
    runs = {run.message_id: run for run in Run.objects.filter(message__in=ids)}
    approvals = site._registry[Approval].get_queryset(request).filter(tool_call__in=calls)
    linked = set(approvals.values_list("pk", flat=True))
    siblings = Message.siblings_of(messages) if versions else {}
    return [
        _entry(request, site, page, m, calls, linked, runs.get(m.pk), siblings.get(m.pk, []))
        for m in messages
    ]


def call_of(
    request: HttpRequest, site: AdminSite, call: ToolCall, linked: set[uuid.UUID] | None = None
) -> Call:
    """A tool call as it is shown; loads its approval unless it is there.

    ``linked``: the approvals that this user may open, where they were looked up for many at once.
    """
    approval: Approval | None = getattr(call, "approval", None)
    answered = call.status == ToolCallStatus.COMPLETE or call.result is not None
    url = ""
    if approval and (linked is None or approval.pk in linked):
        url = page_url(site, approval)
    return Call(
        pk=call.pk,
        name=link_to(request, site, call, call.tool_name),
        status=words.word(words.TOOL_CALL, call.status),
        kind=words.KIND.get(call.kind, call.kind),
        arguments=arguments(call.effective_args_text),
        raw=Text.of(call.args_text),
        edited=Text.of(call.edited_args_text) if call.edited_args_text else None,
        result=Text.of(call.result) if answered else None,
        is_error=call.is_error,
        is_automatic=call.is_automatic,
        grant_url=_grant_url(request, site, call),
        approval=words.word(words.APPROVAL, approval.status) if approval else None,
        approval_url=url,
        verdicts=verdicts(approval) if approval else [],
    )


def _grant_url(request: HttpRequest, site: AdminSite, call: ToolCall) -> str:
    """The standing answer that answered this call, for whoever may see all of them."""
    if call.grant_id is None or not request.user.has_perm("agentui.view_grant"):
        return ""
    return reverse(f"{site.name}:agentui_grant_change", args=[call.grant_id])


def verdicts(approval: Approval) -> list[Verdict]:
    """What was decided so far, in order."""
    return [
        Verdict(
            who=visible(decision.username),
            word=words.word(words.VERDICT, decision.verdict),
            door=words.DOOR.get(decision.door) or visible(decision.door),
            when=decision.created_at,
            reason=visible(decision.reason),
            option=visible(decision.option),
            edited=Text.of(decision.edited_args_text) if decision.edited_args_text else None,
        )
        for decision in approval.decisions.all()
    ]


def _entry(
    request: HttpRequest,
    site: AdminSite,
    page: Model,
    message: Message,
    calls: dict[str, ToolCall],
    linked: set[uuid.UUID],
    run: Run | None,
    siblings: Iterable[uuid.UUID],
) -> Entry:
    versions = [(n, pk, pk == message.pk) for n, pk in enumerate(siblings, 1)]
    is_plain = message.status == "complete"
    return Entry(
        seq=message.seq,
        pk=message.pk,
        role=words.ROLE.get(message.role, message.role),
        css=message.role,
        created_at=message.created_at,
        parts=[
            *(_part(request, site, page, part, calls, linked) for part in message.parts),
            *(
                [("note", (_("Feedback"), Text.of(said)))]
                if (said := feedback_text(message))
                else []
            ),
        ],
        status=None if is_plain else words.word(words.RUN, message.status),
        reason="" if is_plain else words.reason(message.reason),
        error=Text.of(message.error) if message.error else None,
        model=visible(message.model),
        run_url=page_url(site, run) if run and _may_see(request, site, run) else "",
        versions=versions if len(versions) > 1 else [],
    )


def _part(
    request: HttpRequest,
    site: AdminSite,
    page: Model,
    part: dict[str, Any],
    calls: dict[str, ToolCall],
    linked: set[uuid.UUID],
) -> tuple[str, Any]:
    match part:
        case {"type": "text", "text": text}:
            return "text", Text.of(text)
        case {"type": "reasoning", "text": text}:
            return "reasoning", Text.of(text)
        case {"type": "tool_call", "id": pk} if pk in calls:
            return "call", call_of(request, site, calls[pk], linked)
        case {"type": "source"}:
            named = [part.get("title"), part.get("url"), part.get("filename")]
            return "note", (_("Source"), Text.of(" · ".join(str(n) for n in named if n)))
        case {"type": "file"}:
            file = FilePart.from_json(part)
            return "file", (Text.of(_file(file)), file_url(site, page, file))
        case {"type": "data", "name": name, "data": data}:
            return "data", (visible(name), Text.of(data))
    return "note", (_("Part"), Text.of(json.dumps(part, ensure_ascii=False, indent=2)))


def _may_see(request: HttpRequest, site: AdminSite, run: Run) -> bool:
    return site._registry[Run].has_view_permission(request, run)


def _file(file: FilePart) -> str:
    """A file by its name, kind and size; what is in it is not shown here."""
    where = _("%(n)d characters of data") % {"n": len(file.data)}
    if file.source_type == "attachment":
        where = _("uploaded")
    if file.data.startswith(("http://", "https://")):
        where = file.data
    return " · ".join(n for n in (file.filename, file.mime_type, where) if n)
