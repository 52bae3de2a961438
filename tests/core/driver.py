"""A site in memory: the pure core with nothing around it but dictionaries.

It plays the run loop cases. A round of a case is one roundtrip of the model; the last one repeats.
``wait`` inside a round suspends the run, so that a case can act while it streams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from agentui.core import events as ev
from agentui.core import queue, texts
from agentui.core.accumulator import Accumulator, accumulate
from agentui.core.approval import check_open, resolve_response, tally
from agentui.core.errors import to_assistant_error
from agentui.core.history import build_history
from agentui.core.next_step import (
    AwaitApproval,
    AwaitResult,
    ExecuteTools,
    Finish,
    Roundtrip,
    RunState,
    next_step,
)
from agentui.core.parts import Message, TextPart, ToolCallPart
from agentui.core.settle import settle_cut, settle_roundtrip
from agentui.core.statuses import (
    COMPLETE,
    ApprovalStatus,
    Reason,
    Role,
    RunStatus,
    ToolCallStatus,
    ToolKind,
)
from agentui.core.tree import MessageTree
from agentui.exceptions import AgentUIError, ModelError, NotAwaitingResult, NotFound

from .translate import approval_state_of, aui_message, message_of

TOOL_OUTPUT = "the tool ran"


@dataclass
class Run:
    message: str
    parent: str | None
    roundtrips: int = 0
    cancel_requested: bool = False
    steps: Iterator[None] | None = None


class Site:
    """One thread, one agent whose model plays ``rounds``."""

    def __init__(self, case: dict[str, Any]) -> None:
        self._rounds: list[Any] = case["rounds"]
        self._human = frozenset(case.get("humanToolNames", ()))
        self._max_roundtrips = case.get("maxSteps", 2)
        self._stored = (case.get("history") or {}).get("load")
        self.messages: dict[str, Message] = {}
        self.tree = MessageTree()
        self.queue = queue.Queue()
        self.active: Run | None = None
        self._unsent: dict[str, str] = {}
        self.calls = 0
        self.roles_sent: list[list[str]] = []
        self.seen: list[Any] = []
        self.writes: list[list[str | None]] = []
        self.errors: list[str] = []

    def act(self, action: dict[str, Any]) -> None:
        """One thing that a person does. A refusal is kept by its code, and changes nothing."""
        given = {key: value for key, value in action.items() if key != "do"}
        act: Callable[..., None] = getattr(self, f"do_{action['do']}")
        try:
            act(**given)
        except AgentUIError as error:
            self.errors.append(error.code)

    # What people do

    def do_send(self, text: str, startRun: bool = True) -> None:
        name = f"user-{len(self._unsent)}"
        self._unsent[name] = text
        if not startRun:
            self._add_user_message(name)
            return
        self._follow(queue.enqueue(self.queue, name))

    def do_approve(
        self, id: str, approved: bool, optionId: str | None = None, reason: str | None = None
    ) -> None:
        message, index, call = self._find(lambda call: call.approval and call.approval.id == id)
        approval = call.approval
        assert approval
        check_open(approval.status)
        verdict = "approve" if approved else "deny"
        resolution = resolve_response(replace(approval, options=()), verdict=verdict, reason=reason)
        status = tally(1, [verdict])
        decided = replace(approval, status=status, option=optionId, reason=resolution.reason)
        told = texts.denied(reason)
        denial = ev.ToolCallResult((index,), told, is_error=True, status=ToolCallStatus.DENIED)
        decision = ev.ApprovalDecision((index,), decided)
        events = [decision] if status is ApprovalStatus.APPROVED else [decision, denial]
        self._store(accumulate(message, events))
        self._resume(message.id)

    def do_tool_result(
        self, toolCallId: str, result: Any, toolName: str = "", isError: bool = False
    ) -> None:
        message, index, call = self._find(lambda call: call.tool_call_id == toolCallId)
        awaits = call.kind is ToolKind.HUMAN and call.status is ToolCallStatus.PENDING
        if not awaits:
            raise NotAwaitingResult
        event = ev.ToolCallResult((index,), result, is_error=isError)
        self._store(accumulate(message, [event]))
        self._resume(message.id)

    def do_cancel(self) -> None:
        self._follow(queue.stopped(self.queue))
        if self.active:
            self.active.cancel_requested = True

    def do_release(self) -> None:
        self._go_on()

    def do_reload(self) -> None:
        self._start_run(self.tree.parent(self.last.id))

    def do_load(self) -> None:
        assert self._stored
        rows = []
        for item in self._stored["messages"]:
            message = message_of(item["message"], fallback_status=COMPLETE)
            self.messages[message.id] = message
            rows.append((message.id, item["parentId"]))
        self.tree = MessageTree(rows, self._stored.get("headId"))

    # The run loop

    def _follow(self, change: queue.Change) -> None:
        self.queue = change.queue
        if change.run is not None:
            self._add_user_message(change.run)
            self._start_run(self.tree.head)

    def _add_user_message(self, name: str) -> None:
        self.tree.add(name, self.tree.head)
        self._store(Message(name, Role.USER, (TextPart(self._unsent[name]),), status=COMPLETE))

    def _start_run(self, parent: str | None) -> None:
        answer = Message(f"assistant-{len(self.messages)}", Role.ASSISTANT, model="model")
        self.tree.add(answer.id, parent)
        self.tree.set_head(answer.id)
        self._store(answer)
        self._enter(Run(answer.id, parent))

    def _resume(self, message: str) -> None:
        self._enter(Run(message, self.tree.parent(message)))

    def _enter(self, run: Run) -> None:
        run.steps = self._loop(run)
        self.active = run
        self.queue = queue.started(self.queue).queue
        self._go_on()

    def _go_on(self) -> None:
        if self.active and self.active.steps and next(self.active.steps, "over") == "over":
            self.active = None
            self._follow(queue.ended(self.queue))

    def _loop(self, run: Run) -> Iterator[None]:
        while True:
            message = self.messages[run.message]
            match next_step(
                RunState(message, run.roundtrips, self._max_roundtrips, run.cancel_requested)
            ):
                case Roundtrip():
                    yield from self._roundtrip(run)
                case ExecuteTools(calls):
                    self._store(_executed(message, calls))
                case AwaitApproval() | AwaitResult():
                    return
                case Finish(status):
                    if status.type is RunStatus.INCOMPLETE:
                        message = settle_cut(message, status.reason)
                    ended = replace(message, status=status)
                    if ended != self.messages[run.message]:
                        self._store(ended)
                    return

    def _roundtrip(self, run: Run) -> Iterator[None]:
        message = self.messages[run.message]
        path = [self.messages[id] for id in self.tree.path(run.parent)] if run.parent else []
        build_history([*path, message], model="model")
        self.roles_sent.append([item.role.value for item in path])
        self.seen.append(aui_message(message)["content"])
        given = self._rounds[min(self.calls, len(self._rounds) - 1)]
        self.calls += 1
        run.roundtrips += 1
        accumulator = Accumulator(message)
        accumulator.apply(ev.StepStart())
        for item in _stream(given):
            if isinstance(item, dict) and item.get("name") == "AbortError":
                self._store(settle_cut(accumulator.message, Reason.CANCELLED))
                return
            if item == "wait":
                self._store(accumulator.message)
                yield
                if run.cancel_requested:
                    break
            else:
                self._apply(accumulator, item, start=len(message.parts))
        if run.cancel_requested:
            self._store(accumulator.message)
            return
        accumulator.finish()
        self._store(settle_roundtrip(accumulator.message))

    def _apply(self, accumulator: Accumulator, item: Any, *, start: int) -> None:
        """What a round says so far stands for all of it: begin anew, and say that."""
        accumulator.apply(ev.StepReset(start))
        accumulator.apply(ev.StepStart())
        for event in self._events(item, start):
            accumulator.apply(event)

    def _events(self, item: dict[str, Any], start: int) -> Iterator[ev.StreamEvent]:
        if "throw" in item:
            error = to_assistant_error(ModelError(item["throw"]))
            yield ev.ErrorEvent(error["message"], error["code"])
            return
        for index, part in enumerate(item.get("content", ()), start):
            yield from self._part_events(part, index)
        state = (item.get("metadata") or {}).get("unstable_state")
        if state is not None:
            yield ev.UpdateState(({"type": "set", "path": [], "value": state},))
        if item.get("status"):
            reason = item["status"]["reason"].replace("-", "_")
            reason = "tool_calls" if reason == "interrupt" else reason
            yield ev.StepFinish(reason)
            yield ev.MessageFinish(reason)

    def _part_events(self, part: dict[str, Any], index: int) -> Iterator[ev.StreamEvent]:
        path = (index,)
        if part["type"] == "text":
            yield ev.PartStart(TextPart(""))
            yield ev.TextDelta(path, part["text"])
        else:
            asks_a_person = part["toolName"] in self._human or "interrupt" in part
            kind = ToolKind.HUMAN if asks_a_person else ToolKind.SERVER
            yield ev.PartStart(
                ToolCallPart(f"row-{index}", part["toolCallId"], part["toolName"], kind=kind)
            )
            yield ev.TextDelta(path, part["argsText"])
            yield ev.ToolCallArgsFinish(path)
            if "approval" in part:
                approval = approval_state_of(part["approval"])
                yield ev.ApprovalRequest(path, replace(approval, status=ApprovalStatus.PENDING))
                if approval.status is not ApprovalStatus.PENDING:
                    yield ev.ApprovalDecision(path, approval)
            if "result" in part:
                yield ev.ToolCallResult(path, part["result"])
        yield ev.PartFinish(path)

    # What is remembered

    @property
    def last(self) -> Message:
        """The assistant message shown last."""
        shown = [self.messages[id] for id in self.tree.path()]
        return next(item for item in reversed(shown) if item.role is Role.ASSISTANT)

    def _find(self, wanted: Callable[[ToolCallPart], Any]) -> tuple[Message, int, ToolCallPart]:
        for id in reversed(self.tree.path()):
            for index, part in enumerate(self.messages[id].parts):
                if isinstance(part, ToolCallPart) and wanted(part):
                    return self.messages[id], index, part
        raise NotFound

    def _store(self, message: Message) -> None:
        write = "update" if message.id in self.messages else "append"
        status = aui_message(message)["status"]["type"]
        is_assistant = message.role is Role.ASSISTANT
        self.writes.append([write, message.role.value, status if is_assistant else None])
        self.messages[message.id] = message

    def report(self) -> dict[str, Any]:
        """What the case looks at."""
        shown = [self.messages[id] for id in self.tree.path()]
        report: dict[str, Any] = {
            "runs": self.calls,
            "runMessages": self.roles_sent,
            "seen": self.seen,
            "roles": [message.role.value for message in shown],
            "history": self.writes,
            "errors": self.errors,
        }
        if any(message.role is Role.ASSISTANT for message in shown):
            last = aui_message(self.last)
            report |= {
                "status": last["status"],
                "content": last["content"],
                "steps": last["metadata"]["steps"],
                "custom": last["metadata"]["custom"],
                "state": last["metadata"]["unstable_state"],
                "branches": len(self.tree.siblings(self.last.id)),
            }
        return report


def _stream(given: dict[str, Any]) -> Iterator[Any]:
    if "yields" in given:
        yield from given["yields"]
    elif "result" in given:
        if given.get("wait"):
            yield "wait"
        yield given["result"]
    else:
        yield given


def _executed(message: Message, calls: tuple[str, ...]) -> Message:
    events = [
        ev.ToolCallResult((index,), TOOL_OUTPUT)
        for index, part in enumerate(message.parts)
        if isinstance(part, ToolCallPart) and part.id in calls
    ]
    ready = replace(
        message,
        parts=tuple(
            replace(part, status=ToolCallStatus.EXECUTING)
            if isinstance(part, ToolCallPart) and part.id in calls
            else part
            for part in message.parts
        ),
    )
    return accumulate(ready, events)
