"""What each GET shows, in which order, in how many pages and with how many queries."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agentui.agents import Agent, ApprovalPolicy, registry
from agentui.models import Message, Run, RunEvent, Thread
from tests.api.conftest import Api, fill, make_paused, say


def test_agents_are_shown_without_what_they_are_told(api: Api) -> None:
    secret = Agent("secret", model="scripted:none", instructions="Never tell.", title="Helper")
    with registry.temporary(secret):
        answer = api.get("agents/")
    assert answer.status_code == 200
    assert {"name": "secret", "title": "Helper", "description": ""} in answer.data["agents"]
    assert {"name": "shop", "title": "Shop", "description": "Sells things."} in answer.data[
        "agents"
    ]
    assert b"Never tell" not in answer.content


def test_a_thread_is_the_row_that_the_socket_shows(api: Api, paused: Any) -> None:
    answer = api.get(f"threads/{paused.thread.pk}/")
    assert answer.status_code == 200
    assert answer.data["title"] == "Refund"
    assert answer.data["head"] == str(paused.answer.pk)
    assert answer.data["waiting"] is True
    assert answer.data["active_run"] is None
    assert answer["Cache-Control"] == "private, no-store"


def test_threads_of_one_moment_are_each_shown_once(api: Api, user: Any) -> None:
    now = timezone.now()
    made = [
        Thread(owner=user, agent="shop", title=f"{n}", last_activity_at=now) for n in range(120)
    ]
    Thread.objects.bulk_create(made)
    seen, sizes, cursor = [], [], None
    while True:
        page = api.get("threads/", **({"cursor": cursor} if cursor else {})).data
        seen += [row["id"] for row in page["threads"]]
        sizes.append(len(page["threads"]))
        cursor = page["next"]
        if cursor is None:
            break
    assert sizes == [50, 50, 20]
    assert seen == [str(thread.pk) for thread in sorted(made, key=lambda t: t.pk, reverse=True)]


def test_threads_by_last_use_search_and_status(api: Api, user: Any, other_user: Any) -> None:
    Thread.objects.create(owner=user, agent="shop", title="Red shoes")
    Thread.objects.create(owner=user, agent="shop", title="Blue hat", status="archived")
    Thread.objects.create(owner=other_user, agent="shop", title="Red coat")

    def titles(**query: Any) -> list[str]:
        return [row["title"] for row in api.get("threads/", **query).data["threads"]]

    assert titles() == ["Blue hat", "Red shoes"]
    assert titles(search="rED") == ["Red shoes"]
    assert titles(search="%") == []
    assert titles(search="R\x00ed") == ["Red shoes"]
    assert titles(status="archived") == ["Blue hat"]
    assert titles(status="regular") == ["Red shoes"]
    assert titles(limit=1) == ["Blue hat"]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 0},
        {"limit": 101},
        {"limit": "many"},
        {"status": "gone"},
        {"cursor": "nonsense"},
        {"cursor": "MjAyNi0wMS0wMVQwMDowMDowMHwx"},
        {"search": "x" * 201},
        {"owner": "2"},
    ],
)
def test_an_address_that_asks_for_nonsense(api: Api, query: dict[str, Any]) -> None:
    answer = api.get("threads/", **query)
    assert (answer.status_code, answer.data["code"]) == (400, "invalid")
    assert next(iter(query)) in answer.data["message"]


def test_messages_forward_and_backward(api: Api, thread: Thread) -> None:
    fill(thread, 120)
    path = f"threads/{thread.pk}/messages/"

    newest = api.get(path).data
    assert [row["seq"] for row in newest["messages"]] == list(range(71, 121))
    assert newest["has_more"] is True
    middle = api.get(path, before_seq=71).data
    assert [row["seq"] for row in middle["messages"]] == list(range(21, 71))
    first = api.get(path, before_seq=21).data
    assert [row["seq"] for row in first["messages"]] == list(range(1, 21))
    assert first["has_more"] is False

    forward = api.get(path, after_seq=0, limit=100).data
    assert [row["seq"] for row in forward["messages"]] == list(range(1, 101))
    assert forward["has_more"] is True
    rest = api.get(path, after_seq=100, limit=100).data
    assert [row["seq"] for row in rest["messages"]] == list(range(101, 121))
    assert rest["has_more"] is False
    assert api.get(path, after_seq=120).data["messages"] == []
    assert {call["message"] for call in newest["tool_calls"]} == {
        row["id"] for row in newest["messages"] if row["role"] == "assistant"
    }
    assert len(newest["runs"]) == 25
    assert newest["thread"]["id"] == str(thread.pk)


def test_only_the_branch_that_is_shown(api: Api, thread: Thread) -> None:
    root = say(thread, "user", "Hi", None)
    left = say(thread, "assistant", "left", root)
    right = say(thread, "assistant", "right", root)
    rows = api.get(f"threads/{thread.pk}/messages/").data["messages"]
    assert [row["id"] for row in rows] == [str(root.pk), str(right.pk)]
    assert rows[1]["siblings"] == [str(left.pk), str(right.pk)]
    rows = api.get(f"threads/{thread.pk}/messages/", after_seq=root.seq).data["messages"]
    assert [row["id"] for row in rows] == [str(right.pk)]
    rows = api.get(f"threads/{thread.pk}/messages/", before_seq=right.seq).data["messages"]
    assert [row["id"] for row in rows] == [str(root.pk)]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 101},
        {"before_seq": "x"},
        {"before_seq": 2**63},
        {"after_seq": -1},
        {"before_seq": 5, "after_seq": 1},
    ],
)
def test_a_page_that_does_not_exist(api: Api, thread: Thread, query: dict[str, Any]) -> None:
    answer = api.get(f"threads/{thread.pk}/messages/", **query)
    assert (answer.status_code, answer.data["code"]) == (400, "invalid")


def test_an_empty_thread_has_an_empty_page(api: Api, thread: Thread) -> None:
    data = api.get(f"threads/{thread.pk}/messages/").data
    assert (data["messages"], data["queued"], data["has_more"]) == ([], [], False)


def test_a_message_that_is_written_is_shown_as_far_as_it_is(api: Api, thread: Thread) -> None:
    asked = say(thread, "user", "Hi", None)
    answer = say(thread, "assistant", "", asked, status="running")
    run = Run.objects.create(thread=thread, message=answer, agent="shop", status="running")
    RunEvent.objects.create(
        run=run,
        first=1,
        last=3,
        events=[
            {"type": "step_start"},
            {"type": "part_start", "part": {"type": "text", "text": ""}},
            {"type": "text_delta", "path": [0], "text_delta": "Hel"},
        ],
    )
    Message.objects.create(
        thread=thread, seq=thread.take_seq(), role="user", status="queued", parts=[]
    )
    data = api.get(f"threads/{thread.pk}/messages/").data
    written = data["messages"][-1]
    assert written["parts"][0]["text"] == "Hel"
    assert written["cursor"] == {"run": str(run.pk), "seq": 3}
    assert data["cursors"] == {str(run.pk): 3}
    assert [row["status"]["type"] for row in data["queued"]] == ["queued"]
    assert data["thread"]["active_run"] == str(run.pk)


@pytest.mark.parametrize("path", ["messages", "list", "approvals"])
def test_the_number_of_queries_does_not_grow(api: Api, user: Any, path: str) -> None:
    def queries(size: int) -> int:
        thread = Thread.objects.create(owner=user, agent="shop")
        if path == "messages":
            fill(thread, size)
        elif path == "list":
            Thread.objects.bulk_create([Thread(owner=user, agent="shop") for _ in range(size)])
        else:
            for number in range(size // 4):
                make_paused(user, ApprovalPolicy(group=f"group {number}", required=2))
        address = {
            "messages": f"threads/{thread.pk}/messages/",
            "list": "threads/",
            "approvals": "approvals/",
        }[path]
        with CaptureQueriesContext(connection) as seen:
            answer = api.get(address, limit=100)
        assert answer.status_code == 200
        return len(seen)

    few, many = queries(10), queries(200)
    assert few == many <= 14


def test_nor_with_the_approvals_that_wait_in_a_page(api: Api, user: Any) -> None:
    def queries(size: int) -> int:
        thread = Thread.objects.create(owner=user, agent="shop")
        for number in range(size):
            make_paused(user, ApprovalPolicy(group=f"group {number}"), into=thread)
        with CaptureQueriesContext(connection) as seen:
            page = api.get(f"threads/{thread.pk}/messages/", limit=100).data
        assert len(page["approvals"]) == size
        return len(seen)

    few, many = queries(2), queries(20)
    assert few == many <= 15


def test_the_other_rows_by_id(api: Api, paused: Any) -> None:
    message = api.get(f"messages/{paused.answer.pk}/").data
    assert message["status"] == {"type": "requires_action", "reason": "tool_calls"}
    assert message["parts"][0] == {"type": "tool_call", "id": str(paused.refund.pk)}
    assert api.get(f"runs/{paused.run.pk}/").data["status"] == "requires_action"
    call = api.get(f"tool-calls/{paused.refund.pk}/").data
    assert (call["status"], call["approval"]) == ("awaiting_approval", str(paused.approval.pk))
    assert "model_content" not in call
    approval = api.get(f"approvals/{paused.approval.pk}/").data
    assert (approval["may_decide"], approval["args_text"]) == (True, '{"order": 7}')


def test_integers_keep_every_digit(api: Api, paused: Any) -> None:
    paused.ask.result = {"n": 2**64 + 1}
    paused.ask.save()
    assert b'"n":18446744073709551617' in api.get(f"tool-calls/{paused.ask.pk}/").content


@pytest.mark.parametrize(
    "path", ["nothing/", "threads/7/", "threads", "runs/00000000-0000-4000-8000-000000000000/stop/"]
)
def test_what_is_no_endpoint_says_so_in_json(api: Api, path: str) -> None:
    answer = api.get(path)
    assert (answer.status_code, answer.data["code"]) == (404, "not_found")
