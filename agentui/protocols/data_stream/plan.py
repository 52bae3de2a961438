"""A decoded request against the rows: what is done, and which run is then followed. Sync."""

from __future__ import annotations

import uuid
from typing import Any

from ...core.statuses import ANSWERED
from ...exceptions import InvalidInput, NotFound
from ...models import Message, Run, Thread, ToolCall
from ...permissions import threads_for
from ..attachments import with_attachments
from ..following import seen_now
from ..identity import message_by_client_id, own_id, thread_of
from ..items import Row, Seen
from ..placing import answer_to_regenerate, place
from ..plan import Plan
from ..taking import (
    CallAnswer,
    NewMessage,
    Taken,
    begin_whole,
    carry_out,
    is_same_result,
    latest_run,
)
from .decoder import PromptRequest


def make_plan(user: Any, agent: str, request: PromptRequest, door: str) -> Plan:
    """Carry the request out. Raises what the actions raise, with nothing changed."""
    if request.parts is not None:
        return begin_whole(user, request.thread, lambda: _plan(user, agent, request, door))
    return _plan(user, agent, request, door)


def _plan(user: Any, agent: str, request: PromptRequest, door: str) -> Plan:
    thread = _thread(user, agent, request)
    seen, continued = None, None
    if request.parts is None:
        continued = _continued(thread, request)
        seen = _seen(continued.message, request) if continued else None
    carried = carry_out(user, thread, _taken(user, thread, request), door=door)
    plan = Plan(agent, thread.pk, carried.run, carried.queued, refusals=carried.refusals)
    if plan.run is None and plan.queued is None:
        followed = continued or latest_run(thread)
        if followed is None:
            raise InvalidInput("There is nothing to answer in this thread yet.")
        plan.run = followed.pk
    if continued is not None and plan.run == continued.pk:
        plan.seen = seen
    return plan


def _thread(user: Any, agent: str, request: PromptRequest) -> Thread:
    """By its id; without one, by the calls in the messages, whose ids only this server makes."""
    if request.thread is not None:
        thread = thread_of(user, request.thread, agent=agent, create=request.parts is not None)
        if thread is None:
            raise NotFound
        return thread
    if request.calls:
        ids = [pk for call in request.calls for pk in own_id(call)]
        found = threads_for(user).filter(agent=agent, tool_calls__in=ids).distinct().first()
        if found is not None:
            return found
    if request.before or request.parts is None:
        raise InvalidInput("threadId is missing. Send one in the runtime's `body`.")
    created = thread_of(user, str(uuid.uuid4()), agent=agent, create=True)
    assert created is not None
    return created


def _taken(user: Any, thread: Thread, request: PromptRequest) -> Taken:
    rest: dict[str, Any] = {"tools": request.tools, "config": request.config}
    if request.parts is None:
        return Taken(answers=request.answers, decisions=request.decisions, **rest)
    known = message_by_client_id(thread, request.user_id)
    if known is not None and thread.active_run() is None:
        # The same message again and nobody answers it now: the person asked for another answer.
        answer = answer_to_regenerate(thread, request.user_id, ())
        if answer is not None:
            return Taken(regenerate=answer, **rest)
    where = place(thread, request.before)
    parts = with_attachments(user, request.parts)
    return Taken(NewMessage(parts, client_id=request.user_id, **where), **rest)


def _continued(thread: Thread, request: PromptRequest) -> Run | None:
    """The run whose message the client shows unfinished at its end."""
    ids = [pk for kind, call in request.shown if kind == "tool_call" for pk in own_id(call)]
    call = ToolCall.objects.filter(thread=thread, pk__in=ids).order_by("-id").first()
    return call.run if call is not None else None


def _is_same(answer: CallAnswer, call: Row) -> bool:
    """The client shows the answer that stands: that of the first tab."""
    given = answer.result if answer.error is None else answer.error
    return call["is_error"] == (answer.error is not None) and is_same_result(given, call["result"])


def _seen(message: Message, request: PromptRequest) -> Seen:
    """What the client has: it sends back texts and calls, which stand in the order of the parts."""
    now = seen_now(message.run.pk)
    mine = list(request.shown)
    known = 0
    for index, part in enumerate(message.parts):
        if not mine:
            break
        kind, value = mine[0]
        if part["type"] == kind and value == (part["id"] if kind == "tool_call" else part["text"]):
            mine.pop(0)
            known = index + 1
        elif part["type"] in ("tool_call", "text"):
            if part["type"] == "text" and not part["text"].strip():
                continue
            break
    shown = {answer.call: answer for answer in request.answers}
    told = tuple(
        row
        for row in now.calls
        if row["status"] in ANSWERED and row["id"] in shown and _is_same(shown[row["id"]], row)
    )
    steps = message.metadata.get("steps", ())
    begun = sum(step.get("start", 0) < known for step in steps)
    return Seen(known, begun, told, now.annotations, now.data)
