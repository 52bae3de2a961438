"""A decoded request against the rows: what is done, and which run is then followed. Sync."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.statuses import ANSWERED, Role, ToolCallStatus
from ...exceptions import InvalidInput, NotFound
from ...models import Message, Run, Thread
from ...runtime.feed_reads import rows_of
from ..attachments import with_attachments
from ..following import seen_now
from ..identity import message_by_client_id, thread_of
from ..items import Row, Seen
from ..pacing import server_tools
from ..placing import answer_to_regenerate, place
from ..plan import Plan
from ..taking import NewMessage, Taken, begin_whole, carry_out, is_same_result, latest_run
from .decoder import ChatRequest, is_tool_part, output_of
from .messages import ui_messages
from .parts import error_value

_PAGE, _LARGEST_PAGE = 100, 500


def make_plan(user: Any, agent: str, request: ChatRequest, door: str) -> Plan:
    """Carry the request out. Raises what the actions raise, with nothing changed."""
    if request.parts is not None:
        return begin_whole(user, request.chat, lambda: _plan(user, agent, request, door))
    return _plan(user, agent, request, door)


def _plan(user: Any, agent: str, request: ChatRequest, door: str) -> Plan:
    thread = thread_of(user, request.chat, agent=agent, create=request.parts is not None)
    if thread is None:
        raise NotFound
    shown = message_by_client_id(thread, request.shown_id)
    seen = None
    if shown is not None and shown.role == Role.ASSISTANT and request.parts is None:
        seen = seen_of(shown, request.shown)
    carried = carry_out(user, thread, _taken(user, thread, request), door=door)
    plan = Plan(agent, thread.pk, carried.run, carried.queued, refusals=carried.refusals)
    if plan.run is None and plan.queued is None:
        continued = Run.objects.filter(message=shown).first() if shown is not None else None
        followed = continued or latest_run(thread)
        if followed is None:
            raise InvalidInput("There is nothing to answer in this chat yet.")
        plan.run = followed.pk
    if seen is not None and shown is not None and plan.run == shown.run.pk:
        plan.seen = seen
    return plan


def _taken(user: Any, thread: Thread, request: ChatRequest) -> Taken:
    if request.trigger == "regenerate-message":
        shown = [id for _, id in request.before or ()]
        answer = answer_to_regenerate(thread, request.message_id, [*shown, request.last_id or ""])
        if answer is None:
            raise NotFound("There is no answer to generate again.")
        return Taken(regenerate=answer, tools=request.tools, config=request.config)
    message = None
    if request.parts is not None:
        edited = message_by_client_id(thread, request.message_id)
        if edited is not None and edited.role == Role.USER:
            where: Row = {"replaces": str(edited.pk)}
        else:
            where = place(thread, request.before)
        parts = with_attachments(user, request.parts)
        message = NewMessage(parts, client_id=request.new_id, **where)
    return Taken(
        message,
        answers=request.answers,
        decisions=request.decisions,
        tools=request.tools,
        config=request.config,
    )


def seen_of(message: Message, shown: Sequence[Row]) -> Seen | None:
    """What the client has of this message, by the parts it shows: as many as agree with the row.

    Its calls count as told when it shows the outcome that they have; of the others it is told all
    there is, which its parts take without harm. So a tab whose answer came second shows the first
    one, which stands.
    """
    now = seen_now(message.run.pk)
    mine = [part for part in shown if _is_stored(part)]
    calls = {row["id"]: row for row in now.calls}
    known = 0
    told = []
    for part in message.parts:
        if part["type"] in ("text", "reasoning") and not part["text"]:
            known += 1
            continue
        if not mine or not _agree(part, mine[0]):
            break
        known += 1
        theirs = mine.pop(0)
        call = calls.get(part["id"]) if part["type"] == "tool_call" else None
        if call is not None and call["status"] in ANSWERED and _shows_outcome(theirs, call):
            told.append(call)
    steps = message.metadata.get("steps", ())
    begun = sum(step.get("start", 0) < known for step in steps)
    return Seen(known, begun, tuple(told), now.annotations, now.data)


def _shows_outcome(part: Row, call: Row) -> bool:
    status = ToolCallStatus(call["status"])
    is_denied = status is ToolCallStatus.DENIED
    is_complete = status is ToolCallStatus.COMPLETE and not call["is_error"]
    match part.get("state"):
        case "output-denied":
            return is_denied
        case "output-error":
            given, stored = part.get("errorText"), error_value(call["result"])
            return not (is_complete or is_denied) and bool(given == stored)
        case "output-available":
            return is_complete and is_same_result(output_of(part), call["result"])
        case _:
            return False


def _is_stored(part: Row) -> bool:
    return part.get("type") not in ("step-start", "data-data", "data-progress", "data-state")


def _agree(stored: Row, shown: Row) -> bool:
    kind = shown.get("type")
    match stored["type"]:
        case "tool_call":
            return is_tool_part(shown) and shown.get("toolCallId") == stored["id"]
        case "source":
            return isinstance(kind, str) and kind.startswith("source-")
        case "data":
            return kind == f"data-{stored['name']}"
        case same:
            return bool(kind == same)


def history(user: Any, agent: str, chat: str, limit: Any = None) -> Row:
    """The newest messages of the branch shown, as UI messages; an unknown chat is an empty one."""
    thread = thread_of(user, chat, agent=agent)
    try:
        size = min(max(int(limit or _PAGE), 1), _LARGEST_PAGE)
    except ValueError:
        raise InvalidInput("limit must be a number.") from None
    if thread is None:
        empty: Row = {"messages": [], "isRunning": False, "hasMore": False, "state": None}
        return {"id": chat, **empty}
    branch = Message.objects.branch(thread.head_id, size + 1)
    return {
        "id": str(thread.pk),
        "messages": ui_messages(rows_of(branch[-size:], user), server_tools(agent)),
        "isRunning": thread.active_run() is not None,
        "hasMore": len(branch) > size,
        "state": thread.state,
    }
