"""What must be true of the rows of the stayer's threads, whatever happened to the processes."""

from __future__ import annotations

from collections import Counter

from agentui.core.history import build_history
from agentui.models import Approval, Message, Run, Thread, ToolCall
from agentui.runtime.store.state import core_message
from tests.core.strict import verify
from tests.models import Effect

AT_MOST_ONCE = ("mail", "mail_if_asked")


def check_all() -> Counter[str]:
    """Raise unless every promise is kept; returns how the calls ended."""
    _nothing_is_stuck()
    _nothing_is_lost()
    _no_effect_twice()
    for thread in Thread.objects.all():
        history_is_valid(thread)
    return Counter(f"{call.tool_name} {call.status}" for call in ToolCall.objects.all())


def _nothing_is_stuck() -> None:
    open_runs = Run.objects.exclude(status__in=("complete", "incomplete"))
    assert not open_runs.exists(), [(run.pk, run.status, run.reason) for run in open_runs]
    assert not ToolCall.objects.open().exists()
    assert not Approval.objects.pending().exists()
    assert not Message.objects.filter(status__in=("queued", "running")).exists()


def _nothing_is_lost() -> None:
    for question in Message.objects.filter(role="user"):
        answer = question.children.get()
        assert answer.status == "complete", (answer.status, answer.reason, answer.error)
        assert answer.text.endswith(f"Done with {question.text}."), answer.text
        assert answer.text.count("Word by word by word.") == 3, answer.text


def _no_effect_twice() -> None:
    effects = Counter(Effect.objects.values_list("key", flat=True))
    for call in ToolCall.objects.all():
        done = effects.pop(call.idempotency_key, 0)
        told = (call.tool_name, call.status, done)
        assert done <= 1, told
        match call.status:
            case "complete":
                assert done == 1, told
            case "interrupted":
                assert call.tool_name in AT_MOST_ONCE, told
            case "denied":
                assert done == 0, told
            case _:
                raise AssertionError(told)
    assert not effects, "effects of no call"


def history_is_valid(thread: Thread) -> None:
    rows = Message.objects.branch(thread.head_id, 1000)
    messages = []
    for row in rows:
        calls = ToolCall.objects.filter(message=row).select_related("approval")
        messages.append(core_message(row, calls))
    verify(build_history(messages, model="any"))
