"""Messages that wait until the thread is free: ordered, taken back, resting, held by a question."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from agentui import actions
from agentui.exceptions import IllegalState, NotFound
from agentui.models import Approval, Message, Run, Thread, ToolCall
from agentui.runtime.database import in_database
from agentui.runtime.launchers import launch
from agentui.runtime.recovery import recover
from agentui.testing import Call, Gate, Say, approve, open_socket, settled

from .conftest import send
from .test_waiting import all_settled, answers, approval_of

pytestmark = pytest.mark.django_db(transaction=True)


def texts_of(messages) -> list[str]:
    return [message.text for message in messages]


async def queue_of(thread) -> list[str]:
    return await in_database(lambda: texts_of(Message.objects.queued().filter(thread=thread.pk)))


async def asked(thread) -> list[str]:
    return await in_database(
        lambda: texts_of(Message.objects.filter(thread=thread.pk, role="user").order_by("seq"))
    )


async def busy(user, script, *roundtrips, queued=("one", "two", "three")):
    """A thread whose first run is held at a gate, with messages behind it."""
    gate = Gate()
    script([gate, Say("First.")], *roundtrips)
    first = await send(user, "first")
    await gate.reached()
    rest = [await send(user, text, thread_id=first.thread.pk) for text in queued]
    return gate, first, rest


async def test_queued_messages_go_in_the_order_their_owner_gives_them(user, script, running):
    gate, first, (one, _two, three) = await busy(user, script, *[[Say("ok")]] * 3)
    queue = await in_database(
        lambda: actions.move_queued_message(user, three.message.pk, before=one.message.pk)
    )
    assert texts_of(queue) == ["three", "one", "two"]
    queue = await in_database(lambda: actions.move_queued_message(user, one.message.pk))
    assert texts_of(queue) == ["three", "two", "one"] == await queue_of(first.thread)
    gate.open()
    await all_settled(first.thread)
    assert await asked(first.thread) == ["first", "three", "two", "one"]


async def test_a_message_that_stops_the_run_goes_ahead_of_the_queue(user, script, running):
    _gate, first, _ = await busy(user, script, *[[Say("ok")]] * 2, queued=("one",))
    await send(user, "now", thread_id=first.thread.pk, on_active="steer")
    await all_settled(first.thread)
    assert await asked(first.thread) == ["first", "now", "one"]


async def test_a_message_that_was_sent_is_not_moved_or_taken_back(
    user, other_user, script, running
):
    gate, first, (one, _two) = await busy(user, script, queued=("one", "two"))
    for act in (actions.move_queued_message, actions.cancel_queued_message):
        with pytest.raises(IllegalState):
            await in_database(act, user, first.message.pk)
        with pytest.raises(NotFound):
            await in_database(act, other_user, one.message.pk)
    with pytest.raises(IllegalState):
        await in_database(
            lambda: actions.move_queued_message(user, one.message.pk, before=first.message.pk)
        )
    assert await queue_of(first.thread) == ["one", "two"]
    await in_database(actions.cancel_queued_message, user, one.message.pk)
    assert await queue_of(first.thread) == ["two"]
    assert await in_database(actions.clear_queue, user, first.thread.pk) == 1
    gate.open()
    await all_settled(first.thread)
    assert await asked(first.thread) == ["first"]


async def test_a_stop_lets_the_queue_rest_until_its_owner_sends_something(user, script, running):
    _gate, first, _ = await busy(user, script, *[[Say("ok")]] * 3, queued=("one", "two"))
    await in_database(actions.cancel_run, user, first.run.pk)
    run = await settled(first.run)
    assert run.reason == "cancelled"
    assert await in_database(recover, launch) == 0
    assert await queue_of(first.thread) == ["one", "two"]
    sent = await send(user, "three", thread_id=first.thread.pk)
    assert sent.run is None
    await all_settled(first.thread)
    assert await asked(first.thread) == ["first", "one", "two", "three"]


async def test_a_resting_queue_goes_on_when_it_is_told_to(user, script, running):
    _gate, first, _ = await busy(user, script, [Say("ok")], queued=("one",))
    await in_database(actions.cancel_run, user, first.run.pk)
    await settled(first.run)
    thread = await in_database(Thread.objects.get, pk=first.thread.pk)
    assert thread.is_queue_paused
    thread = await in_database(actions.resume_queue, user, thread.pk)
    assert not thread.is_queue_paused
    await all_settled(first.thread)
    assert await asked(first.thread) == ["first", "one"]


async def test_a_stop_can_take_the_queue_back_too(user, script, running):
    _gate, first, _ = await busy(user, script, queued=("one", "two"))
    await in_database(lambda: actions.cancel_run(user, first.run.pk, clear=True))
    await settled(first.run)
    assert await queue_of(first.thread) == []
    thread = await in_database(Thread.objects.get, pk=first.thread.pk)
    assert not thread.is_queue_paused


async def test_a_queued_message_does_not_answer_a_question_it_came_before(user, script, running):
    gate = Gate()
    adapter = script(
        [gate, Call("needs_the_user", {"name": "x"})], [Say("Did it.")], [Say("And this.")]
    )
    first = await send(user, "do x")
    await gate.reached()
    await send(user, "and then y", thread_id=first.thread.pk)
    gate.open()
    run = await settled(first.run)
    assert run.status == "requires_action"
    await in_database(recover, launch)
    assert await queue_of(first.thread) == ["and then y"]
    await in_database(approve, await approval_of("x"), user)
    runs = await all_settled(first.thread)
    assert [run.status for run in runs] == ["complete", "complete"]
    assert answers(adapter.requests[1]) == ["did x"]
    adapter.assert_finished()


async def test_a_queued_message_goes_past_what_the_staff_has_to_decide(
    user, staff, script, running
):
    gate = Gate()
    adapter = script(
        [gate, Call("needs_staff", {"name": "x"})], [Say("Sunny.")], [Say("It was done.")]
    )
    first = await send(user, "refund")
    await gate.reached()
    await send(user, "and the weather?", thread_id=first.thread.pk)
    gate.open()
    async with asyncio.timeout(10):
        while len(adapter.requests) < 2 or await queue_of(first.thread):
            await asyncio.sleep(0.02)
    assert "waits for approval" in answers(adapter.requests[1])[0]
    await all_settled(first.thread)
    await in_database(approve, await approval_of("x"), staff)
    runs = await all_settled(first.thread)
    assert [run.status for run in runs] == ["complete"] * 3


async def test_a_new_message_after_a_question_goes_behind_what_was_queued(user, script, running):
    gate = Gate()
    script([gate, Call("needs_the_user", {"name": "x"})], [Say("ok")], [Say("ok")])
    first = await send(user, "do x")
    await gate.reached()
    await send(user, "one", thread_id=first.thread.pk)
    gate.open()
    await settled(first.run)
    await send(user, "never mind x", thread_id=first.thread.pk)
    await all_settled(first.thread)
    assert await asked(first.thread) == ["do x", "one", "never mind x"]
    assert (await in_database(ToolCall.objects.get)).status == "cancelled"
    assert (await in_database(Approval.objects.get)).status == "cancelled"


async def test_a_stopped_call_that_the_model_was_told_of_is_told_as_an_event(
    user, staff, script, running
):
    script([Call("needs_staff", {"name": "x"})], [Say("Sunny.")], [Say("So it was withdrawn.")])
    first = await settled((await send(user, "refund")).run)
    await settled((await send(user, "weather?", thread_id=first.thread_id)).run)
    await in_database(actions.cancel_run, user, first.pk)
    runs = await all_settled(first.thread_id)
    assert next((run.status, run.reason) for run in runs) == ("incomplete", "cancelled")
    event = await in_database(Message.objects.get, role="event")
    assert "now cancelled" in event.text


async def test_the_queue_over_the_socket(user, script, running):
    _gate, first, (one, two) = await busy(user, script, *[[Say("ok")]] * 2, queued=("one", "two"))
    thread = str(first.thread.pk)
    async with open_socket(user) as socket:
        await socket.command("subscribe", thread=thread)
        shot = await socket.until("snapshot")
        assert shot["queued"] == [str(one.message.pk), str(two.message.pk)]
        answer = await socket.command(
            "move_message", message=str(two.message.pk), before=str(one.message.pk)
        )
        assert answer["queued"] == [str(two.message.pk), str(one.message.pk)]
        answer = await socket.command("cancel_run", run=str(first.run.pk))
        assert answer["type"] == "ack"
        frame = await socket.until(
            lambda f: f["type"] == "changes" and f["thread"]["active_run"] is None
        )
        assert frame["thread"]["queue_paused"] is True
        assert frame["queued"] == [str(two.message.pk), str(one.message.pk)]
        assert (await socket.command("clear_queue", thread=thread))["removed"] == 2
        assert (await socket.command("resume_queue", thread=thread))["type"] == "ack"
        unknown = await socket.command("clear_queue", thread=str(uuid.uuid4()))
        assert unknown["code"] == "not_found"
    assert await in_database(Run.objects.count) == 1
