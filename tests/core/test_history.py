"""The request is one that a strict provider takes, and says what is true."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core import texts
from agentui.core.history import (
    HistoryError,
    RequestMessage,
    RequestToolCall,
    RequestToolResult,
    build_history,
    window,
)
from agentui.core.parts import (
    ApprovalState,
    Message,
    Metadata,
    ReasoningPart,
    SourcePart,
    Step,
    TextPart,
    ToolCallPart,
)
from agentui.core.statuses import COMPLETE, ApprovalStatus, Role, ToolCallStatus, ToolKind

from . import strict
from .generate import threads


def user(text: str, id: str = "u") -> Message:
    return Message(id, Role.USER, (TextPart(text),), COMPLETE)


def assistant(*parts: Any, model: str | None = "one", starts: tuple[int, ...] = ()) -> Message:
    steps = tuple(Step(start=start, state="finished") for start in starts)
    return Message("a", Role.ASSISTANT, parts, COMPLETE, Metadata(steps=steps), model=model)


def call(name: str, status: ToolCallStatus = ToolCallStatus.COMPLETE, **more: Any) -> ToolCallPart:
    more = {"args_text": "{}", **more}
    return ToolCallPart(f"row-{name}", name, "find_order", status=status, **more)


def results(history: tuple[RequestMessage, ...]) -> list[RequestToolResult]:
    parts = [part for message in history for part in message.parts]
    return [part for part in parts if isinstance(part, RequestToolResult)]


def calls(history: tuple[RequestMessage, ...]) -> list[RequestToolCall]:
    parts = [part for message in history for part in message.parts]
    return [part for part in parts if isinstance(part, RequestToolCall)]


@given(threads(), st.sampled_from([None, "one", "two"]))
def test_any_thread_makes_a_request_that_strict_providers_take(
    thread: list[Message], model: str | None
) -> None:
    history = build_history(thread, model=model)
    strict.verify(history)
    json.dumps([message.to_json() for message in history], allow_nan=False).encode()


@given(threads())
def test_the_request_is_the_same_every_time(thread: list[Message]) -> None:
    assert build_history(thread, model="one") == build_history(list(thread), model="one")


@given(threads())
def test_every_call_is_asked_and_answered_once(thread: list[Message]) -> None:
    history = build_history(thread, model=None)
    made = [part for message in thread for part in message.tool_calls]
    assert len(calls(history)) == len(results(history)) == len(made)
    assert [part.id for part in calls(history)] == [part.id for part in results(history)]


@given(threads(), st.integers(1, 12))
def test_a_window_of_a_thread_is_a_request_too(thread: list[Message], limit: int) -> None:
    shown = window(thread, limit)
    strict.verify(build_history(shown, model="one"))
    assert [m for m in shown if m.role is Role.SYSTEM] == [
        m for m in thread if m.role is Role.SYSTEM
    ]


@given(threads(), st.integers(1, 12))
def test_a_window_of_a_request_never_cuts_a_pair(thread: list[Message], limit: int) -> None:
    history = build_history(thread, model="one")
    shown = window(history, limit)
    strict.verify(shown)
    spoken = [message for message in shown if message.role != "system"]
    last_exchange = next(
        (at for at, message in enumerate(reversed(history), 1) if message.role == "user"), 0
    )
    assert len(spoken) <= max(limit, last_exchange)


@pytest.mark.parametrize("limit", range(1, 7))
def test_the_window_of_two_parallel_calls(limit: int) -> None:
    thread = [
        user("q1"),
        assistant(call("c1"), call("c2"), TextPart("a1"), starts=(0, 2)),
        user("q2"),
    ]
    history = window(build_history(thread, model=None), limit)
    strict.verify(history)
    assert history[0].role == "user"
    assert history[-1].parts == (TextPart("q2"),)


def test_no_limit_is_everything() -> None:
    thread = [user("one"), assistant(TextPart("two")), user("three")]
    assert window(thread, None) == tuple(thread)
    assert window(thread, 1) == (thread[2],)
    assert window(thread, 2) == (thread[2],)
    assert window(thread, 3) == tuple(thread)
    assert window(thread, 0) == (thread[2],)


def test_a_window_never_starts_with_an_answer() -> None:
    thread = [assistant(TextPart("Welcome!")), user("Hi"), assistant(TextPart("Hello"))]
    assert window(thread, 10) == tuple(thread[1:])
    assert window(thread[:1], 10) == (thread[0],)


def test_system_messages_stay_where_they_stand() -> None:
    rule = Message("s", Role.SYSTEM, (TextPart("Be kind."),), COMPLETE)
    thread = [rule, user("one"), user("two"), rule, user("three")]
    assert window(thread, 2) == (rule, thread[2], rule, thread[4])
    assert window(thread, 3) == tuple(thread)


# What the model is told of a call


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (ToolCallStatus.AWAITING_APPROVAL, "waits for approval"),
        (ToolCallStatus.APPROVED, "is about to run"),
        (ToolCallStatus.EXECUTING, "is running"),
        (ToolCallStatus.PENDING, "waits for its answer"),
        (ToolCallStatus.DENIED, "Denied by a person"),
        (ToolCallStatus.EXPIRED, "expired"),
        (ToolCallStatus.CANCELLED, "Not run"),
        (ToolCallStatus.INTERRUPTED, "may have had effects"),
        (ToolCallStatus.COMPLETE, "(no output)"),
        (ToolCallStatus.FAILED, "(no output)"),
    ],
)
def test_a_call_without_words_of_its_own_is_told_the_truth(
    status: ToolCallStatus, words: str
) -> None:
    history = build_history([user("x"), assistant(call("c", status))], model=None)
    (result,) = results(history)
    assert words in result.content
    waits = status in {"awaiting_approval", "approved", "executing", "pending"}
    assert result.is_error == (not waits and status is not ToolCallStatus.COMPLETE)


def test_only_what_may_have_happened_says_so() -> None:
    never_ran = [texts.EXPIRED, texts.CANCELLED_BY_MESSAGE, texts.SUPERSEDED, texts.denied(None)]
    assert not any("effects" in text for text in never_ran)
    assert "effects" in texts.INTERRUPTED
    assert "effects" in texts.timed_out(30)


def test_the_reason_of_a_denial_is_passed_on_word_for_word() -> None:
    reason = "wrong recipient; ask <first>"
    approval = ApprovalState("a", ApprovalStatus.DENIED, reason=reason)
    denied = call("t1", ToolCallStatus.DENIED, approval=approval)
    history = build_history([user("x"), assistant(denied, call("t2", result="10:00"))], model=None)
    told = results(history)
    assert reason in told[0].content
    assert told[0].is_error
    assert told[1].content == "10:00"
    strict.verify(history)


def test_a_call_that_still_streams_raises() -> None:
    with pytest.raises(HistoryError, match="still being written"):
        build_history([user("x"), assistant(call("c", ToolCallStatus.STREAMING))], model=None)


@pytest.mark.parametrize("broken", [{"tool_name": ""}, {"tool_call_id": ""}])
def test_a_call_without_name_or_id_raises(broken: dict[str, str]) -> None:
    with pytest.raises(HistoryError, match="no id or name"):
        build_history([user("x"), assistant(replace(call("c"), **broken))], model=None)


def test_the_artifact_is_for_the_page_and_the_model_content_for_the_model() -> None:
    part = call("c", result={"rows": 900}, artifact="chart", model_content="900 rows")
    history = build_history([user("x"), assistant(part)], model=None)
    assert results(history)[0].content == "900 rows"
    assert "chart" not in json.dumps([message.to_json() for message in history])


def test_a_list_of_content_for_the_model_stays_a_list() -> None:
    image = {"type": "file", "data": "aGk=", "mime_type": "image/png"}
    part = call("c", model_content=[{"type": "text", "text": " "}, image])
    history = build_history([user("x"), assistant(part)], model=None)
    assert results(history)[0].content == [image]


@pytest.mark.parametrize(
    ("result", "content"),
    [
        ("text", "text"),
        (" ", "(no output)"),
        (None, "(no output)"),
        (False, "false"),
        (0, "0"),
        ({"a": "é"}, '{"a": "é"}'),
        ([{"type": "text", "text": " "}], '[{"type": "text", "text": " "}]'),
        (9007199254740993, "9007199254740993"),
    ],
)
def test_results_become_text(result: Any, content: str) -> None:
    history = build_history([user("x"), assistant(call("c", result=result))], model=None)
    assert results(history)[0].content == content


# Arguments and ids


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("", "{}"),
        (' {"b":1,  "a":2} ', ' {"b":1,  "a":2} '),
        ('{"n":12345678901234567890}', '{"n":12345678901234567890}'),
        ('{"s":"\\ud83c\\udf78"}', '{"s":"\\ud83c\\udf78"}'),
        ('{"s":"\\ud83c"}', '{"s": "\ufffd"}'),
        ('{"s":"x\\u0000y"}', '{"s": "xy"}'),
        ('{"path":"a.txt","con', '{"INVALID_JSON": "{\\"path\\":\\"a.txt\\",\\"con"}'),
        ("[1]", '{"INVALID_JSON": "[1]"}'),
    ],
)
def test_arguments_go_back_as_they_were_written(written: str, sent: str) -> None:
    history = build_history([user("x"), assistant(call("c", args_text=written))], model=None)
    assert calls(history)[0].args_text == sent


def test_broken_arguments_are_not_sent_back_by_the_megabyte() -> None:
    part = call("c", ToolCallStatus.FAILED, args_text='{"a":"' + "x" * 500_000)
    history = build_history([user("x"), assistant(part)], model=None)
    assert len(calls(history)[0].args_text) < 5_000
    assert "500006 characters" in calls(history)[0].args_text


def test_an_id_that_is_taken_gives_way_to_the_rows_own() -> None:
    first = replace(call("call_0"), id="row-1")
    second = replace(call("call_0"), id="row-2")
    history = build_history([user("x"), assistant(first), user("y"), assistant(second)], model=None)
    assert [part.id for part in calls(history)] == ["call_0", "row-2"]
    strict.verify(history)


# What the model said


def test_roundtrips_become_pairs() -> None:
    message = assistant(
        TextPart("Let me look."), call("c1"), TextPart("And there."), call("c2"), TextPart("Done."),
        starts=(0, 2, 4),
    )  # fmt: skip
    history = build_history([user("x"), message], model=None)
    assert [item.role for item in history] == [
        "user", "assistant", "tool", "assistant", "tool", "assistant",
    ]  # fmt: skip


def test_text_after_a_call_in_one_roundtrip_goes_before_it() -> None:
    message = assistant(call("c1"), TextPart("I asked."), starts=(0,))
    history = build_history([user("x"), message], model=None)
    assert history[1].parts[0] == TextPart("I asked.")
    assert isinstance(history[1].parts[1], RequestToolCall)


def test_text_after_a_call_begins_a_new_pair_where_no_steps_are_known() -> None:
    message = assistant(TextPart("Look."), call("t1"), TextPart("Again."), call("t2"))
    history = build_history([user("x"), message], model=None)
    assert [item.role for item in history] == ["user", "assistant", "tool", "assistant", "tool"]


def test_thoughts_go_back_unchanged_to_the_model_that_had_them() -> None:
    signed = ReasoningPart("step one\n— café", provider_metadata={"signature": "SIG_AAAA=="})
    redacted = ReasoningPart("", provider_metadata={"data": "OPAQUE=="})
    message = assistant(signed, redacted, TextPart("Checking."), call("c"), model="one")
    same = build_history([user("x"), message], model="one")
    assert same[1].parts[:2] == (signed, redacted)
    other = build_history([user("x"), message], model="two")
    assert other[1].parts[0] == TextPart("Checking.")


def test_a_providers_own_data_goes_to_no_other() -> None:
    text = TextPart("Hi", provider_metadata={"id": "msg_1"})
    part = call("c", provider_metadata={"thought_signature": "S"})
    mine = build_history([user("x"), assistant(text, part)], model="one")
    assert mine[1].parts[0] == text
    assert calls(mine)[0].provider_metadata == {"thought_signature": "S"}
    other = build_history([user("x"), assistant(text, part)], model="two")
    assert other[1].parts[0] == TextPart("Hi")
    assert calls(other)[0].provider_metadata is None


def test_a_thought_alone_is_not_a_message() -> None:
    history = build_history([user("x"), assistant(ReasoningPart("Hmm")), user("y")], model="one")
    assert [item.role for item in history] == ["user", "user"]
    cut = assistant(TextPart("Well,"), ReasoningPart("Hmm"))
    assert build_history([user("x"), cut], model="one")[1].parts == (TextPart("Well,"),)


def test_blank_blocks_are_left_out_and_a_blank_user_message_says_so() -> None:
    thread = [
        user("hi"),
        assistant(TextPart("\n"), call("toolu_2", result="")),
        assistant(TextPart("")),
        user("  "),
    ]
    history = build_history(thread, model=None)
    strict.verify(history)
    assert results(history)[0].content == "(no output)"
    assert history[-1].parts == (TextPart("(empty message)"),)


def test_events_are_told_in_the_users_place_and_marked() -> None:
    happened = Message("e", Role.EVENT, (TextPart("Your refund has been approved."),), COMPLETE)
    (message,) = build_history([happened], model=None)
    assert message.role == "user"
    part = message.parts[0]
    assert isinstance(part, TextPart)
    assert part.text.startswith("[Event, reported by the application, not written by the user]")


def test_sources_never_reach_the_model() -> None:
    message = assistant(TextPart("See."), SourcePart("s", url="https://example.com"))
    assert build_history([message], model="one")[0].parts == (TextPart("See."),)


def test_a_browser_call_that_waits_is_told_so() -> None:
    part = call("c", ToolCallStatus.PENDING, kind=ToolKind.FRONTEND)
    history = build_history([user("x"), assistant(part)], model=None)
    assert "waits for its answer" in results(history)[0].content
