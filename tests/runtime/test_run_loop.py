"""One reply, from message to finish, through the rows."""

from __future__ import annotations

import asyncio
import json

import pytest

from agentui import actions
from agentui.exceptions import ModelError
from agentui.models import Approval, Message, Run, ToolCall
from agentui.runtime.database import in_database
from agentui.testing import Call, Fail, Finish, Gate, Say, Think, approve, deny, settled
from tests.agents import tester
from tests.models import Effect

from .conftest import send

pytestmark = pytest.mark.django_db(transaction=True)


async def calls_of(run: Run) -> list[ToolCall]:
    return await in_database(lambda: list(ToolCall.objects.filter(run=run)))


async def test_a_message_is_answered_and_everything_is_in_rows(user, script, running):
    adapter = script([Think("Hm."), Say("Hello Ada.")])
    sent = await send(user)
    run = await settled(sent.run)
    assert (run.status, run.reason, run.roundtrips) == ("complete", "stop", 1)
    message = run.message
    assert message.parts == [
        {"type": "reasoning", "text": "Hm."},
        {"type": "text", "text": "Hello Ada."},
    ]
    assert (message.status, message.reason) == ("complete", "stop")
    assert run.usage["output_tokens"] > 0
    assert adapter.requests[0].instructions == "You are tested."
    adapter.assert_finished()


async def test_the_assistant_message_stands_there_empty_before_the_first_token(
    user, script, running
):
    gate = Gate()
    script([gate, Say("Late.")])
    sent = await send(user)
    await gate.reached()
    message = await in_database(Message.objects.get, pk=sent.run.message_id)
    assert (message.parts, message.status) == ([], "running")
    gate.open()
    assert (await settled(sent.run)).status == "complete"


async def test_tools_run_side_by_side_and_their_results_come_back_in_order(user, script, running):
    adapter = script(
        [Call("add", {"a": 1, "b": 2}), Call("add_async", {"a": 3, "b": 4})], [Say("3 and 7")]
    )
    run = await settled((await send(user)).run)
    assert run.status == "complete"
    calls = await calls_of(run)
    assert [(call.status, call.result) for call in calls] == [("complete", 3), ("complete", 7)]
    results = [part for m in adapter.requests[1].messages if m.role == "tool" for part in m.parts]
    assert [part.content for part in results] == ["3", "7"]


async def test_each_failure_becomes_an_answer_that_the_model_can_correct(user, script, running):
    adapter = script(
        [
            Call("no_such_tool", {}),
            Call("add", '{"a": 1'),
            Call("add", {"a": "x", "b": 2}),
            Call("break_down", {}),
            Call("sleep_too_long", {}),
        ],
        [Say("Sorry.")],
    )
    run = await settled((await send(user)).run)
    assert run.status == "complete"
    calls = await calls_of(run)
    assert [call.status for call in calls] == ["failed"] * 5
    said = " ".join(str(call.result) for call in calls)
    assert "hunter2" not in said
    assert "no tool named 'no_such_tool'" in said
    adapter.assert_finished()


async def test_a_call_that_needs_the_user_waits_and_holds_nothing(user, script, running):
    script([Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    run = await settled((await send(user)).run)
    assert (run.status, run.reason, run.lease_owner) == ("requires_action", "tool_calls", "")
    approval = await in_database(Approval.objects.get, tool_call__run=run)
    await in_database(approve, approval, user)
    run = await settled(run)
    assert (run.status, run.attempt) == ("complete", 2)
    assert await in_database(Effect.objects.count) == 1
    assert run.message.parts[-1] == {"type": "text", "text": "Done."}


async def test_a_denial_reaches_the_model_word_for_word(user, script, running):
    adapter = script([Call("needs_the_user", {"name": "x"})], [Say("Fine.")])
    run = await settled((await send(user)).run)
    approval = await in_database(Approval.objects.get, tool_call__run=run)
    await in_database(deny, approval, user, "Not on  a Sunday – 50 % only")
    run = await settled(run)
    assert run.status == "complete"
    assert "Not on  a Sunday – 50 % only" in adapter.requests[1].messages[-1].parts[0].content
    assert await in_database(Effect.objects.count) == 0


async def test_approved_and_denied_calls_of_one_message_each_have_one_answer(user, script, running):
    adapter = script(
        [
            Call("needs_the_user", {"name": "a"}),
            Call("add", {"a": 1, "b": 1}),
            Call("needs_the_user", {"name": "b"}),
        ],
        [Say("Done.")],
    )
    run = await settled((await send(user)).run)
    calls = await calls_of(run)
    assert [call.status for call in calls] == [
        "awaiting_approval",
        "complete",
        "awaiting_approval",
    ]
    await in_database(deny, await in_database(Approval.objects.get, tool_call=calls[2]), user)
    assert len(adapter.requests) == 1
    await in_database(approve, await in_database(Approval.objects.get, tool_call=calls[0]), user)
    run = await settled(run)
    assert run.status == "complete"
    assert [call.status for call in await calls_of(run)] == ["complete", "complete", "denied"]
    assert [part.id for part in adapter.requests[1].messages[-1].parts] == [
        call.tool_call_id for call in calls
    ]


async def test_roundtrips_are_limited_and_the_message_says_so(user, script, running):
    script(*[[Call("add", {"a": 1, "b": n})] for n in range(4)])
    run = await settled((await send(user)).run)
    assert (run.status, run.reason, run.roundtrips) == ("incomplete", "max_roundtrips", 4)


async def test_an_error_keeps_what_was_said_and_shows_a_safe_text(user, script, running):
    script([Say("I will"), Fail("The model is busy.", code="overloaded")])
    run = await settled((await send(user)).run)
    assert (run.status, run.reason) == ("incomplete", "error")
    assert run.message.parts == [{"type": "text", "text": "I will"}]
    assert run.message.error == {"code": "overloaded", "message": "The model is busy."}


async def test_an_adapters_own_fault_is_not_told(user, script, running):
    script([Fail(error=RuntimeError("key sk-secret"))])
    run = await settled((await send(user)).run)
    assert run.reason == "error"
    assert "sk-secret" not in json.dumps(run.message.error)


async def test_a_cut_answer_runs_none_of_its_calls(user, script, running):
    script([Call("record_effect", {"name": "x"}), Finish("length")])
    run = await settled((await send(user)).run)
    assert (run.status, run.reason) == ("incomplete", "length")
    assert [call.status for call in await calls_of(run)] == ["cancelled"]
    assert await in_database(Effect.objects.count) == 0


async def test_stop_keeps_the_text_and_begins_no_further_tool(user, script, running):
    gate = Gate()
    script([Say("Once upon"), gate, Say(" a time"), Call("record_effect", {"name": "x"})])
    sent = await send(user)
    await gate.reached()
    await in_database(actions.cancel_run, user, sent.run.pk)
    run = await settled(sent.run)
    assert (run.status, run.reason) == ("incomplete", "cancelled")
    assert run.message.parts == [{"type": "text", "text": "Once upon"}]
    assert await in_database(Effect.objects.count) == 0


async def test_stop_during_a_tool_says_that_it_may_have_had_effects(user, script, running):
    script([Call("wait_forever"), Call("record_effect", {"name": "x"})], [Say("never")])
    sent = await send(user)
    executing = ToolCall.objects.filter(tool_name="wait_forever", status="executing")
    async with asyncio.timeout(30):
        while not await in_database(executing.all().exists):
            await asyncio.sleep(0.02)
    await in_database(actions.cancel_run, user, sent.run.pk)
    run = await settled(sent.run)
    assert (run.status, run.reason) == ("incomplete", "cancelled")
    assert (await calls_of(run))[0].status == "interrupted"


async def test_a_failing_transaction_leaves_nothing(user, script, running):
    script([Call("record_then_fail", {"name": "x"})], [Say("Sorry.")])
    run = await settled((await send(user)).run)
    assert [call.status for call in await calls_of(run)] == ["failed"]
    assert await in_database(Effect.objects.count) == 0


async def test_a_transactional_tool_writes_once(user, script, running):
    script([Call("record_exactly_once", {"name": "x"})], [Say("Done.")])
    run = await settled((await send(user)).run)
    (call,) = await calls_of(run)
    assert (call.status, call.result) == ("complete", "done")
    effect = await in_database(Effect.objects.get)
    assert effect.key == call.idempotency_key


async def test_a_message_sent_while_a_run_is_active_is_queued_and_goes_next(user, script, running):
    gate = Gate()
    script([gate, Say("One.")], [Say("Two.")])
    first = await send(user, "1")
    second = await send(user, "2", thread_id=first.thread.pk)
    assert second.run is None
    gate.open()
    await settled(first.run)
    run = await in_database(lambda: Run.objects.exclude(pk=first.run.pk).get())
    run = await settled(run)
    assert run.message.parts == [{"type": "text", "text": "Two."}]
    assert run.message.parent_id == second.message.pk


async def test_what_is_unfit_for_a_database_is_cleaned_once(user, script, running):
    script(
        [
            Say(("nul\x00 ", "lone \ud83c", " pair \ud83c", "\udf89")),
            Call("echo", {"value": "a\x00b"}),
        ],
        [Say("ok")],
    )
    run = await settled((await send(user, "he\x00llo")).run)
    text = run.message.parts[0]["text"]
    assert text == "nul lone � pair 🎉"
    (call,) = await calls_of(run)
    assert call.result == "ab"
    question = await in_database(Message.objects.get, pk=run.message.parent_id)
    assert question.parts == [{"type": "text", "text": "hello"}]


def test_with_the_immediate_launcher_a_run_is_over_when_the_call_returns(user, script, immediate):
    script([Call("add", {"a": 1, "b": 2})], [Say("3")])
    sent = actions.send_message(user, agent="tester", parts=[{"type": "text", "text": "1+2?"}])
    sent.run.refresh_from_db()
    assert sent.run.status == "complete"


async def test_an_error_before_the_model_was_asked_is_stored_clean(
    user, script, running, monkeypatch
):
    """PostgreSQL stores no NUL: the run would not end, and be begun again and again."""

    def instructions(context):
        raise ModelError("No\x00 such\ud83c place.")

    script()
    monkeypatch.setattr(tester, "instructions", instructions)
    run = await settled((await send(user)).run)
    assert (run.status, run.reason) == ("incomplete", "error")
    assert run.message.error == {"code": "model_error", "message": "No such\ufffd place."}
