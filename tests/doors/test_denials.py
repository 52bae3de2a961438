"""What becomes of a denial: told word for word, and not asked for again without end."""

from __future__ import annotations

from typing import Any

import pytest

from agentui import actions
from agentui.core import texts
from agentui.models import Approval, Run, ToolCall
from agentui.runtime.database import in_database
from agentui.runtime.prepare import MAX_DENIALS
from agentui.testing import Call, Say, deny, runtime, settled
from tests.core.strict import verify
from tests.models import Effect

pytestmark = pytest.mark.django_db(transaction=True)

REASON = "Use the staging list, not production.\n  – „Größe“ 50 % <b>🙂</b>"


def told(adapter: Any) -> list[str]:
    last = adapter.requests[-1]
    return [part.content for m in last.messages if m.role == "tool" for part in m.parts]


def send(user: Any, thread: Any = None) -> actions.Sent:
    fields = {"thread_id": thread.pk} if thread else {"agent": "tester"}
    return actions.send_message(user, parts=[{"type": "text", "text": "Do x"}], **fields)


def deny_all(staff: Any, thread: Any, most: int = 20) -> int:
    """Deny whatever is asked in this thread, until nothing is; returns how often that was."""
    for count in range(most):
        approval = Approval.objects.pending().filter(thread=thread).first()
        if approval is None:
            return count
        deny(approval, staff, REASON)
    raise AssertionError("asked without end")


def test_the_reason_reaches_the_model_word_for_word(
    user: Any, staff: Any, script: Any, immediate: None
) -> None:
    adapter = script([Call("needs_staff", {"name": "x"})], [Say("It was denied.")])
    sent = send(user)
    deny_all(staff, sent.thread)
    assert REASON in told(adapter)[0]
    verify(adapter.requests[-1].messages)
    call = ToolCall.objects.get()
    assert (call.status, call.is_error) == ("denied", True)


def test_the_same_call_is_not_asked_for_twice_in_one_answer(
    user: Any, staff: Any, script: Any, immediate: None
) -> None:
    again = Call("needs_staff", {"name": "git log"})
    adapter = script([again], [again], [again], [Say("I may not do that: it was denied.")])
    sent = send(user)
    assert deny_all(staff, sent.thread) == 1
    assert Approval.objects.count() == 1
    assert told(adapter)[1:] == [texts.DENIED_BEFORE] * 2
    assert "honestly" in texts.DENIED_BEFORE
    run = Run.objects.get()
    assert (run.status, run.reason) == ("complete", "stop")
    assert run.message.text == "I may not do that: it was denied."
    automatic = ToolCall.objects.filter(is_automatic=True)
    assert {call.status for call in automatic} == {"denied"}
    assert Effect.objects.count() == 0


def test_other_arguments_are_asked_about_a_few_times_and_then_no_more(
    user: Any, staff: Any, script: Any, immediate: None, monkeypatch: Any
) -> None:
    from tests.agents import tester

    monkeypatch.setattr(tester, "max_roundtrips", 10)
    tries = [[Call("needs_staff", {"name": f"x{n}"})] for n in range(6)]
    adapter = script(*tries, [Say("It was denied.")])
    sent = send(user)
    assert deny_all(staff, sent.thread) == MAX_DENIALS
    assert told(adapter)[MAX_DENIALS:] == [texts.DENIED_TOO_OFTEN] * (6 - MAX_DENIALS)
    assert Run.objects.get().message.text == "It was denied."


def test_a_model_that_never_stops_is_stopped_and_the_answer_says_so(
    user: Any, staff: Any, script: Any, immediate: None
) -> None:
    script(*[[Call("needs_staff", {"name": "git log"})] for _ in range(10)])
    sent = send(user)
    assert deny_all(staff, sent.thread) == 1
    run = Run.objects.select_related("message").get()
    assert (run.status, run.reason, run.roundtrips) == ("incomplete", "max_roundtrips", 4)
    assert run.message.error is not None
    assert run.message.error["code"] == "max_roundtrips"
    assert "4" in run.message.error["message"]


def test_the_person_may_ask_for_it_again(
    user: Any, staff: Any, script: Any, immediate: None
) -> None:
    again = Call("needs_staff", {"name": "x"})
    script([again], [Say("Denied.")], [again], [Say("Denied again.")])
    sent = send(user)
    assert deny_all(staff, sent.thread) == 1
    send(user, sent.thread)
    assert deny_all(staff, sent.thread) == 1
    assert Approval.objects.count() == 2


async def test_the_reason_is_told_after_a_restart(user: Any, staff: Any, script: Any) -> None:
    """Denied while no process of the site runs; another one goes on with what is in the rows."""
    adapter = script([Call("needs_staff", {"name": "x"})], [Say("It was denied.")])
    async with runtime():
        sent = await in_database(send, user)
        assert (await settled(sent.run)).status == "requires_action"
    await in_database(deny_all, staff, sent.thread)
    async with runtime():
        run = await settled(sent.run)
    assert (run.status, run.message.text) == ("complete", "It was denied.")
    assert REASON in told(adapter)[0]
    verify(adapter.requests[-1].messages)
