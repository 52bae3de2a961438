"""The messages that wait their turn: ordered, taken back, sent at once, paused by a stop."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from agentui.models import Message, Run, Thread
from tests.api.conftest import Api, fill, text
from tests.api.test_access import everything


@pytest.fixture
def running(api: Api, thread: Thread) -> str:
    """The id of an active run; three messages are queued behind it."""
    path = f"threads/{thread.pk}/messages/"
    sent = api.post(path, {"parts": text("go")})
    for words in ("one", "two", "three"):
        assert api.post(path, {"parts": text(words)}).data["queued"]
    run: str = sent.data["run"]["id"]
    return run


def queue(api: Api, thread: Thread) -> dict[str, str]:
    """The words that wait, in their order, each with its message."""
    page = api.get(f"threads/{thread.pk}/messages/").data
    return {row["parts"][0]["text"]: row["id"] for row in page["queued"]}


def test_a_message_is_moved_before_another_one_or_last(
    api: Api, thread: Thread, running: str
) -> None:
    waiting = queue(api, thread)
    moved = api.post(f"messages/{waiting['three']}/move/", {"before": waiting["one"]})
    assert moved.status_code == 200
    assert [row["id"] for row in moved.data["queued"]] == [
        waiting[words] for words in ("three", "one", "two")
    ]
    assert list(queue(api, thread)) == ["three", "one", "two"]
    for body in ({}, {"before": None}):
        api.post(f"messages/{waiting['three']}/move/", body)
        assert list(queue(api, thread)) == ["one", "two", "three"]


def test_what_was_sent_or_is_elsewhere_has_no_place_in_the_queue(
    api: Api, user: Any, thread: Thread, running: str
) -> None:
    waiting = queue(api, thread)
    sent = Message.objects.get(thread=thread, parts=text("go"))
    elsewhere = fill(Thread.objects.create(owner=user, agent="shop"), 1)[0]
    before = everything()
    for path, body, status, code in [
        (sent.pk, {}, 409, "illegal_state"),
        (waiting["one"], {"before": str(sent.pk)}, 409, "illegal_state"),
        (waiting["one"], {"before": str(elsewhere.pk)}, 404, "not_found"),
        (waiting["one"], {"before": str(uuid.uuid4())}, 404, "not_found"),
        (waiting["one"], {"before": "first"}, 400, "invalid"),
        (waiting["one"], {"after": waiting["two"]}, 400, "invalid"),
    ]:
        answer = api.post(f"messages/{path}/move/", body)
        assert (answer.status_code, answer.data["code"]) == (status, code), body
    assert everything() == before


def test_a_message_of_somebody_else_is_nothing_to_move_before(
    api: Api, thread: Thread, running: str, other_user: Any
) -> None:
    theirs = fill(Thread.objects.create(owner=other_user, agent="shop"), 1)[0]
    waiting = queue(api, thread)
    answer = api.post(f"messages/{waiting['one']}/move/", {"before": str(theirs.pk)})
    assert (answer.status_code, answer.data["code"]) == (404, "not_found")


def test_the_queue_is_taken_back(api: Api, thread: Thread, running: str) -> None:
    path = f"threads/{thread.pk}/queue/clear/"
    assert api.post(path).data == {"thread": str(thread.pk), "removed": 3}
    assert queue(api, thread) == {}
    assert api.post(path).data["removed"] == 0


def test_a_stop_pauses_the_queue_until_it_is_told_to_go_on(
    api: Api, thread: Thread, running: str
) -> None:
    api.post(f"runs/{running}/cancel/")
    assert api.get(f"threads/{thread.pk}/").data["queue_paused"] is True
    assert list(queue(api, thread)) == ["one", "two", "three"]
    assert not Run.objects.active().exists()

    shown = api.post(f"threads/{thread.pk}/queue/resume/").data
    assert (shown["id"], shown["queue_paused"]) == (str(thread.pk), False)
    assert shown["active_run"] == str(Run.objects.active().get().pk)
    assert list(queue(api, thread)) == ["two", "three"]
    # Said again, it changes nothing.
    again = api.post(f"threads/{thread.pk}/queue/resume/").data
    assert again["active_run"] == shown["active_run"]
    assert list(queue(api, thread)) == ["two", "three"]


def test_a_stop_can_take_the_queue_back(api: Api, thread: Thread, running: str) -> None:
    stopped = api.post(f"runs/{running}/cancel/", {"clear_queue": True})
    assert (stopped.data["status"], stopped.data["reason"]) == ("incomplete", "cancelled")
    assert queue(api, thread) == {}
    assert api.get(f"threads/{thread.pk}/").data["queue_paused"] is False


def test_a_queued_message_is_sent_at_once(api: Api, thread: Thread, running: str) -> None:
    waiting = queue(api, thread)
    assert api.post(f"messages/{waiting['two']}/steer/").data == {"message": waiting["two"]}
    assert Run.objects.get(pk=running).reason == "cancelled"
    assert list(queue(api, thread)) == ["one", "three"]


def test_an_order_that_is_given_twice_with_one_key_is_carried_out_once(
    api: Api, thread: Thread, running: str
) -> None:
    waiting = queue(api, thread)
    move = f"messages/{waiting['one']}/move/", {}
    key = str(uuid.uuid4())
    first = api.post(*move, Idempotency_Key=key)
    api.post(f"messages/{waiting['two']}/move/", {})
    assert api.post(*move, Idempotency_Key=key).data == first.data
    assert list(queue(api, thread)) == ["three", "one", "two"]
