"""Answers that come from outside the server: from a page's handler, or from the person."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.utils import timezone

from ..conf import app_settings
from ..core.clean import clean
from ..core.statuses import ToolCallStatus, ToolKind
from ..exceptions import (
    ClaimedElsewhere,
    InvalidInput,
    NotAwaitingResult,
    TooLarge,
)
from ..models import ToolCall
from ..runtime.store import changing, dispatch_next, tell_outcome, wake_run
from ..runtime.store.changes import after_commit
from ..signals import tool_call_finished
from .decision_checks import checked_answer
from .lookups import get_tool_call

_OPEN = (ToolCallStatus.PENDING, ToolCallStatus.APPROVED, ToolCallStatus.EXECUTING)
_MAX_TAB = 100


def claim_tool_call(user: Any, call_id: Any, *, tab: str) -> ToolCall:
    """Let this tab run the call. One tab has it at a time; the same tab may claim it again.

    Raises :class:`ClaimedElsewhere`, or :class:`NotAwaitingResult` for a call that is not open for a
    browser: answered, waiting for approval, or the server's own.
    """
    call = get_tool_call(user, call_id)
    with changing(call.thread_id) as thread:
        call.refresh_from_db()
        _check_open(call)
        lease = timedelta(seconds=app_settings.FRONTEND_CLAIM_SECONDS)
        if not call.claim_for_tab(_checked_tab(tab), lease):
            raise ClaimedElsewhere
        ToolCall.objects.filter(pk=call.pk).update(version=thread.version)
        call.refresh_from_db()
    return call


def submit_tool_result(
    user: Any, call_id: Any, *, tab: str, result: Any = None, error: str | None = None
) -> tuple[ToolCall, bool]:
    """Answer an open browser or human call; the first answer stands. Returns whether this was it.

    Only the thread's own user may answer, only a call that is not the server's, and only while no
    other tab holds it. ``error`` makes it a failed call, which the model sees and the run survives.
    """
    call = get_tool_call(user, call_id)
    answer = _checked_result(call, result) if error is None else _checked_error(error)
    with changing(call.thread_id) as thread:
        call.refresh_from_db()
        if call.kind == ToolKind.SERVER:
            raise NotAwaitingResult("This tool runs on the server; a page cannot answer it.")
        if call.status not in _OPEN:
            if call.finished_at is None:
                raise NotAwaitingResult
            return call, False
        if (
            call.claimed_by not in ("", _checked_tab(tab))
            and call.claim_expires_at
            and call.claim_expires_at > timezone.now()
        ):
            raise ClaimedElsewhere
        status = ToolCallStatus.COMPLETE if error is None else ToolCallStatus.FAILED
        if not call.settle(
            status,
            frm=_OPEN,
            result=answer,
            is_error=error is not None,
            claimed_by=_checked_tab(tab),
            version=thread.version,
        ):
            return call, False
        call.refresh_from_db()
        tell_outcome(thread, call)
        if not wake_run(thread, call.run):
            dispatch_next(thread)
        after_commit(tool_call_finished, ToolCall, tool_call=call)
    return call, True


def _check_open(call: ToolCall) -> None:
    if call.kind == ToolKind.SERVER or call.status not in _OPEN:
        raise NotAwaitingResult


def _checked_tab(tab: Any) -> str:
    if not isinstance(tab, str) or not tab.strip() or len(tab) > _MAX_TAB:
        raise InvalidInput(f"tab must be a string of 1 to {_MAX_TAB} characters.")
    name: str = clean(tab)
    return name


def _checked_result(call: ToolCall, result: Any) -> Any:
    size = len(json.dumps(result, default=str))
    if size > app_settings.MAX_TOOL_RESULT_BYTES:
        raise TooLarge(
            f"A result may have {app_settings.MAX_TOOL_RESULT_BYTES:,} bytes; this one has {size:,}."
        )
    return checked_answer(call.answer_schema, result)


def _checked_error(error: Any) -> str:
    if not isinstance(error, str):
        raise InvalidInput("error must be a string.")
    return clean(error)[:4000] or "The page's tool failed."
