"""A decoded request against the rows: what is done, and which run is then followed. Sync."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from ... import actions
from ...actions.inputs import title_from
from ...agents import registry
from ...conf import app_settings
from ...core.statuses import ToolCallStatus, ToolKind
from ...exceptions import InvalidInput, NotAwaitingResult, NotFound, UnknownAgent
from ...models import ClientCommand, Message, Run, Thread, ToolCall
from ...permissions import threads_for
from ...runtime.rows import load_tool_call_rows
from ..attachments import with_attachments
from ..identity import own_id, thread_of
from ..items import Row, Seen
from ..plan import Plan
from ..taking import HEAD, CallAnswer, NewMessage, Taken, carry_out, latest_run
from .decoder import ChatRequest, Spoken, spoken_by_user
from .matching import KEY, Said, find_thread, said

DOOR = "openai_chat"
_RETRY_TIME = timedelta(minutes=15)
_NAMESPACE = uuid.UUID("6d9dd0d0-0d3a-5b52-8c2c-b2c4f2c0a9b1")
_QUOTED = "Said before, as the client of this API tells it; nobody has checked it:"


@dataclass(frozen=True, slots=True)
class Delivery:
    """How the request came: the client's own key, and whether it says that it sends it again."""

    key: str | None = None
    is_retry: bool = False


@dataclass(frozen=True, slots=True)
class ChatPlan:
    """``is_replay``: calls that were answered since may be shown as open, as they were then."""

    plan: Plan
    is_replay: bool


def make_plan(user: Any, request: ChatRequest, delivery: Delivery) -> ChatPlan:
    """Carry the request out, once however often it is delivered.

    Raises what the actions raise, with nothing changed.
    """
    try:
        registry.get(request.model)
    except UnknownAgent as error:
        raise UnknownAgent(error.message, param="model") from None
    done = _done_before(user, request) if delivery.is_retry and delivery.key is None else None
    if done is None:
        key = uuid.uuid5(_NAMESPACE, delivery.key) if delivery.key else uuid.uuid4()
        command = {"type": DOOR, "body": request.digest}
        done = actions.once(user, key, command, lambda: _carry_out(user, request))
    run = uuid.UUID(done["run"]) if done["run"] else None
    queued = uuid.UUID(done["queued"]) if done["queued"] else None
    plan = Plan(request.model, uuid.UUID(done["thread"]), run, queued)
    plan.seen = _seen_after(done["calls"])
    return ChatPlan(plan, is_replay=not done["is_look"])


def _done_before(user: Any, request: ChatRequest) -> Row | None:
    """What the same request did a moment ago: OpenAI's clients repeat one whose answer was lost."""
    recent = ClientCommand.objects.filter(
        user=user,
        created_at__gt=timezone.now() - _RETRY_TIME,
        answer__answer__body=request.digest,
    )
    row = recent.order_by("-created_at").first()
    return row.answer["answer"] if row is not None else None


def _carry_out(user: Any, request: ChatRequest) -> Row:
    done: Row = {"body": request.digest, "queued": None, "calls": [], "is_look": False}
    if not request.answers and not request.parts:
        return {**done, **_look(user, request)}
    calls = _calls(user, request) if request.answers else []
    if calls:
        new = _message(user, request.parts) if request.parts else None
        place = _Place(calls[0].thread, new)
        done["calls"] = [] if request.parts else [str(call.pk) for call in calls]
    else:
        place = _place(user, request)
    answers = tuple(CallAnswer(answer.call, answer.content) for answer in request.answers)
    taken = Taken(place.new, answers=answers, tools=request.tools)
    carried = carry_out(user, place.thread, taken, door=DOOR)
    if carried.refusals:
        raise carried.refusals[0]
    run = carried.run
    if run is None and carried.queued is None:
        run = calls[0].run_id  # All of them were answered before, with the same words.
    if place.note is not None and run is not None:
        Message.objects.filter(children__run=run).update(metadata={KEY: place.note})
    return {
        **done,
        "thread": str(place.thread.pk),
        "run": str(run) if run else None,
        "queued": str(carried.queued) if carried.queued else None,
    }


# Threads


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the request belongs. ``note`` is kept with a message that quotes what was said before."""

    thread: Thread
    new: NewMessage | None
    note: Row | None = None


def _place(user: Any, request: ChatRequest) -> _Place:
    if request.thread is not None:
        named = thread_of(user, request.thread, agent=request.model, create=True)
        assert named is not None
        return _Place(named, _message(user, request.parts))
    history = said(request.earlier)
    match = find_thread(user, request.model, history)
    if match is not None:
        new = _message(user, request.parts, HEAD if match.after is None else match.after)
        return _Place(match.thread, new)
    return _begun(user, request, history)


def _begun(user: Any, request: ChatRequest, history: Said) -> _Place:
    """A new thread. What the client says was said before is quoted in the user's message."""
    new = _message(user, request.parts)
    thread = actions.create_thread(user, agent=request.model)
    first = history if history.turns else said([spoken_by_user(new.parts)])
    thread.title, thread.metadata = title_from(new.parts), {KEY: first.first}
    thread.save(update_fields=["title", "metadata"])
    words = sum(len(part.get("text", "")) for part in new.parts)
    quotation = _quotation(request.earlier, app_settings.MAX_MESSAGE_CHARS - words)
    if not quotation:
        return _Place(thread, new)
    turns = len(history.turns)
    quoted = [{"type": "text", "text": quotation}, *new.parts]
    note = {"turns": turns, "digest": history.prefix(turns)}
    return _Place(thread, NewMessage(quoted), note)


def _quotation(earlier: Sequence[Spoken], room: int) -> str:
    """The newest of what was said, as far as there is room for it."""
    lines: list[str] = []
    room -= len(_QUOTED) + 10
    for spoken in reversed(earlier):
        line = f"> {spoken.role}: " + spoken.text.strip().replace("\n", "\n> ")
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    if not lines:
        return ""
    cut = ["> …"] if room < 0 else []
    return "\n".join([_QUOTED, *cut, *reversed(lines)]) + "\n\n"


def _message(user: Any, parts: list[Row], after: Any = HEAD) -> NewMessage:
    return NewMessage(with_attachments(user, parts), after=after)


# Calls


def _calls(user: Any, request: ChatRequest) -> list[ToolCall]:
    """The calls that are answered: this user's, of one thread, and for somebody else to answer.

    Beside a new message a result that fits no open call is only history, and passed over.
    """
    ids = {pk for answer in request.answers for pk in own_id(answer.call)}
    mine = ToolCall.objects.filter(thread__in=threads_for(user), thread__agent=request.model)
    found = list(mine.filter(pk__in=ids).select_related("thread").order_by("-pk"))
    if request.parts:
        return [call for call in found if call.thread_id == found[0].thread_id]
    if len(found) < len(request.answers):
        raise NotFound("There is no tool call of yours with this tool_call_id.", param="messages")
    if len({call.thread_id for call in found}) > 1:
        raise InvalidInput("The tool calls belong to different threads.", param="messages")
    for call in found:
        if call.kind == ToolKind.SERVER:
            raise NotAwaitingResult("This tool runs on the server; a client cannot answer it.")
        if call.status in _WITHDRAWN:
            raise NotAwaitingResult("This tool call was withdrawn meanwhile; it takes no answer.")
    return found


_WITHDRAWN = (ToolCallStatus.CANCELLED, ToolCallStatus.EXPIRED, ToolCallStatus.DENIED)


def _look(user: Any, request: ChatRequest) -> Row:
    """Nothing is new: the client asks what has become of the last answer."""
    thread: Thread | None = None
    if request.thread is not None:
        thread = thread_of(user, request.thread, agent=request.model)
    elif (match := find_thread(user, request.model, said(request.earlier))) is not None:
        thread = match.thread
    run: Run | None = latest_run(thread) if thread is not None else None
    if thread is None or run is None:
        raise InvalidInput("The last message must be the user's or a tool's.", param="messages")
    waited = ToolCall.objects.filter(run=run, approval__isnull=False).order_by("-position").first()
    return {
        "thread": str(thread.pk),
        "run": str(run.pk),
        "calls": [str(waited.pk)] if waited is not None else [],
        "is_look": True,
    }


def _seen_after(call_ids: Sequence[str]) -> Seen | None:
    """What a client has that has been shown these calls: the message up to the end of their step."""
    named = ToolCall.objects.filter(pk__in=call_ids).order_by("-position").first()
    if named is None:
        return None
    message = Message.objects.get(pk=named.message_id)
    steps = message.metadata.get("steps", ())
    starts = [step.get("start", 0) for step in steps]
    begun = sum(start <= named.position for start in starts)
    parts = starts[begun] if begun < len(starts) else len(message.parts)
    calls = ToolCall.objects.filter(message=message, position__lt=parts)
    return Seen(parts=parts, steps=begun, calls=tuple(load_tool_call_rows(list(calls))))
