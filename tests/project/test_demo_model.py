"""What the offline model does with what it reads: pure, request in, steps out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentui.adapters import Call, Fail, ModelRequest, Say, Think, ToolDefinition
from agentui.core import texts
from agentui.core.history import RequestMessage, RequestToolCall, RequestToolResult
from agentui.core.parts import TextPart
from agentui.core.statuses import Reason, ToolCallStatus
from project.shop.demo_model import decide
from project.shop.demo_model.wishes import RefundWish, read_fields, read_refund, read_theme

SERVER_TOOLS: tuple[str, ...] = ("list_orders", "find_order", "refund_order", "ask_customer")
PAGE_TOOLS: tuple[str, ...] = ("set_theme", "fill_return")
ORDER = {
    "order_number": 1002,
    "status": "delivered",
    "items": ["2 x Morning cup"],
    "paid": "60.00",
    "refunded": "10.00",
    "placed_on": "2026-01-02",
    "arrives_on": None,
}
REFUND = {"order_number": 1002, "amount": "20.00", "reason": "the cup was broken"}
REFUND_TEXT = "refund order 1002 20 because the cup was broken"
Answered = tuple[str, dict[str, Any], Any]


def said(text: str) -> RequestMessage:
    return RequestMessage("user", (TextPart(text),))


def answered(number: int, answer: Answered, *, is_error: bool = False) -> list[RequestMessage]:
    name, args, result = answer
    call_id = f"call_{number}"
    content = result if isinstance(result, str) else json.dumps(result)
    return [
        RequestMessage("assistant", (RequestToolCall(call_id, name, json.dumps(args)),)),
        RequestMessage("tool", (RequestToolResult(call_id, name, content, is_error=is_error),)),
    ]


def ask(
    text: str, *answers: Answered, is_error: bool = False, tools: tuple[str, ...] = PAGE_TOOLS
) -> list[Any]:
    """The steps after ``text`` and these answers; ``is_error`` is said of the last one."""
    messages = [said("an older question"), *answered(0, ("find_order", {}, ORDER)), said(text)]
    for number, answer in enumerate(answers, 1):
        messages += answered(number, answer, is_error=is_error and number == len(answers))
    offered = tuple(ToolDefinition(name) for name in (*SERVER_TOOLS, *tools))
    return list(decide(ModelRequest("m", messages=tuple(messages), tools=offered)))


def calls(steps: list[Any]) -> list[tuple[str, Any]]:
    return [(step.tool_name, step.args) for step in steps if isinstance(step, Call)]


def words(steps: list[Any]) -> str:
    assert not calls(steps)
    return "".join(str(step.text) for step in steps if isinstance(step, Say))


# --- one thing after the other -------------------------------------------------------------------

FOUND: Answered = ("find_order", {"order_number": 1002}, ORDER)


def test_a_refund_looks_first_then_asks_staff_then_tells() -> None:
    assert calls(ask(REFUND_TEXT)) == [("find_order", {"order_number": 1002})]
    assert calls(ask(REFUND_TEXT, FOUND)) == [("refund_order", REFUND)]
    done = {"order_number": 1002, "refunded": "20.00", "refunded_in_all": "30.00", "paid": "60.00"}
    told = words(ask(REFUND_TEXT, FOUND, ("refund_order", REFUND, done)))
    assert "€20.00" in told
    assert "€30.00 in all" in told


def test_a_refund_without_a_reason_asks_for_it() -> None:
    [(name, question)] = calls(ask("refund order 1002 20", FOUND))
    assert name == "ask_customer"
    answer: Answered = (name, question, "It arrived damaged")
    [(name, args)] = calls(ask("refund order 1002 20", FOUND, answer))
    assert (name, args["reason"], args["amount"]) == ("refund_order", "It arrived damaged", "20.00")


def test_a_refund_without_an_amount_is_what_is_left() -> None:
    [(_, args)] = calls(ask("refund order 1002 because it is broken", FOUND))
    assert args["amount"] == "50.00"


def test_nothing_left_is_not_asked_for() -> None:
    found: Answered = ("find_order", {"order_number": 1002}, {**ORDER, "refunded": "60.00"})
    assert "nothing left" in words(ask("refund order 1002 because it is broken", found))


def test_an_unknown_order_ends_the_refund() -> None:
    missing: Answered = ("find_order", {"order_number": 9}, texts.raised("No such order."))
    told = words(ask("refund order 9999 20 because of x", missing, is_error=True))
    assert told == "That did not work. No such order."


def test_an_unanswered_question_ends_the_refund() -> None:
    gone: Answered = ("ask_customer", {}, texts.CANCELLED_BY_MESSAGE)
    assert "Nothing was done" in words(ask("refund order 1002 20", FOUND, gone, is_error=True))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (texts.denied("Ask for a photo first."), "“Ask for a photo first.”"),
        (texts.denied(None), "declined the refund of €20.00 for order 1002, without"),
        (texts.EXPIRED, "Nobody decided"),
        (texts.DENIED_BY_EXPIRY, "Nobody decided"),
        (texts.INTERRUPTED, "I cannot say whether"),
        (texts.INTERRUPTED_BY_USER, "I cannot say whether"),
        (texts.CANCELLED_BY_MESSAGE, "I did not go on"),
        (texts.not_run(Reason.CANCELLED), "I did not go on"),
        (texts.raised("At most 5 can be refunded."), "At most 5 can be refunded."),
        (texts.timed_out(60), "No answer within 60 seconds"),
        (texts.tool_changed("refund_order"), "has changed since"),
    ],
)
def test_a_refund_that_failed_is_never_told_as_done(text: str, told: str) -> None:
    answer = words(ask(REFUND_TEXT, FOUND, ("refund_order", REFUND, text), is_error=True))
    assert told in answer
    assert "Done" not in answer


def test_a_call_that_waits_is_told_as_waiting() -> None:
    waits = texts.waiting(ToolCallStatus.AWAITING_APPROVAL)
    assert "still waits" in words(ask(REFUND_TEXT, FOUND, ("refund_order", REFUND, waits)))


def test_changed_arguments_are_told() -> None:
    done = {"order_number": 1002, "refunded": "5.00", "refunded_in_all": "5.00", "paid": "60.00"}
    edited = texts.edited(json.dumps({**REFUND, "amount": "5.00"}), done)
    told = words(ask(REFUND_TEXT, FOUND, ("refund_order", REFUND, edited)))
    assert "A colleague changed the request" in told
    assert "€5.00" in told


@pytest.mark.parametrize(
    ("status", "result", "told"),
    [
        (
            ToolCallStatus.COMPLETE,
            {"order_number": 1002, "refunded": "20.00", "refunded_in_all": "20.00"},
            "There is news. Done: **€20.00** of order 1002",
        ),
        (
            ToolCallStatus.DENIED,
            texts.denied("No."),
            "There is news. A colleague declined the refund of €20",
        ),
        (ToolCallStatus.EXPIRED, texts.EXPIRED, "There is news. Nobody decided"),
        (ToolCallStatus.INTERRUPTED, texts.INTERRUPTED, "There is news. I cannot say whether"),
    ],
)
def test_an_event_is_told_as_news(status: ToolCallStatus, result: Any, told: str) -> None:
    result = result if isinstance(result, str) else json.dumps(result)
    event = texts.event(texts.outcome("refund_order", json.dumps(REFUND), status, result))
    assert words(ask(event)).startswith(told)


def test_an_event_of_another_kind_is_told_as_it_is() -> None:
    assert words(ask(texts.event("The shop closed."))) == "I was told: The shop closed."


# --- one answer each -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("Where is my order 1002?", ("find_order", {"order_number": 1002})),
        ("where is 1002", ("find_order", {"order_number": 1002})),
        ("where is my order?", ("list_orders", {})),
        ("List my orders", ("list_orders", {})),
        ("make the page dark", ("set_theme", {"theme": "dark"})),
        ("Light mode please", ("set_theme", {"theme": "light"})),
        (
            "fill in my phone number 555-1234",
            ("fill_return", {"phone": "555-1234"}),
        ),
        (
            "write a note: ring the bell, twice",
            ("fill_return", {"note": "ring the bell, twice"}),
        ),
        ("fill in order 1001", ("fill_return", {"order": "1001"})),
    ],
)
def test_one_wish_is_one_call(text: str, call: tuple[str, Any]) -> None:
    assert calls(ask(text)) == [call]


def test_ask_me_something_asks_and_notes_the_answer() -> None:
    [(name, question)] = calls(ask("ask me something"))
    assert name == "ask_customer"
    assert len(question["choices"]) == 3
    answer: Answered = (name, question, "The large one")
    assert "**The large one**" in words(ask("ask me something", answer))


def test_two_fields_are_one_call_and_one_answer() -> None:
    text = "fill in my phone 555-1234 and the note: two pieces"
    [(name, args)] = calls(ask(text))
    assert args == {"note": "two pieces", "phone": "555-1234"}
    told = words(ask(text, (name, args, {"filled": list(args), "values": args})))
    assert "555-1234" in told
    assert "two pieces" in told


def test_a_page_without_the_tool_is_not_called() -> None:
    assert "cannot do that" in words(ask("make the page dark", tools=()))


def test_a_page_that_failed_is_told() -> None:
    answer: Answered = ("set_theme", {"theme": "dark"}, "The tool did not answer within 30 s.")
    assert "did not answer" in words(ask("make the page dark", answer, is_error=True))


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("hello", "support desk"),
        ("show a table", "| Glaze |"),
        ("show code", "```python"),
        ("write a long answer", "# How to care"),
        ("count", "1, 2, 3"),
        ("thanks", "welcome"),
        ("asdfgh", "offline model"),
        ("", "offline model"),
        ("<b>\x00\ud83d</b>", "offline model"),
    ],
)
def test_plain_answers(text: str, holds: str) -> None:
    assert holds in words(ask(text))


def test_think_and_fail() -> None:
    assert [type(step) for step in ask("think")] == [Think, Say]
    assert [type(step) for step in ask("fail")] == [Say, Fail]


def test_without_a_message_it_offers_help() -> None:
    assert isinstance(next(iter(decide(ModelRequest("m")))), Say)


# --- reading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        (REFUND_TEXT, RefundWish(1002, "20.00", "the cup was broken")),
        ("please refund 12,5 € for order #1002", RefundWish(1002, "12.50")),
        ("refund €9.99 of 1003 since 2 were wrong.", RefundWish(1003, "9.99", "2 were wrong")),
        ("refund 1002", RefundWish(1002)),
        ("I want a refund", RefundWish()),
    ],
)
def test_read_refund(text: str, wish: RefundWish) -> None:
    assert read_refund(text) == wish


def test_read_theme_needs_something_to_change() -> None:
    assert read_theme("switch to system colours") == "auto"
    assert read_theme("it was a dark and stormy night") is None


def test_read_fields_reads_a_reason() -> None:
    assert read_fields("put damaged as the reason") == {"reason": "damaged"}
