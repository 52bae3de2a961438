"""An interrupted call: somebody looks, records what it did, and the agent is told the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission

from agentui import actions
from agentui.core import texts
from agentui.exceptions import IllegalState, InvalidInput, NotFound
from agentui.models import CallRecord, Message, Run, ToolCall
from agentui.testing import Call, Say
from tests.core.strict import verify
from tests.models import Effect

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def told(user: Any, script: Any, immediate: None) -> Callable[..., Any]:
    """A call whose worker stopped, after which the model was told so and has answered."""

    def make(*following: Any) -> tuple[ToolCall, Any]:
        adapter = script(
            [Call("record_effect", {"name": "x"})],
            [Say("I am not sure whether it worked.")],
            *following,
        )
        text = [{"type": "text", "text": "Do x"}]
        sent = actions.send_message(user, agent="tester", parts=text)
        call = ToolCall.objects.get(run=sent.run)
        # As a crash leaves it: begun, and nobody knows what it did.
        ToolCall.objects.update(status="interrupted", result=texts.INTERRUPTED, is_error=True)
        Effect.objects.all().delete()
        return call, adapter

    return make


def words_of(request: Any) -> str:
    return "\n".join(
        str(getattr(part, "text", getattr(part, "content", "")))
        for message in request.messages
        for part in message.parts
    )


def test_it_was_done(told: Any, staff: Any) -> None:
    call, adapter = told([Say("It worked after all.")])
    record = actions.record_outcome(
        staff, call.pk, finding="done", result={"id": 7}, note="Seen in the books.", door="test"
    )
    assert (record.username, record.finding, record.note) == ("grace", "done", "Seen in the books.")
    call.refresh_from_db()
    assert (call.status, call.result, call.is_error) == ("complete", {"id": 7}, False)
    # What the model was told is never rewritten; what was found out comes after it.
    request = adapter.requests[-1]
    assert texts.INTERRUPTED in words_of(request)
    assert 'Result: {"id": 7}' in words_of(request)
    verify(request.messages)
    event = Message.objects.get(role="event")
    assert Message.objects.get(parent=event).text == "It worked after all."
    assert Effect.objects.count() == 0


def test_it_was_not_done_and_runs_again_with_the_same_key(told: Any, staff: Any) -> None:
    call, adapter = told([Say("Now it is done.")])
    actions.record_outcome(staff, call.pk, finding="not_done", door="test")
    again = ToolCall.objects.get(repeats=call)
    assert (again.status, again.result) == ("complete", "done")
    assert again.idempotency_key == call.idempotency_key
    assert Effect.objects.get().key == str(call.pk)
    call.refresh_from_db()
    assert (call.status, call.result) == ("failed", texts.FOUND_NOT_DONE)
    verify(adapter.requests[-1].messages)
    assert texts.RUNS_AGAIN in words_of(adapter.requests[-1])
    runs = Run.objects.order_by("created_at")
    assert [run.status for run in runs] == ["complete", "complete"]
    adapter.assert_finished()


def test_it_was_not_done_and_cannot_run_again(
    told: Any, staff: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    call, adapter = told([Say("I see.")])
    ToolCall.objects.update(tool_digest="another")
    actions.record_outcome(staff, call.pk, finding="not_done", door="test")
    assert not ToolCall.objects.exclude(pk=call.pk).exists()
    assert texts.FOUND_NOT_DONE in words_of(adapter.requests[-1])
    assert Effect.objects.count() == 0


def test_it_cannot_be_found_out(told: Any, staff: Any) -> None:
    call, adapter = told([Say("I see.")])
    actions.record_outcome(staff, call.pk, finding="unknown", door="test")
    call.refresh_from_db()
    assert call.status == "interrupted"
    assert texts.FOUND_UNKNOWN in words_of(adapter.requests[-1])
    verify(adapter.requests[-1].messages)


@pytest.mark.parametrize(
    ("finding", "status", "effects"),
    [("done", "complete", 1), ("not_done", "complete", 2), ("unknown", "interrupted", 1)],
)
def test_while_the_run_still_waits_the_call_itself_changes(
    user: Any, staff: Any, script: Any, immediate: None, finding: str, status: str, effects: int
) -> None:
    """Its sibling waits for approval, so the model has not been told anything yet."""
    adapter = script(
        [Call("record_effect", {"name": "x"}), Call("needs_staff", {"name": "y"})], [Say("Done.")]
    )
    sent = actions.send_message(user, agent="tester", parts=[{"type": "text", "text": "Do both"}])
    call = ToolCall.objects.get(tool_name="record_effect")
    ToolCall.objects.filter(pk=call.pk).update(
        status="interrupted", result=texts.INTERRUPTED, is_error=True
    )
    actions.record_outcome(staff, call.pk, finding=finding, result="done", door="test")
    call.refresh_from_db()
    assert call.status == status
    waiting = ToolCall.objects.get(tool_name="needs_staff").approval
    actions.decide_approval(staff, waiting.pk, verdict="approve", door="test")
    assert not Message.objects.filter(role="event").exists()
    assert Run.objects.get(pk=sent.run.pk).status == "complete"
    assert Effect.objects.count() == effects + 1
    request = adapter.requests[-1]
    verify(request.messages)
    assert texts.INTERRUPTED not in words_of(request)


def test_it_is_recorded_once_and_by_those_who_may(
    told: Any, staff: Any, user: Any, other_user: Any, django_user_model: Any
) -> None:
    call, _ = told([Say("Good.")])
    colleague = django_user_model.objects.create_user("otto", password="x", is_staff=True)
    for person in (user, other_user, colleague):
        with pytest.raises(NotFound):
            actions.record_outcome(person, call.pk, finding="done", door="test")
    with pytest.raises(InvalidInput):
        actions.record_outcome(staff, call.pk, finding="perhaps", door="test")
    assert not CallRecord.objects.exists()
    colleague.user_permissions.add(Permission.objects.get(codename="record_outcome"))
    colleague = django_user_model.objects.get(pk=colleague.pk)
    actions.record_outcome(colleague, call.pk, finding="done", door="test")
    with pytest.raises(IllegalState):
        actions.record_outcome(staff, call.pk, finding="not_done", door="test")
    assert CallRecord.objects.count() == 1
    assert Effect.objects.count() == 0


def test_on_the_calls_page(told: Any, staff: Any, client: Any) -> None:
    call, _ = told([Say("Good.")])
    client.force_login(staff)
    url = f"/admin/agentui/toolcall/{call.pk}/change/"
    listed = client.get("/admin/agentui/toolcall/?interrupted=open")
    assert str(call.pk) in listed.content.decode()
    assert "It was done, with this result:" in client.get(url).content.decode()
    post = url.replace("/change/", "/outcome/")
    assert client.get(post).status_code == 405
    refused = client.post(post, {"finding": "", "note": "I looked"})
    assert (refused.status_code, "I looked" in refused.content.decode()) == (409, True)
    done = client.post(post, {"finding": "done", "result": '{"id": 7}', "note": "I looked"})
    assert done.url == url
    call.refresh_from_db()
    assert (call.status, call.result) == ("complete", {"id": 7})
    page = client.get(url).content.decode()
    assert "I looked" in page
    assert "It was done, with this result:" not in page
    again = client.post(post, {"finding": "done"})
    assert again.status_code == 409
