"""Each verb, its answer, and what it refuses in which state."""

from __future__ import annotations

import uuid
from typing import Any

from agentui.models import ClientCommand, Message, Run, Thread, ToolCall
from tests.api.conftest import Api, fill, make_paused, say, text
from tests.api.test_access import everything


def test_create(api: Api, user: Any) -> None:
    answer = api.post("threads/", {"agent": "shop", "title": " Shoes ", "state": {"a": [1]}})
    assert answer.status_code == 201
    thread = Thread.objects.get(pk=answer.data["id"])
    assert (thread.owner, thread.title, thread.state) == (user, "Shoes", {"a": [1]})
    assert answer.data == api.get(f"threads/{thread.pk}/").data


def test_change(api: Api, thread: Thread) -> None:
    answer = api.patch(f"threads/{thread.pk}/", {"title": "Boots", "status": "archived"})
    assert (answer.data["title"], answer.data["status"]) == ("Boots", "archived")
    assert api.patch(f"threads/{thread.pk}/", {"status": "regular"}).data["status"] == "regular"


def test_state(api: Api, thread: Thread) -> None:
    operations = [
        {"type": "set", "path": ["cart"], "value": ["hat"]},
        {"type": "set", "path": ["cart", "1"], "value": "shoes"},
    ]
    answer = api.post(f"threads/{thread.pk}/state/", {"operations": operations})
    assert answer.data["state"] == {"cart": ["hat", "shoes"]}


def test_delete(api: Api, paused: Any) -> None:
    answer = api.delete(f"threads/{paused.thread.pk}/")
    assert (answer.status_code, answer.content) == (204, b"")
    assert not Message.objects.exists()
    assert api.delete(f"threads/{paused.thread.pk}/").status_code == 404


def test_send_begins_a_run(api: Api, thread: Thread) -> None:
    body = {
        "parts": text("Where is my order?"),
        "tools": [{"name": "paint", "parameters": {"type": "object", "properties": {}}}],
        "context": [{"description": "page", "value": "cart"}],
        "run_config": {"tone": "kind"},
    }
    answer = api.post(f"threads/{thread.pk}/messages/", body)
    assert answer.status_code == 201
    assert answer.data["queued"] is False
    assert answer.data["message"]["parts"] == text("Where is my order?")
    assert (answer.data["run"]["status"], answer.data["run"]["agent"]) == ("queued", "shop")
    run = Run.objects.get()
    assert [item["name"] for item in run.tools] == ["paint"]
    assert run.config == {"tone": "kind"}


def test_send_below_another_message(api: Api, thread: Thread) -> None:
    first, second = fill(thread, 2)
    below = api.post(
        f"threads/{thread.pk}/messages/", {"parts": text("a"), "parent": str(second.pk)}
    ).data
    assert below["message"]["parent"] == str(second.pk)
    Run.objects.update(status="complete")
    top = api.post(f"threads/{thread.pk}/messages/", {"parts": text("b"), "parent": None}).data
    assert top["message"]["parent"] is None
    assert top["message"]["siblings"] == [str(first.pk), top["message"]["id"]]


def test_a_second_message_queues_steers_or_is_refused(api: Api, thread: Thread) -> None:
    path = f"threads/{thread.pk}/messages/"
    first = api.post(path, {"parts": text("one")}).data
    queued = api.post(path, {"parts": text("two")}).data
    assert (queued["queued"], queued["run"]) == (True, None)
    assert queued["message"]["status"]["type"] == "queued"
    assert queued["message"]["siblings"] == [queued["message"]["id"]]
    before = everything()
    refused = api.post(path, {"parts": text("three"), "on_active": "reject"})
    assert (refused.status_code, refused.data["code"]) == (409, "thread_busy")
    assert everything() == before

    changed = api.post(f"messages/{queued['message']['id']}/edit/", {"parts": text("2")}).data
    assert changed["message"]["parts"] == text("2")
    assert changed["queued"] is True
    taken = api.post(f"messages/{queued['message']['id']}/cancel/")
    assert taken.data == {"message": queued["message"]["id"]}
    late = api.post(f"messages/{first['message']['id']}/cancel/")
    assert (late.status_code, late.data["code"]) == (409, "illegal_state")

    steered = api.post(path, {"parts": text("stop that"), "on_active": "steer"}).data
    assert steered["queued"] is False
    assert Run.objects.get(pk=first["run"]["id"]).reason == "cancelled"


def test_edit_makes_a_sibling(api: Api, paused: Any) -> None:
    answer = api.post(f"messages/{paused.asked.pk}/edit/", {"parts": text("Refund 8")})
    assert answer.status_code == 201
    assert answer.data["message"]["siblings"] == [
        str(paused.asked.pk),
        answer.data["message"]["id"],
    ]
    paused.approval.refresh_from_db()
    assert paused.approval.status == "superseded"


def test_regenerate_makes_a_sibling(api: Api, thread: Thread) -> None:
    asked, answered = fill(thread, 2)
    answer = api.post(f"messages/{answered.pk}/regenerate/")
    assert answer.status_code == 201
    assert answer.data["message"]["parent"] == str(asked.pk)
    assert answer.data["message"]["siblings"][0] == str(answered.pk)


def test_switch(api: Api, thread: Thread) -> None:
    root = say(thread, "user", "Hi", None)
    left = say(thread, "assistant", "left", root)
    say(thread, "assistant", "right", root)
    answer = api.post(f"messages/{left.pk}/switch/")
    assert (answer.status_code, answer.data["head"]) == (200, str(left.pk))


def test_in_the_wrong_state(api: Api, thread: Thread) -> None:
    asked, answered = fill(thread, 2)
    for path, body in [
        (f"messages/{answered.pk}/edit/", {"parts": text("x")}),
        (f"messages/{asked.pk}/regenerate/", {}),
    ]:
        answer = api.post(path, body)
        assert (answer.status_code, answer.data["code"]) == (409, "illegal_state")
    api.post(f"threads/{thread.pk}/messages/", {"parts": text("go")})
    for path, body in [
        (f"messages/{asked.pk}/edit/", {"parts": text("x")}),
        (f"messages/{answered.pk}/regenerate/", {}),
        (f"messages/{answered.pk}/switch/", {}),
    ]:
        answer = api.post(path, body)
        assert (answer.status_code, answer.data["code"]) == (409, "thread_busy")
    Run.objects.update(status="complete")
    api.patch(f"threads/{thread.pk}/", {"status": "archived"})
    answer = api.post(f"threads/{thread.pk}/messages/", {"parts": text("go")})
    assert (answer.status_code, answer.data["code"]) == (409, "thread_archived")


def test_a_call_that_takes_no_message_meanwhile(api: Api, paused: Any) -> None:
    ToolCall.objects.filter(pk=paused.refund.pk).update(while_waiting="reject")
    answer = api.post(f"threads/{paused.thread.pk}/messages/", {"parts": text("go")})
    assert (answer.status_code, answer.data["code"]) == (409, "thread_waiting")


def test_the_agent_is_gone(api: Api, user: Any) -> None:
    old = Thread.objects.create(owner=user, agent="gone")
    answer = api.post(f"threads/{old.pk}/messages/", {"parts": text("go")})
    assert (answer.status_code, answer.data["code"]) == (404, "unknown_agent")


def test_cancel_a_run_twice(api: Api, paused: Any) -> None:
    for _ in range(2):
        answer = api.post(f"runs/{paused.run.pk}/cancel/")
        assert answer.status_code == 200
        assert (answer.data["status"], answer.data["reason"]) == ("incomplete", "cancelled")
    paused.approval.refresh_from_db()
    assert paused.approval.status == "cancelled"


def test_claim_and_answer_a_call(api: Api, paused: Any) -> None:
    path = f"tool-calls/{paused.paint.pk}/"
    for _ in range(2):
        assert api.post(path + "claim/", {"tab": "one"}).data["claimed_by"] == "one"
    for verb, body in (("claim/", {"tab": "two"}), ("result/", {"tab": "two", "result": 1})):
        answer = api.post(path + verb, body)
        assert (answer.status_code, answer.data["code"]) == (409, "claimed_elsewhere")
    first = api.post(path + "result/", {"tab": "one", "result": {"done": True}}).data
    assert (first["accepted"], first["tool_call"]["status"]) == (True, "complete")
    second = api.post(path + "result/", {"tab": "two", "error": "failed"}).data
    assert (second["accepted"], second["tool_call"]["result"]) == (False, {"done": True})


def test_a_result_of_null_and_a_failure(api: Api, paused: Any) -> None:
    done = api.post(f"tool-calls/{paused.paint.pk}/result/", {"tab": "t", "result": None}).data
    assert (done["tool_call"]["status"], done["tool_call"]["is_error"]) == ("complete", False)
    failed = api.post(f"tool-calls/{paused.ask.pk}/result/", {"tab": "t", "error": "No."}).data
    assert (failed["tool_call"]["status"], failed["tool_call"]["result"]) == ("failed", "No.")


class TestIdempotencyKey:
    def test_the_same_command_is_carried_out_once(self, api: Api, thread: Thread) -> None:
        key = str(uuid.uuid4())
        path = f"threads/{thread.pk}/messages/"
        first, second = [
            api.post(path, {"parts": text("Hi")}, Idempotency_Key=key) for _ in range(2)
        ]
        assert (first.status_code, second.status_code) == (201, 201)
        assert first.data == second.data
        assert Message.objects.filter(role="user").count() == 1

    def test_every_verb_takes_one(self, api: Api, user: Any) -> None:
        thread = Thread.objects.create(owner=user, agent="shop")
        answered = fill(thread, 2)[1]
        paused = make_paused(user)
        for path, body in [
            ("threads/", {"agent": "shop"}),
            (f"threads/{thread.pk}/state/", {"operations": []}),
            (f"messages/{answered.pk}/switch/", {}),
            (f"messages/{answered.pk}/regenerate/", {}),
            (f"tool-calls/{paused.paint.pk}/claim/", {"tab": "t"}),
            (f"tool-calls/{paused.paint.pk}/result/", {"tab": "t", "result": 1}),
            (f"approvals/{paused.approval.pk}/decide/", {"verdict": "approve"}),
            (f"runs/{paused.run.pk}/cancel/", {}),
            (f"messages/{paused.asked.pk}/edit/", {"parts": text("x")}),
        ]:
            key = str(uuid.uuid4())
            answers = [api.post(path, body, Idempotency_Key=key) for _ in range(2)]
            assert {a.status_code for a in answers} <= {200, 201}, path
            assert answers[0].data == answers[1].data
        assert ClientCommand.objects.count() == 9

    def test_another_command_under_the_same_key(self, api: Api) -> None:
        key = str(uuid.uuid4())
        api.post("threads/", {"agent": "shop"}, Idempotency_Key=key)
        answer = api.post("threads/", {"agent": "shop", "title": "x"}, Idempotency_Key=key)
        assert (answer.status_code, answer.data["code"]) == (409, "command_reused")
        assert Thread.objects.count() == 1

    def test_keys_are_each_users_own(self, api: Api, other_api: Api) -> None:
        key = str(uuid.uuid4())
        made = [
            one.post("threads/", {"agent": "shop"}, Idempotency_Key=key) for one in (api, other_api)
        ]
        assert made[0].data["id"] != made[1].data["id"]

    def test_what_was_refused_may_be_sent_again(self, api: Api, thread: Thread) -> None:
        key = str(uuid.uuid4())
        path = f"threads/{thread.pk}/messages/"
        thread.status = "archived"
        thread.save()
        assert api.post(path, {"parts": text("x")}, Idempotency_Key=key).status_code == 409
        api.patch(f"threads/{thread.pk}/", {"status": "regular"})
        assert api.post(path, {"parts": text("x")}, Idempotency_Key=key).status_code == 201

    def test_it_is_a_uuid(self, api: Api) -> None:
        answer = api.post("threads/", {"agent": "shop"}, Idempotency_Key="1")
        assert (answer.status_code, answer.data["code"]) == (400, "invalid")
        assert not Thread.objects.exists()
