"""Recording what an interrupted call really did: somebody looked, and says so."""

from __future__ import annotations

import json
from typing import Any

from ..agents import registry
from ..core import texts
from ..core.clean import clean
from ..core.statuses import Role, RunStatus, ToolCallStatus, ToolKind
from ..exceptions import IllegalState, InvalidInput, NotFound, TooLarge, UnknownAgent
from ..models import CallRecord, Message, Run, Thread, ToolCall
from ..permissions import may_record_outcome
from ..runtime.store import add_message, changing, dispatch_next, wake_run
from ..runtime.store.again import run_again_part
from ..runtime.store.changes import after_commit
from ..signals import outcome_recorded
from .decision_checks import checked_answer
from .lookups import get_any_tool_call, signed_in

MAX_NOTE = 4000


def record_outcome(
    user: Any, call_id: Any, *, finding: str, result: Any = None, note: str = "", door: str
) -> CallRecord:
    """Say what an interrupted call did: ``done`` (with its result), ``not_done`` or ``unknown``.

    What follows is one transaction. A call that was not done is run again, where its tool is still
    the one it was. While the model has not been told of the interruption, the call itself changes;
    afterwards the finding enters the thread as an event, for what it was told is never rewritten.

    Raises :class:`NotFound` (no such call, or not yours to record), :class:`IllegalState` (it is not
    interrupted any more) and :class:`InvalidInput`, with nothing changed.
    """
    signed_in(user)
    if finding not in CallRecord.Finding.values:
        raise InvalidInput("finding must be done, not_done or unknown.")
    call = get_any_tool_call(call_id)
    if not may_record_outcome(user, call):
        raise NotFound
    words, answer = _checked_note(note), checked_answer(None, result)
    with changing(call.thread_id) as thread:
        call = ToolCall.objects.select_related("run", "message").get(pk=call.pk)
        if call.status != ToolCallStatus.INTERRUPTED:
            raise IllegalState("This call is not interrupted, or its outcome was recorded already.")
        record = CallRecord.objects.create(
            tool_call=call,
            user=user,
            username=user.get_username()[:150],
            finding=finding,
            result=answer if finding == CallRecord.Finding.DONE else None,
            note=words,
            door=door,
        )
        if _was_told(call):
            _tell(thread, call, record)
        else:
            _correct(thread, call, record)
        after_commit(outcome_recorded, ToolCall, tool_call=call, record=record)
    return record


def can_run_again(call: ToolCall) -> bool:
    """Is the tool behind this call still there, and the same?"""
    if call.kind != ToolKind.SERVER:
        return False
    try:
        tool = registry.get(call.run.agent).tool(call.tool_name)
    except UnknownAgent:
        return False
    return tool is not None and tool.digest == call.tool_digest


def _was_told(call: ToolCall) -> bool:
    """Has the model been asked since, or may it be asked at any moment?"""
    run: Run = call.run
    if run.status != RunStatus.REQUIRES_ACTION or run.is_detached:
        return True
    steps = call.message.metadata.get("steps") or []
    return any(step.get("start", 0) > call.position for step in steps)


def _correct(thread: Thread, call: ToolCall, record: CallRecord) -> None:
    """The run still waits for something else: it goes on with what was found out."""
    match record.finding:
        case CallRecord.Finding.DONE:
            call.settle(
                ToolCallStatus.COMPLETE,
                result=record.result,
                model_content=texts.found_done(_text(record.result)),
                is_error=False,
                version=thread.version,
            )
        case CallRecord.Finding.NOT_DONE if can_run_again(call):
            ToolCall.objects.filter(pk=call.pk, status=ToolCallStatus.INTERRUPTED).update(
                status=ToolCallStatus.PENDING,
                result=None,
                is_error=False,
                finished_at=None,
                version=thread.version,
            )
        case CallRecord.Finding.NOT_DONE:
            call.settle(
                ToolCallStatus.FAILED,
                result=texts.FOUND_NOT_DONE,
                is_error=True,
                version=thread.version,
            )
        case _:
            ToolCall.objects.filter(pk=call.pk).update(
                result=texts.FOUND_UNKNOWN, version=thread.version
            )
    if not wake_run(thread, call.run):
        dispatch_next(thread)


def _tell(thread: Thread, call: ToolCall, record: CallRecord) -> None:
    """The page shows what was found out; the model keeps what it was told, and is told the rest."""
    kept = call.result if call.model_content is None else call.model_content
    more: list[dict[str, Any]] = []
    match record.finding:
        case CallRecord.Finding.DONE:
            text = texts.found_done(_text(record.result))
            call.settle(
                ToolCallStatus.COMPLETE,
                result=record.result,
                model_content=kept,
                is_error=False,
                version=thread.version,
            )
        case CallRecord.Finding.NOT_DONE:
            text = texts.FOUND_NOT_DONE
            if can_run_again(call):
                text, more = texts.RUNS_AGAIN, [run_again_part(call)]
            call.settle(
                ToolCallStatus.FAILED,
                result=texts.FOUND_NOT_DONE,
                model_content=kept,
                is_error=True,
                version=thread.version,
            )
        case _:
            text = texts.FOUND_UNKNOWN
            ToolCall.objects.filter(pk=call.pk).update(
                result=text, model_content=kept, version=thread.version
            )
    call.refresh_from_db()
    data = {"tool_call": str(call.pk), "tool_name": call.tool_name, "status": call.status}
    add_message(
        thread,
        role=Role.EVENT,
        parts=[
            {"type": "text", "text": texts.found(call.tool_name, call.effective_args_text, text)},
            {"type": "data", "name": "tool_call_outcome", "data": data},
            *more,
        ],
        parent=None,
        status=RunStatus.QUEUED,
        lane=Message.Lane.STEER,
    )
    dispatch_next(thread)


def _text(result: Any) -> str:
    if result is None:
        return ""
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


def _checked_note(note: Any) -> str:
    if not isinstance(note, str):
        raise InvalidInput("note must be a string.")
    words: str = clean(note)
    if len(words) > MAX_NOTE:
        raise TooLarge(f"A note may have {MAX_NOTE:,} characters; this one has {len(words):,}.")
    return words
