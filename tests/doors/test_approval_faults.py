"""Known faults of approvals elsewhere (tests/faults.md), each as the right behaviour."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection

from agentui import actions
from agentui.exceptions import AgentUIError, RequesterMayNotDecide
from agentui.models import Approval, Decision, Run, ToolCall
from agentui.runtime.database import in_database
from agentui.testing import Call, Say, approve, deny, runtime, settled
from tests.core.strict import verify
from tests.models import Effect

pytestmark = pytest.mark.django_db(transaction=True)


def ask(name: str, amount: int = 1) -> Call:
    return Call("needs_staff", {"name": name, "amount": amount})


def send(user: Any, text: str = "Do it", thread: Any = None) -> actions.Sent:
    fields = {"thread_id": thread.pk} if thread else {"agent": "tester"}
    return actions.send_message(user, parts=[{"type": "text", "text": text}], **fields)


def request_for(name: str) -> Approval:
    return Approval.objects.select_related("tool_call").get(tool_call__args__name=name)


def done() -> list[Any]:
    return list(Effect.objects.order_by("pk").values_list("name", "value"))


def test_fault_33_a_denied_call_beside_an_approved_one_has_its_result_too(
    user: Any, staff: Any, script: Any, immediate: None
) -> None:
    adapter = script([ask("yes"), ask("no")], [Say("One of two.")])
    send(user)
    deny(request_for("no"), staff, "Not this one.")
    assert len(adapter.requests) == 1
    approve(request_for("yes"), staff)
    verify(adapter.requests[-1].messages)
    results = {
        part.id: part
        for message in adapter.requests[-1].messages
        if message.role == "tool"
        for part in message.parts
    }
    assert len(results) == 2
    told = [(call.status, results[call.tool_call_id]) for call in ToolCall.objects.order_by("pk")]
    assert [status for status, _ in told] == ["complete", "denied"]
    assert "Not this one." in told[1][1].content
    assert done() == [("yes", 1)]


@pytest.mark.parametrize("words", ["approve", "yes, I approve", "actually make it 7"])
def test_fault_34_what_is_written_in_the_chat_never_decides(
    user: Any, staff: Any, script: Any, immediate: None, words: str
) -> None:
    adapter = script([ask("pay", 5)], [Say("It still waits.")], [Say("It was paid.")])
    sent = send(user)
    send(user, words, sent.thread)
    assert (request_for("pay").status, Decision.objects.count(), done()) == ("pending", 0, [])
    verify(adapter.requests[-1].messages)
    approve(request_for("pay"), staff)
    assert done() == [("pay", 5)]
    verify(adapter.requests[-1].messages)


def test_fault_38_an_approval_is_of_one_call_with_its_arguments(
    user: Any, staff: Any, script: Any, immediate: None
) -> None:
    script([ask("a.txt")], [ask("/etc/shadow")], [ask("a.txt")], [Say("Done.")])
    sent = send(user)
    first = Approval.objects.get()
    approve(first, staff)
    second = Approval.objects.pending().get()
    assert (second.tool_call.args["name"], done()) == ("/etc/shadow", [("a.txt", 1)])
    with pytest.raises(AgentUIError):
        approve(second, staff, digest=first.args_digest)
    deny(second, staff, "No.")
    # The same arguments as those that were approved are another call.
    third = Approval.objects.pending().get()
    assert (third.tool_call.args["name"], third.pk == first.pk) == ("a.txt", False)
    assert done() == [("a.txt", 1)]
    assert Run.objects.get(pk=sent.run.pk).status == "requires_action"


async def test_faults_39_and_40_each_call_runs_once_whatever_the_order_and_a_restart_between(
    user: Any, staff: Any, script: Any
) -> None:
    adapter = script(
        [Call("record_effect", {"name": "free"}), ask("a"), ask("b")], [Say("All done.")]
    )
    async with runtime():
        sent = await in_database(send, user)
        assert (await settled(sent.run)).status == "requires_action"
        names = await in_database(lambda: sorted(name for name, _ in done()))
        assert names == ["free"]
        requests = await in_database(lambda: set(Approval.objects.values_list("pk", "tool_call")))
        assert len({pk for pk, _ in requests}) == len({call for _, call in requests}) == 2
        await in_database(lambda: approve(request_for("b"), staff))
    async with runtime():
        assert (await settled(sent.run)).status == "requires_action"
        assert len(adapter.requests) == 1
        await in_database(lambda: approve(request_for("a"), staff))
        assert (await settled(sent.run)).status == "complete"
    assert len(adapter.requests) == 2
    assert sorted(name for name, _ in await in_database(done)) == ["a", "b", "free"]
    assert await in_database(Approval.objects.count) == 2


def test_fault_42_denied_twice_at_once_is_one_denial_and_one_answer(
    user: Any, staff: Any, django_user_model: Any, script: Any, immediate: None
) -> None:
    adapter = script([ask("x")], [Say("It was denied.")])
    send(user)
    approval = Approval.objects.get()
    second = django_user_model.objects.create_superuser("mary")
    start = threading.Barrier(2)
    refused: list[str] = []

    def say_no(who: Any) -> None:
        try:
            start.wait()
            deny(approval, who, f"{who} says no.")
        except AgentUIError as error:
            refused.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=say_no, args=(who,)) for who in (staff, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["already_decided"]
    assert (Decision.objects.count(), len(adapter.requests), done()) == (1, 2, [])
    assert Decision.objects.get().reason in str(ToolCall.objects.get().result)


def test_fault_53_whoever_asked_does_not_decide_through_any_door(
    staff: Any, script: Any, immediate: None, client: Any
) -> None:
    script([ask("x")], [Say("Done.")])
    send(staff)
    approval = Approval.objects.get()
    with pytest.raises(RequesterMayNotDecide):
        approve(approval, staff)
    client.force_login(staff)
    address = f"/agentui/api/approvals/{approval.pk}/decide/"
    assert client.post(address, {"verdict": "approve"}, "application/json").status_code == 403
    page = f"/admin/agentui/approval/{approval.pk}/"
    fields = {"verdict": "approve", "digest": approval.args_digest}
    assert client.post(f"{page}decide/", fields).status_code == 403
    assert client.get("/agentui/api/approvals/waiting/").json()["approvals"] == []
    approval.refresh_from_db()
    assert (approval.status, done()) == ("pending", [])


def decide_turn(name: str, staff: Any) -> None:
    match name:
        case "one":
            approve(request_for(name), staff)
        case "two":
            approve(request_for(name), staff, args_text='{"name": "two", "amount": 3}')
        case "three":
            deny(request_for(name), staff, "Two are enough.")


async def test_fault_96_each_turn_of_a_thread_has_its_own_decision(
    user: Any, staff: Any, script: Any
) -> None:
    """Approved, approved with changed arguments, denied; after finished steps of the same turn."""
    adapter = script(
        [ask("one")],
        [Say("One.")],
        [Call("record_effect", {"name": "free"}), ask("two", 5)],
        [Say("Two.")],
        [ask("three")],
        [Say("Not three.")],
    )
    runs = []
    thread = None
    for name in ("one", "two", "three"):
        # Each turn in a process of its own: what resumes is what the rows say.
        async with runtime():
            sent = await in_database(lambda thread=thread: send(user, thread=thread))
            thread = sent.thread
            assert (await settled(sent.run)).status == "requires_action"
        approval = await in_database(request_for, name)
        await in_database(decide_turn, name, staff)
        async with runtime():
            run = await settled(sent.run)
        runs.append((run.status, run.message.text, run.pk == approval.tool_call.run_id))
        verify(adapter.requests[-1].messages)
    assert runs == [
        ("complete", "One.", True),
        ("complete", "Two.", True),
        ("complete", "Not three.", True),
    ]
    assert len(adapter.requests) == 6
    assert sorted(name for name, _ in await in_database(done)) == ["free", "one", "two"]
    assert ("two", 3) in await in_database(done)
