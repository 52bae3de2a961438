"""What a request changes, and what its answer must follow. Sync, one transaction."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q

from ... import actions
from ...actions.inputs import checked_request
from ...agents import registry
from ...core.statuses import ANSWERED, FINISHED_RUN, Reason, Role, ToolKind
from ...exceptions import AgentUIError, ClaimedElsewhere, NotAwaitingResult
from ...models import Message, Run, Thread, ToolCall
from ...runtime.rows import Row, load_tool_call_rows
from ...runtime.store import RunRequest
from ..following import Seen, seen_now
from ..identity import message_by_client_id, note_client_id, own_id, thread_of
from .interrupts import DOOR, split, take_resume
from .run_ids import config_with, note_run_id, run_ids
from .said import Said

#: New messages that are looked for; with fewer parts than that one message is refused already.
_LOOKED_FOR = 200


@dataclass(slots=True)
class Plan:
    """How to answer. ``thread`` is None for a client that asks about a thread that does not exist.

    run: what to follow first; None when nothing goes on.
    after_seq: where the thread ended before this request; what came later is told too.
    cursors: what the client has of runs that waited, by run.
    needs_snapshot: the client may not have all that there is.
    late: calls whose answers the client has not been told and that no run will tell.
    answered: calls that this request has answered.
    """

    thread: uuid.UUID | None
    state: Any = None
    run: uuid.UUID | None = None
    after_seq: int = 0
    cursors: dict[uuid.UUID, Seen] = field(default_factory=dict)
    needs_snapshot: bool = False
    late: list[Row] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)


def take_in(user: Any, agent: str, said: Said, *, only_look: bool = False) -> Plan:
    """Carry out what the client asks for, as far as it may. With ``only_look`` nothing is changed.

    Raises the errors of the actions, with nothing changed.
    """
    registry.get(agent)
    if only_look:
        thread = thread_of(user, said.thread_id, agent=agent)
        return Plan(None) if thread is None else _look(thread)
    try:
        with transaction.atomic():
            thread = thread_of(user, said.thread_id, agent=agent, create=bool(said.new))
            return Plan(None) if thread is None else _Intake(user, thread, said).plan()
    except AgentUIError as refusal:
        if refusal.afterwards is not None:
            refusal.afterwards()
        raise


def _look(thread: Thread) -> Plan:
    active = thread.active_run()
    return Plan(
        thread.pk,
        thread.state,
        run=active.pk if active else None,
        after_seq=thread.last_seq,
        needs_snapshot=True,
    )


class _Intake:
    def __init__(self, user: Any, thread: Thread, said: Said) -> None:
        self.user = user
        self.thread = thread
        self.said = said
        self.answered: set[str] = set()

    def plan(self) -> Plan:
        after_seq = self.thread.last_seq
        waiting = list(Run.objects.waiting().filter(thread=self.thread).order_by("pk"))
        open_before = list(ToolCall.objects.filter(run__in=waiting).open()) if waiting else []
        cursors = {} if self.said.is_blank else {run.pk: seen_now(run.pk) for run in waiting}
        is_behind = self._is_behind()
        woken = self._take_answers(open_before)
        if self.said.resume:
            take_resume(self.user, self.thread, self.said.resume, is_modern=self.said.is_modern)
            resumed, is_late = self._resumed(open_before)
            woken, is_behind = woken + resumed, is_behind or is_late
        for one in waiting:
            if one.pk in woken:
                note_run_id(one, self.said.run_id)
        run, needs_snapshot = self._go_on(woken)
        self.thread.refresh_from_db()
        plan = Plan(
            self.thread.pk,
            self.thread.state,
            run=run,
            after_seq=after_seq,
            cursors=cursors,
            needs_snapshot=needs_snapshot or is_behind,
            answered=self.answered,
        )
        plan.late = self._late(open_before, followed=run)
        return plan

    def _go_on(self, woken: list[uuid.UUID]) -> tuple[uuid.UUID | None, bool]:
        """The run to follow, and whether the client needs to be told what there is."""
        uncovered, _ = split(self.thread, self.user)
        new = self._new_messages()
        if uncovered:
            # Not answered is not given up: nothing else is done, and they are asked again.
            return (woken[0], False) if woken else (self._asked_by(uncovered), True)
        if woken or new:
            self._take_state()
        if new:
            sent = self._send(new)
            if sent is not None:
                # What woke goes first; the message waits for its turn.
                return (woken[0] if woken else sent), False
            active = self.thread.active_run()
            return (active.pk if active else None), not woken
        if woken:
            return woken[0], False
        active = self.thread.active_run()
        if active is not None:
            return active.pk, True
        return self._again(), True

    def _asked_by(self, uncovered: list[Row]) -> uuid.UUID | None:
        """The run to tell from its beginning: a new page of a client whose own buttons belong to the
        calls of the stream needs to see them there. The others have the snapshot."""
        if not (self.said.is_blank and self.said.gates_calls):
            return None
        return ToolCall.objects.get(pk=uncovered[-1]["tool_call"]).run_id

    # New messages

    def _new_messages(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """The user messages behind the last one that is known."""
        new: list[tuple[str, list[dict[str, Any]]]] = []
        for client_id, parts in self.said.new[: -_LOOKED_FOR - 1 : -1]:
            if message_by_client_id(self.thread, client_id) is not None:
                break
            new.insert(0, (client_id, parts))
        return new

    def _send(self, new: list[tuple[str, list[dict[str, Any]]]]) -> uuid.UUID | None:
        """Send them as one message; the run that answers, None while it is queued."""
        parts = [part for _, some in new for part in some]
        sent = actions.send_message(
            self.user, parts=parts, thread_id=self.thread.pk, request=self._request()
        )
        note_client_id(sent.message, new[-1][0])
        return sent.run.pk if sent.run else None

    def _request(self) -> RunRequest:
        config = config_with(self.said.props, self.said.run_id)
        return checked_request(self.said.tools, self.said.context, config)

    def _again(self) -> uuid.UUID | None:
        """Nothing is new. An answer that failed, or that is not wanted, is given again."""
        if self.said.is_blank:
            return None  # A page that has just been opened.
        head = self._last_answer()
        run = Run.objects.filter(message=head).first() if head else None
        if head is None or run is None or run.status not in FINISHED_RUN:
            return None
        if self.said.run_id in run_ids(run.config):
            return None  # The same request again, after a lost connection.
        has_failed = run.reason in (Reason.ERROR, Reason.INTERRUPTED)
        if not has_failed and self.said.wishes.get("regenerate") is not True:
            return None
        sent = actions.regenerate(self.user, head.pk, request=self._request())
        return sent.run.pk if sent.run else None

    def _take_state(self) -> None:
        """The state the client shows, unless it shows none: a new page must not empty a thread's."""
        state = self.said.state
        if state in (None, {}, []) or state == self.thread.state:
            return
        operation = {"type": "set", "path": [], "value": state}
        self.thread = actions.set_state(self.user, self.thread.pk, [operation])

    # Answers of calls

    def _take_answers(self, open_calls: list[ToolCall]) -> list[uuid.UUID]:
        """Answer the open calls that the client has answered; the runs they belong to."""
        woken = []
        for call in open_calls:
            answer = self.said.answers.get(str(call.pk))
            if answer is None or call.kind == ToolKind.SERVER:
                continue
            try:
                _, is_first = actions.submit_tool_result(
                    self.user,
                    call.pk,
                    tab=DOOR,
                    result=_result(answer.content),
                    error=answer.error,
                )
            except (ClaimedElsewhere, NotAwaitingResult):
                continue  # Another tab works on it, or it waits for an approval first.
            if not is_first:
                continue
            woken.append(call.run_id)
            self.answered.add(str(call.pk))
        return woken

    def _resumed(self, open_before: list[ToolCall]) -> tuple[list[uuid.UUID], bool]:
        """The runs of the approvals that the client answers, and whether it answers others too."""
        named = {pk for entry in self.said.resume for pk in own_id(entry.interrupt_id)}
        open_ids = [call.pk for call in open_before]
        asked = ToolCall.objects.filter(approval__in=named, pk__in=open_ids)
        runs = list(asked.order_by("pk").values_list("run_id", flat=True))
        return runs, len(runs) < len(named)

    def _late(self, open_before: list[ToolCall], followed: uuid.UUID | None) -> list[Row]:
        """Calls that were open and are answered now, and those a resume names, unless the run that
        is followed tells of them."""
        if not open_before and not self.said.resume:
            return []
        told = {call.pk for call in open_before if call.run_id == followed}
        others = [call.pk for call in open_before if call.pk not in told]
        named = [pk for entry in self.said.resume for pk in own_id(entry.interrupt_id)]
        calls = ToolCall.objects.filter(
            Q(pk__in=others) | Q(approval__in=named), thread=self.thread, status__in=ANSWERED
        ).exclude(pk__in=told)
        rows = load_tool_call_rows(list(calls))
        mine = self.said.answers
        return [row for row in rows if row["kind"] == ToolKind.SERVER or row["id"] not in mine]

    def _is_behind(self) -> bool:
        """The thread has an answer at its end that the client does not show: another page went on."""
        head = self._last_answer()
        if head is None or not head.parts:
            return False
        if any(shown.partition(":")[0] == str(head.pk) for shown in self.said.shown):
            return False
        ids = [pk for shown in self.said.shown for pk in own_id(shown)]
        return not ToolCall.objects.filter(message=head, pk__in=ids).exists()

    def _last_answer(self) -> Message | None:
        if self.thread.head_id is None:
            return None
        return Message.objects.filter(pk=self.thread.head_id, role=Role.ASSISTANT).first()


def _result(content: str) -> Any:
    """What the page's tool answered. These clients write JSON for everything that is no text."""
    if content[:1] in ("{", "["):
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            return content
    return content
