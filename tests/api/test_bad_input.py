"""Whatever a client sends: the right value, or a clear refusal with nothing changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentui.actions import send_message
from agentui.exceptions import NotFound
from agentui.models import Message, Thread, ToolCall
from tests.api.conftest import Api, text
from tests.api.test_access import everything

DEEP = 100_000


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "invalid"),
        (b"{", 400, "invalid"),
        (b"[]", 400, "invalid"),
        (b'"text"', 400, "invalid"),
        (b"null", 400, "invalid"),
        (b'{"agent": NaN}', 400, "invalid"),
        (b'{"agent": "shop", "state": Infinity}', 400, "invalid"),
        (b'{"agent": "shop", "state": 1e999}', 400, "invalid"),
        (b'{"agent": "shop", "state": ' + b"9" * 5000 + b"}", 400, "invalid"),
        (b'{"agent": "\xff"}', 400, "invalid"),
        (b'\xef\xbb\xbf{"agent": "shop"}', 400, "invalid"),
        (b'{"agent": "shop", "state": ' + b"[" * DEEP + b"]" * DEEP + b"}", 400, "invalid"),
        (b'{"agent": "shop", "state": ' + b"[" * 300 + b"]" * 300 + b"}", 400, "invalid"),
        (b'{"agent": 7}', 400, "invalid"),
        (b'{"agent": null}', 400, "invalid"),
        (b'{"agent": "nobody"}', 404, "unknown_agent"),
        (b'{"agent": "shop", "title": ["x"]}', 400, "invalid"),
        (b'{"agent": "shop", "title": "' + b"x" * 201 + b'"}', 400, "invalid"),
        (b'{"agent": "shop", "state": "' + b"x" * 2_700_000 + b'"}', 413, "too_large"),
    ],
    ids=lambda value: value[:40].decode("utf-8", "replace") if isinstance(value, bytes) else "",
)
def test_bodies(api: Api, body: bytes, status: int, code: str) -> None:
    answer = api.raw("threads/", body)
    assert (answer.status_code, answer.data["code"]) == (status, code)
    assert set(answer.data) <= {"code", "message", "details"}
    assert len(answer.data["message"]) < 300
    assert not Thread.objects.exists()


@pytest.mark.parametrize("part", ['"Hello"', '{"text": "Hello"}', '{"type": "image"}', "7"])
def test_a_part_of_no_known_type_is_told_the_types(api: Api, thread: Thread, part: str) -> None:
    answer = api.raw(f"threads/{thread.pk}/messages/", f'{{"parts": [{part}]}}'.encode())
    assert (answer.status_code, answer.data["code"]) == (400, "invalid")
    assert answer.data["message"].startswith('parts.0: a part is an object with "type": "text"')
    assert not Message.objects.exists()


def test_other_formats_are_refused(api: Api) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/x"):
        answer = api.raw("threads/", b"agent=shop", kind)
        assert (answer.status_code, answer.data["code"]) == (415, "unsupported_media_type")


def test_a_method_that_is_not_there(api: Api, thread: Thread) -> None:
    answer = api._read(api.client.put(f"/agentui/api/threads/{thread.pk}/", b"{}"))
    assert (answer.status_code, answer.data["code"]) == (405, "method_not_allowed")
    assert "PATCH" in answer["Allow"]


def test_text_is_cleaned_as_everywhere(api: Api) -> None:
    """NUL goes, half a surrogate pair becomes U+FFFD, a pair stays its one character."""
    made = api.raw(
        "threads/",
        rb'{"agent": "shop", "title": "a\u0000b\ud800c \ud83d\ude00", "state": {"k\u0000": 1}}',
    )
    assert made.status_code == 201
    assert made.data["title"] == "ab\N{REPLACEMENT CHARACTER}c \N{GRINNING FACE}"
    assert made.data["state"] == {"k": 1}
    assert Thread.objects.get().title == made.data["title"]


def test_integers_are_taken_exactly(api: Api, paused: Any) -> None:
    body = b'{"tab": "t", "result": {"id": 9007199254740993, "huge": 18446744073709551617}}'
    answer = api.raw(f"tool-calls/{paused.ask.pk}/result/", body)
    assert answer.status_code == 200
    assert b"9007199254740993" in answer.content
    assert b"18446744073709551617" in answer.content
    assert ToolCall.objects.get(pk=paused.ask.pk).result["huge"] == 2**64 + 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"parts": []}, 400, "empty_message"),
        ({"parts": text(" \n")}, 400, "empty_message"),
        ({"parts": text("\x00")}, 400, "empty_message"),
        ({"parts": "Hello"}, 400, "invalid"),
        ({"parts": [{"type": "text"}]}, 400, "invalid"),
        ({"parts": [{"type": "text", "text": 7}]}, 400, "invalid"),
        ({"parts": [{"type": "reasoning", "text": "I may"}]}, 400, "invalid"),
        ({"parts": [{"type": "tool_call", "id": "x"}]}, 400, "invalid"),
        ({"parts": text("x" * 100_001)}, 413, "too_large"),
        ({"parts": text("Hi"), "role": "system"}, 400, "invalid"),
        ({"parts": text("Hi"), "status": "complete"}, 400, "invalid"),
        ({"parts": text("Hi"), "id": "0198f3a4-0000-7000-8000-000000000001"}, 400, "invalid"),
        ({"parts": text("Hi"), "owner": 1}, 400, "invalid"),
        ({"parts": text("Hi"), "messages": []}, 400, "invalid"),
        ({"parts": text("Hi"), "parent": "top"}, 400, "invalid"),
        ({"parts": text("Hi"), "parent": 7}, 400, "invalid"),
        (
            {"parts": text("Hi"), "parent": "0198f3a4-0000-7000-8000-000000000001"},
            404,
            "not_found",
        ),
        ({"parts": text("Hi"), "on_active": "ignore"}, 400, "invalid"),
        ({"parts": text("Hi"), "tools": "all"}, 400, "invalid"),
        ({"parts": text("Hi"), "tools": [{"name": "no spaces"}]}, 400, "invalid"),
        ({"parts": text("Hi"), "tools": [{"name": f"t{n}"} for n in range(65)]}, 400, "invalid"),
        ({"parts": text("Hi"), "context": [{"value": "x"}]}, 400, "invalid"),
        ({"parts": text("Hi"), "run_config": [1]}, 400, "invalid"),
        (
            {"parts": [{"type": "file", "mime_type": "image/svg+xml", "data": "PHN2Zz4="}]},
            400,
            "invalid",
        ),
        (
            {
                "parts": [
                    {"type": "file", "mime_type": "image/png", "data": "http://169.254.169.254/"}
                ]
            },
            400,
            "invalid",
        ),
        (
            {"parts": [{"type": "file", "mime_type": "image/png", "url": "file:///etc/passwd"}]},
            400,
            "invalid",
        ),
    ],
    ids=lambda value: json.dumps(value)[:60] if isinstance(value, dict) else "",
)
def test_messages_that_are_refused(
    api: Api, thread: Thread, body: dict[str, Any], status: int, code: str
) -> None:
    before = everything()
    answer = api.post(f"threads/{thread.pk}/messages/", body)
    assert (answer.status_code, answer.data["code"]) == (status, code)
    assert everything() == before


def test_a_parent_in_another_thread(api: Api, thread: Thread, paused: Any) -> None:
    body = {"parts": text("Hi"), "parent": str(paused.asked.pk)}
    answer = api.post(f"threads/{thread.pk}/messages/", body)
    assert (answer.status_code, answer.data["code"]) == (404, "not_found")
    assert not Message.objects.filter(thread=thread).exists()


@pytest.mark.parametrize("parent", ["top", 7, {}, "\x00"])
def test_a_parent_that_is_no_id_at_any_door(user: Any, thread: Thread, parent: Any) -> None:
    with pytest.raises(NotFound):
        send_message(user, parts=text("Hi"), thread_id=thread.pk, parent=parent)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"title": ""},
        {"title": "\x00 "},
        {"title": 7},
        {"title": "New", "status": "gone"},
        {"title": "New", "agent": "other"},
        {"title": "New", "owner": 2},
        {"title": "New", "head": None},
        {"title": "", "status": "archived"},
        {"status": "archived", "last_activity_at": "2020-01-01"},
    ],
    ids=str,
)
def test_what_of_a_thread_cannot_be_written(api: Api, thread: Thread, body: Any) -> None:
    before = everything()
    answer = api.patch(f"threads/{thread.pk}/", body)
    assert (answer.status_code, answer.data["code"]) == (400, "invalid")
    assert everything() == before


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"operations": "all"},
        {"operations": [7]},
        {"operations": [{"type": "delete", "path": []}]},
        {"operations": [{"type": "set", "path": ["__proto__"], "value": 1}]},
        {"operations": [{"type": "set", "path": ["a"], "value": 1}, {"type": "append-text"}]},
        {"operations": [{"type": "set", "path": [str(n) for n in range(101)], "value": 1}]},
    ],
    ids=lambda body: str(body)[:60],
)
def test_states_that_are_refused(api: Api, thread: Thread, body: Any) -> None:
    answer = api.post(f"threads/{thread.pk}/state/", body)
    assert (answer.status_code, answer.data["code"]) == (400, "invalid")
    thread.refresh_from_db()
    assert thread.state is None


@pytest.mark.parametrize(
    ("which", "body", "status", "code"),
    [
        ("ask", {}, 400, "invalid"),
        ("ask", {"tab": "t"}, 400, "invalid"),
        ("ask", {"tab": "t", "result": 1, "error": "no"}, 400, "invalid"),
        ("ask", {"tab": " ", "result": 1}, 400, "invalid"),
        ("ask", {"tab": "x" * 101, "result": 1}, 400, "invalid"),
        ("ask", {"tab": "t", "error": {"a": 1}}, 400, "invalid"),
        ("ask", {"tab": "t", "result": "x" * 200_001}, 413, "too_large"),
        ("ask", {"tab": "t", "result": 1, "status": "complete"}, 400, "invalid"),
        ("refund", {"tab": "t", "result": {"refunded": 7}}, 409, "not_awaiting_result"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_results_that_are_refused(
    api: Api, paused: Any, which: str, body: Any, status: int, code: str
) -> None:
    before = everything()
    answer = api.post(f"tool-calls/{getattr(paused, which).pk}/result/", body)
    assert (answer.status_code, answer.data["code"]) == (status, code)
    assert everything() == before


def test_the_servers_own_call_cannot_be_claimed(api: Api, paused: Any) -> None:
    answer = api.post(f"tool-calls/{paused.refund.pk}/claim/", {"tab": "t"})
    assert (answer.status_code, answer.data["code"]) == (409, "not_awaiting_result")


def test_every_problem_is_named(api: Api) -> None:
    answer = api.post("threads/", {"title": 7, "nope": 1})
    assert set(answer.data["details"]["fields"]) == {"agent", "title", "nope"}


def test_verbs_that_take_nothing(api: Api, paused: Any) -> None:
    for path in (f"messages/{paused.answer.pk}/switch/", f"runs/{paused.run.pk}/cancel/"):
        answer = api.post(path, {"status": "complete"})
        assert (answer.status_code, answer.data["code"]) == (400, "invalid")
