"""Known faults of this kind of software, by their numbers in tests/faults.md: runs and rows."""

from __future__ import annotations

import asyncio
import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from agentui import actions
from agentui.exceptions import ApprovalClosed, ApprovalExpired, Conflict
from agentui.models import Approval, Message, Run, Thread, ToolCall
from agentui.runtime import publish
from agentui.runtime.database import in_database
from agentui.runtime.launchers import launch
from agentui.runtime.listening import Listener
from agentui.runtime.recovery import recover
from agentui.testing import Call, Fail, Finish, Gate, Say, approve, runtime, settled
from agentui.testing.crashes import crashing
from tests.agents import tester
from tests.core.strict import verify
from tests.models import Effect

from .conftest import send
from .test_recovery import lose_lease
from .test_waiting import approval_of

pytestmark = pytest.mark.django_db(transaction=True)


async def test_fault_24_a_stream_that_breaks_after_a_word_is_not_begun_again(user, script, running):
    adapter = script(
        [Say("Here is the plan"), Call("echo", ('{"value":"pri',)), Fail(retryable=True)],
        [Say("never")],
    )
    run = await settled((await send(user)).run)
    assert (run.status, run.reason) == ("incomplete", "error")
    assert run.message.text == "Here is the plan"
    assert len(adapter.requests) == 1
    assert (await in_database(ToolCall.objects.get)).status == "cancelled"


async def test_fault_24_one_that_breaks_before_is_and_nothing_is_doubled(user, script, running):
    adapter = script([Fail(retryable=True)], [Say("Here is the plan.")])
    run = await settled((await send(user)).run)
    assert run.status == "complete"
    assert run.message.parts == [{"type": "text", "text": "Here is the plan."}]
    assert len(adapter.requests) == 2


async def test_fault_25_arguments_that_were_cut_are_not_run_and_the_thread_goes_on(
    user, script, running
):
    adapter = script(
        [Call("record_effect", ('{"name":"Alp',)), Finish("length")], [Say("Shorter.")]
    )
    first = await send(user)
    run = await settled(first.run)
    assert (run.status, run.reason) == ("incomplete", "length")
    run = await settled((await send(user, "again", thread_id=first.thread.pk)).run)
    assert run.status == "complete"
    verify(adapter.requests[1].messages)
    (told,) = [m for m in adapter.requests[1].messages if m.role == "tool"]
    assert "length" in told.parts[0].content
    assert await in_database(Effect.objects.count) == 0


async def test_fault_26_a_stopped_call_has_an_answer_in_every_later_request(user, script, running):
    adapter = script(
        [Call("wait_forever"), Call("add", {"a": 1, "b": 2})], [Say("Ten.")], [Say("Yes.")]
    )
    first = await send(user, "run the report")
    async with asyncio.timeout(5):
        while not await in_database(
            ToolCall.objects.filter(tool_name="add", status="complete").exists
        ):
            await asyncio.sleep(0.02)
    await in_database(actions.cancel_run, user, first.run.pk)
    await settled(first.run)
    for text in ("never mind, what time is it?", "sure?"):
        run = await settled((await send(user, text, thread_id=first.thread.pk)).run)
        assert run.status == "complete"
    told = []
    for request in adapter.requests[1:]:
        verify(request.messages)
        told.append([p.content for m in request.messages if m.role == "tool" for p in m.parts])
    assert told[0] == told[1]
    assert "may have had effects" in told[0][0]
    assert told[0][1] == "3"


async def test_fault_28_a_stop_during_a_batch_begins_no_further_call(
    user, script, running, monkeypatch
):
    monkeypatch.setattr(tester, "tool_concurrency", 1)
    script(
        [
            Call("wait_forever"),
            Call("record_effect", {"name": "b"}),
            Call("record_effect", {"name": "c"}),
        ]
    )
    sent = await send(user)
    async with asyncio.timeout(5):
        while not await in_database(ToolCall.objects.filter(status="executing").exists):
            await asyncio.sleep(0.02)
    await in_database(actions.cancel_run, user, sent.run.pk)
    await settled(sent.run)
    calls = await in_database(lambda: list(ToolCall.objects.order_by("position")))
    assert [call.status for call in calls] == ["interrupted", "cancelled", "cancelled"]
    assert await in_database(Effect.objects.count) == 0


async def test_fault_32_the_reply_to_an_edit_hears_nothing_of_the_old_branch(
    user, staff, script, running
):
    adapter = script(
        [Call("needs_staff", {"name": "Alpha"})], [Call("needs_staff", {"name": "Beta"})]
    )
    sent = await send(user, "rename Alpha")
    await settled(sent.run)
    old = await approval_of("Alpha")
    edited = await in_database(
        actions.edit_message, user, sent.message.pk, parts=[{"type": "text", "text": "Beta"}]
    )
    run = await settled(edited.run)
    with pytest.raises(ApprovalClosed):
        await in_database(approve, old, staff)
    assert [message.role for message in adapter.requests[1].messages] == ["user"]
    assert run.message.parent_id == edited.message.pk
    assert await in_database(
        lambda: list(Approval.objects.pending().values_list("tool_call__args__name", flat=True))
    ) == ["Beta"]


async def test_fault_44_expiry_changes_approval_call_and_run_together(user, staff, script, running):
    adapter = script([Call("needs_staff", {"name": "x"})], [Say("Too late.")])
    run = await settled((await send(user)).run)
    approval = await approval_of("x")
    past = timezone.now() - timedelta(seconds=1)
    await in_database(Approval.objects.update, expires_at=past)
    await in_database(recover, launch)
    run = await settled(run)
    call = await in_database(ToolCall.objects.select_related("approval").get)
    assert (call.approval.status, call.status, run.status) == ("expired", "expired", "complete")
    told = adapter.requests[1].messages[-1].parts[0].content
    assert "has expired" in told
    assert "will" not in told
    with pytest.raises((ApprovalExpired, ApprovalClosed, Conflict)):
        await in_database(approve, approval, staff)
    assert await in_database(Effect.objects.count) == 0


@pytest.mark.parametrize(
    ("function", "after", "effects", "status"),
    [
        ("claim_call", False, 1, "complete"),
        ("claim_call", True, 0, "interrupted"),
        ("settle_call", False, 1, "interrupted"),
        ("settle_call", True, 1, "complete"),
    ],
    ids=["before the claim", "before the tool", "after the effect", "after the result"],
)
async def test_fault_54_a_crash_around_an_effect(
    user, script, settings, function, after, effects, status
):
    settings.AGENTUI = {**settings.AGENTUI, "RECOVERY_INTERVAL": 0.2}
    adapter = script([Call("record_effect", {"name": "mail"})], [Say("ok")])
    sent = await send(user)
    with crashing(1, after_commit=after, function=function) as death:
        async with runtime():
            async with asyncio.timeout(10):
                while not death.has_come:
                    await asyncio.sleep(0.01)
            # The tool runs on in its thread for a moment: the process is not quite dead.
            await asyncio.sleep(0.05)
    async with runtime():
        await in_database(lose_lease, sent.run.pk)
        await in_database(recover, launch)
        await in_database(recover, launch)
        run = await settled(sent.run)
    call = await in_database(ToolCall.objects.get)
    assert (run.status, call.status) == ("complete", status)
    assert await in_database(Effect.objects.count) == effects
    verify(adapter.requests[-1].messages)


def test_fault_58_two_sends_at_once_start_one_run(user, script):
    thread = actions.create_thread(user, agent="tester")
    barrier = threading.Barrier(6)
    errors: list[Exception] = []

    def send_at_once(number: int) -> None:
        barrier.wait()
        try:
            actions.send_message(
                user, thread_id=thread.pk, parts=[{"type": "text", "text": f"m{number}"}]
            )
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    workers = [threading.Thread(target=send_at_once, args=(n,)) for n in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not errors
    assert Run.objects.filter(thread=thread).count() == 1
    assert Message.objects.queued().filter(thread=thread).count() == 5


class Rolled(Exception):
    """A site's own view fails after it has called an action."""


async def test_fault_72_nothing_is_launched_or_told_before_the_commit(user, staff, script, running):
    """A site approves inside its own transaction, then something of its own fails."""
    adapter = script([Call("needs_staff", {"name": "x"})], [Say("Done.")])
    run = await settled((await send(user)).run)
    approval = await approval_of("x")
    heard: list[dict[str, object]] = []

    def in_a_view(*, fails: bool) -> None:
        try:
            with transaction.atomic():
                approve(approval, staff)
                # Time for a worker that does not wait for the commit, and for a hint to arrive.
                time.sleep(0.3)
                if fails:
                    raise Rolled
        finally:
            connection.close()

    group = publish.thread_group(run.thread_id)
    async with Listener(group, heard.append, lambda: None):
        with pytest.raises(Rolled):
            await asyncio.to_thread(in_a_view, fails=True)
        assert heard == []
        assert len(adapter.requests) == 1
        assert (await approval_of("x")).status == "pending"
        assert (await settled(run)).status == "requires_action"
        assert await in_database(Effect.objects.count) == 0

        await asyncio.to_thread(in_a_view, fails=False)
        run = await settled(run)
    assert heard
    assert (run.status, len(adapter.requests)) == ("complete", 2)


async def test_fault_90_order_is_a_number_and_never_a_time(user, script, running):
    script(*[[Say(f"answer {n}")] for n in range(4)])
    thread = None
    for number in range(4):
        fields = {"thread_id": thread} if thread else {}
        sent = await send(user, f"question {number}", **fields)
        thread = sent.thread.pk
        await settled(sent.run)
    same = timezone.now()
    await in_database(Message.objects.update, created_at=same)
    await in_database(Run.objects.update, created_at=same)
    head = (await in_database(Thread.objects.get)).head_id
    seqs: list[int] = []
    after = 0
    while page := await in_database(
        lambda after=after: Message.objects.branch_page(head, limit=3, after_seq=after)
    ):
        seqs += [message.seq for message in page]
        after = seqs[-1]
    assert seqs == sorted(set(seqs))
    assert len(seqs) == 8


async def test_fault_91_what_a_deleted_threads_run_still_does_changes_nothing(
    user, staff, script, running
):
    gate = Gate()
    script([Say("Once"), gate, Say(" upon"), Call("needs_staff", {"name": "x"})])
    sent = await send(user)
    await gate.reached()
    await in_database(actions.delete_thread, user, sent.thread.pk)
    gate.open()
    await asyncio.sleep(0.5)
    for model in (Thread, Message, Run, ToolCall, Approval):
        assert await in_database(model.objects.count) == 0


async def test_fault_92_runs_writers_and_a_long_reader_at_once(user, script, running):
    """On SQLite this is "database is locked"; on PostgreSQL it is a matter of course."""
    adapter = script(*[[Say("word " * 30)]] * 15, delay=0.0005)
    stop = threading.Event()

    def read_on_and_on() -> None:
        try:
            while not stop.is_set():
                for _ in Message.objects.iterator(chunk_size=1):
                    time.sleep(0.005)
        finally:
            connection.close()

    reader = threading.Thread(target=read_on_and_on)
    reader.start()
    try:
        sent = await asyncio.gather(*(send(user, f"thread {n}") for n in range(5)))
        more = [
            await send(user, f"more {n}", thread_id=one.thread.pk) for n in range(2) for one in sent
        ]
        async with asyncio.timeout(40):
            while await in_database(Run.objects.filter(status="complete").count) < 15:
                await asyncio.sleep(0.05)
    finally:
        stop.set()
        await asyncio.to_thread(reader.join)
    assert len(more) == 10
    assert len(adapter.requests) == 15
    assert not await in_database(Run.objects.exclude(status="complete").exists)


async def test_fault_94_arguments_of_one_character_at_a_time_are_linear(user, script, running):
    async def seconds_for(size: int) -> tuple[float, float]:
        text = '{"value":"' + "x" * size + '"}'
        script([Call("echo", tuple(text))], [Say("ok")])
        longest, last = 0.0, time.perf_counter()
        begun, cpu = time.perf_counter(), time.process_time()
        sent = await send(user)
        running = asyncio.ensure_future(settled(sent.run, seconds=60))
        while not running.done():
            await asyncio.sleep(0.005)
            now = time.perf_counter()
            longest, last = max(longest, now - last), now
        assert (await running).status == "complete"
        assert time.perf_counter() > begun
        return time.process_time() - cpu, longest

    await seconds_for(1_000)
    small, _ = await seconds_for(15_000)
    large, longest = await seconds_for(30_000)
    assert large < 3 * small + 0.3, (small, large)
    assert longest < 0.5, longest
