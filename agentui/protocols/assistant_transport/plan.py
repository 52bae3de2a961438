"""A decoded request against the rows: what is done, and what the page is then told. Sync."""

from __future__ import annotations

import uuid
from typing import Any

from ... import actions
from ...actions.rates import count_request
from ...core.statuses import Role
from ...exceptions import InvalidInput, NotFound
from ...models import Message, Run, Thread
from ...runtime.feed_reads import rows_of
from ...runtime.rows import thread_row
from ..attachments import with_attachments
from ..identity import message_by_client_id, thread_of
from ..items import Row
from ..placing import answer_to_regenerate, place
from ..plan import Plan
from ..taking import NewMessage, Taken, begin_whole, carry_out, latest_run
from .decoder import AddMessage, CommandRequest
from .state import state_of

PAGE = 100
"""Messages of a state: the newest ones of the branch shown."""


def make_plan(user: Any, agent: str, request: CommandRequest, door: str) -> Plan:
    """Carry the commands out, in this order: cancel, decisions, answers, messages.

    Raises what the actions raise for a message; then it alone was not sent. In a thread that begins
    with this request, nothing was.
    """
    if request.messages:
        return begin_whole(user, request.thread, lambda: _plan(user, agent, request, door))
    return _plan(user, agent, request, door)


def _plan(user: Any, agent: str, request: CommandRequest, door: str) -> Plan:
    name = request.thread or str(uuid.uuid4())
    thread = thread_of(user, name, agent=agent, create=bool(request.messages))
    if thread is None:
        raise NotFound
    if request.is_cancelled:
        run = thread.active_run() or latest_run(thread)
        if run is not None:
            actions.cancel_run(user, run.pk)
    regenerated = None
    if request.regenerate is not None:
        regenerated = answer_to_regenerate(thread, request.regenerate, ())
    taken = Taken(
        answers=tuple(request.answers),
        decisions=tuple(request.decisions),
        regenerate=regenerated,
        tools=request.tools,
    )
    carried = carry_out(user, thread, taken, door=door)
    plan = Plan(agent, thread.pk, carried.run, carried.queued, refusals=carried.refusals)
    for number, message in enumerate(request.messages):
        if number or taken.regenerate is not None:
            # The request itself was counted; each further answer costs what a request costs.
            count_request(user, "send")
        new = _new_message(user, thread, message)
        carried = carry_out(user, thread, Taken(new, tools=request.tools), door=door)
        plan.run, plan.queued = carried.run, carried.queued
    if plan.run is None and plan.queued is None:
        followed = latest_run(thread)
        if followed is None:
            raise InvalidInput("There is nothing to answer in this thread yet.")
        plan.run = followed.pk
    return plan


def whole_state(user: Any, run_id: Any) -> tuple[Row, int]:
    """The state of the run's thread, with the run's message in it, still empty, and its index."""
    run = Run.objects.select_related("message").get(pk=run_id)
    thread = Thread.objects.with_activity().get(pk=run.thread_id)
    messages = Message.objects.branch(thread.head_id, PAGE)
    if run.message_id not in {message.pk for message in messages}:
        messages = Message.objects.branch(run.message_id, PAGE)
    messages += Message.objects.queued().filter(thread=thread)
    state = state_of(thread_row(thread), rows_of(messages, user))
    index = [message.pk for message in messages].index(run.message_id)
    return state, index


def resumable(user: Any, agent: str, thread_id: Any) -> Row | None:
    """The run that is active in this thread, and the state of the page; None when there is none."""
    thread = thread_of(user, thread_id, agent=agent)
    run = thread.active_run() if thread is not None else None
    if run is None:
        return None
    state, _ = whole_state(user, run.pk)
    return {"runId": str(run.pk), "state": state}


def plan_to_resume(user: Any, agent: str, run_id: Any) -> Plan | None:
    """Follow this run, if it is this user's and with this agent."""
    run = Run.objects.filter(pk=run_id, thread__owner=user, agent=agent).first()
    return Plan(agent, run.thread_id, run.pk) if run is not None else None


def current_state(user: Any, agent: str, thread_id: Any) -> Row:
    """The state with which a page begins; an unknown thread is an empty one."""
    thread = thread_of(user, thread_id, agent=agent)
    if thread is None:
        empty: Row = {"messages": [], "isRunning": False, "agentState": None, "title": ""}
        return {"threadId": thread_id, "agent": agent, **empty}
    thread = Thread.objects.with_activity().get(pk=thread.pk)
    messages = Message.objects.branch(thread.head_id, PAGE)
    messages += Message.objects.queued().filter(thread=thread)
    return state_of(thread_row(thread), rows_of(messages, user))


def _new_message(user: Any, thread: Thread, message: AddMessage) -> NewMessage:
    edited = message_by_client_id(thread, message.edits)
    if edited is not None and edited.role == Role.USER:
        where: Row = {"replaces": str(edited.pk)}
    else:
        before = [("", message.parent)] if message.parent else []
        where = place(thread, before)
    return NewMessage(with_attachments(user, message.parts), client_id=message.client_id, **where)
