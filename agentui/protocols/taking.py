"""What a decoder takes from a request, carried out. Sync.

A decoder is pure: it finds in a body what a client may say, and nothing else gets here. What it found
is compared with the rows once more: only calls that a page may answer and that are open, only
approvals of this thread that are pending, and only for this user.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import transaction

from .. import actions
from ..actions.inputs import checked_request
from ..core.clean import TooDeep, clean
from ..core.statuses import Role, RunStatus, ToolKind
from ..exceptions import AgentUIError, AlreadyDecided, AlreadyVoted, ClaimedElsewhere
from ..models import Approval, Message, Run, Thread, ToolCall
from ..runtime.store import RunRequest
from .identity import known_thread, message_by_client_id, note_client_id, own_id

G = TypeVar("G")
P = TypeVar("P")

HEAD: Any = object()
"""Where a new message goes when the client did not say: to the end of the branch shown."""


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A user's message. ``replaces`` is the id of the user message it is an edit of; ``after`` the id
    of the message it answers to, None for the root."""

    parts: list[dict[str, Any]]
    client_id: str | None = None
    replaces: str | None = None
    after: Any = HEAD


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """The answer of a call: its result, or what went wrong."""

    call: str
    result: Any = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class GivenDecision:
    """A person's answer to an approval."""

    approval: str
    approved: bool | None
    option: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """Everything a request may change."""

    message: NewMessage | None = None
    answers: tuple[CallAnswer, ...] = ()
    decisions: tuple[GivenDecision, ...] = ()
    regenerate: str | None = None
    tools: list[dict[str, Any]] = field(default_factory=list)
    config: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Carried:
    """What came of it: the run to follow, or the queued message whose run is still to come."""

    run: uuid.UUID | None = None
    queued: uuid.UUID | None = None
    refusals: list[AgentUIError] = field(default_factory=list)


def begin_whole(user: Any, client_id: str | None, plan: Callable[[], P]) -> P:
    """What ``plan()`` returns, for a request with a new message. A thread that is begun for it is
    begun with it: a refusal leaves no empty one."""
    if client_id is not None and known_thread(user, client_id) is not None:
        return plan()
    with transaction.atomic():
        return plan()


def carry_out(user: Any, thread: Thread, taken: Taken, *, door: str) -> Carried:
    """Do what the client asks for, as far as it may.

    Decisions and answers are each a command of their own: one that is refused is reported in
    ``refusals`` and does not stop the others. What was settled before is passed over, because these
    clients send everything again and again. A message that is refused raises.
    """
    carried = Carried()
    # Asked once which are open: a request may name as many as its body has room for.
    pending = Approval.objects.filter(thread=thread).pending() if taken.decisions else None
    for decision in _known(taken.decisions, lambda given: given.approval, pending):
        _decide(user, thread, decision, carried, door)
    unanswered = ToolCall.objects.filter(thread=thread).open() if taken.answers else None
    for answer in _known(taken.answers, lambda given: given.call, unanswered):
        _answer(user, thread, answer, carried, door)
    if taken.regenerate is not None:
        sent = actions.regenerate(user, taken.regenerate, request=_request(taken))
        carried.run = sent.run.pk if sent.run else None
    if taken.message is not None:
        _send(user, thread, taken.message, _request(taken), carried)
    return carried


def latest_run(thread: Thread) -> Run | None:
    """The run that writes or wrote the end of the branch shown; None in an empty thread."""
    thread.refresh_from_db(fields=["head"])
    return Run.objects.filter(thread=thread, message=thread.head_id).first()


def is_same_result(given: Any, stored: Any) -> bool:
    """What a client shows as the result of a call is what is stored."""
    try:
        return bool(clean(given) == stored)
    except TooDeep:
        return False


def _known(given: Sequence[G], name: Callable[[G], str], rows: Any) -> Iterator[G]:
    """Of what the client says, the first word about each of these rows."""
    if rows is None:
        return
    there = set(rows.values_list("pk", flat=True))
    for one in given:
        for pk in own_id(name(one)):
            if pk in there:
                there.remove(pk)
                yield one


def _request(taken: Taken) -> RunRequest:
    return checked_request(taken.tools, None, taken.config)


def _decide(
    user: Any, thread: Thread, decision: GivenDecision, carried: Carried, door: str
) -> None:
    found = Approval.objects.filter(thread=thread, pk__in=own_id(decision.approval))
    approval = found.pending().select_related("tool_call").first()
    if approval is None:
        return
    verdict = {True: "approve", False: "deny", None: None}[decision.approved]
    try:
        actions.decide_approval(
            user,
            approval.pk,
            verdict=verdict,
            option=decision.option,
            reason=decision.reason,
            door=door,
        )
    except (AlreadyDecided, AlreadyVoted):
        # Somebody was faster, or the client repeats itself: the rows say how it stands.
        pass
    except AgentUIError as refusal:
        carried.refusals.append(refusal)
    carried.run = approval.tool_call.run_id


def _answer(user: Any, thread: Thread, answer: CallAnswer, carried: Carried, door: str) -> None:
    call = ToolCall.objects.filter(thread=thread, pk__in=own_id(answer.call)).open().first()
    if call is None or call.kind == ToolKind.SERVER:
        return
    carried.run = call.run_id
    try:
        actions.submit_tool_result(
            user, call.pk, tab=door, result=answer.result, error=answer.error
        )
    except ClaimedElsewhere:
        pass  # The tab that works on it answers.
    except AgentUIError as refusal:
        carried.refusals.append(refusal)


def _send(
    user: Any, thread: Thread, new: NewMessage, request: RunRequest, carried: Carried
) -> None:
    known = message_by_client_id(thread, new.client_id) if new.client_id else None
    if known is not None and new.replaces is None:
        # The same request again, after a lost connection: nothing is sent twice.
        _follow_reply(known, carried)
        return
    key = None
    if new.client_id is not None and new.replaces is None:
        key = uuid.uuid5(thread.pk, new.client_id)
    sent = actions.once(
        user,
        key,
        {"type": "send_message", "thread": str(thread.pk), "parts": new.parts},
        lambda: _store(user, thread, new, request),
    )
    if sent["run"] is not None:
        carried.run = uuid.UUID(sent["run"])
    else:
        carried.run, carried.queued = None, uuid.UUID(sent["message"])


def _store(user: Any, thread: Thread, new: NewMessage, request: RunRequest) -> dict[str, Any]:
    with transaction.atomic():
        if new.replaces is not None:
            sent = actions.edit_message(user, new.replaces, parts=new.parts, request=request)
        else:
            where = {} if new.after is HEAD else {"parent": new.after}
            sent = actions.send_message(
                user, parts=new.parts, thread_id=thread.pk, request=request, **where
            )
        note_client_id(sent.message, new.client_id)
    return {"message": str(sent.message.pk), "run": str(sent.run.pk) if sent.run else None}


def _follow_reply(message: Message, carried: Carried) -> None:
    reply = (
        Run.objects.filter(message__parent=message, message__role=Role.ASSISTANT)
        .order_by("-message__seq")
        .first()
    )
    if reply is not None:
        carried.run = reply.pk
    elif message.status == RunStatus.QUEUED:
        carried.run, carried.queued = None, message.pk
