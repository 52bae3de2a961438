"""What a model wrote becomes exact arguments, or a text it can correct itself by."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, field_validator

from agentui import tool
from agentui.exceptions import ToolArgumentsError


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sku: str
    count: int

    @field_validator("count")
    @classmethod
    def few(cls, value: int) -> int:
        if value > 10:
            raise ValueError("at most 10 of one thing")
        return value


class Fragile(BaseModel):
    name: str

    @field_validator("name")
    @classmethod
    def break_(cls, value: str) -> str:
        raise AttributeError("password=hunter2")


@tool
def order(
    number: int,
    amount: Decimal = Decimal(0),
    note: str = "",
    day: date | None = None,
    lines: list[Line] = [],  # noqa: B006
    weight: float = 0.0,
    extra: Any = None,
) -> None: ...


@tool
def ping() -> None: ...


@tool
def fragile(thing: Fragile) -> None: ...


def problem_of(args_text: str) -> str:
    with pytest.raises(ToolArgumentsError) as error:
        order.validate(args_text)
    assert error.value.code == "invalid_arguments"
    return error.value.message


@pytest.mark.parametrize("nothing", ["", "  \n", "null", "{}", " {} ", "\x00"])
def test_no_arguments_at_all(nothing: str) -> None:
    assert ping.validate(nothing) == {}
    assert ping.plain_args(nothing) == {}


@pytest.mark.parametrize("text", ["[]", '"x"', "7", "true", '[{"number": 1}]'])
def test_only_an_object(text: str) -> None:
    assert problem_of(text) == f"They must be one JSON object; given {text}."


@pytest.mark.parametrize("text", ["{", '{"number": 1', '{"number": 1,}', "{number: 1}", "{'a': 1}"])
def test_broken_json(text: str) -> None:
    assert problem_of(text).startswith("They are not valid JSON: ")


def test_missing_unknown_and_wrong_are_all_named() -> None:
    message = problem_of(
        '{"amount": "much", "colour": "red", "lines": [{"sku": "a", "count": "x"}]}'
    )
    assert "number is missing." in message
    assert 'amount: should be a valid decimal; given "much".' in message
    assert (
        '"colour" is not an argument of order, which takes number, amount, note, day, lines, '
        "weight, extra." in message
    )
    assert "lines[0].count: should be a valid integer" in message


def test_nested_problems() -> None:
    lines = [{"sku": "a", "count": 11}, {"sku": "b", "count": 1, "colour": 2}, {"count": 1}]
    message = problem_of(json.dumps({"number": 1, "lines": lines}))
    assert "lines[0].count: at most 10 of one thing; given 11." in message
    assert "lines[1].colour is not known there." in message
    assert "lines[2].sku is missing." in message


def test_many_problems_are_counted() -> None:
    lines = [{"sku": "a", "count": 11}] * 30
    message = problem_of(json.dumps({"number": 1, "lines": lines}))
    assert message.count("at most 10 of one thing") == 10
    assert message.endswith("There are 20 more problems.")


def test_what_was_given_is_shortened_and_harmless() -> None:
    message = problem_of(json.dumps({"number": "<b>\x07" + "x" * 5000}))
    assert len(message) < 400
    assert "\x07" not in message
    assert "(5011 characters)" in message


def test_integers_of_any_size_are_exact() -> None:
    for number in (2**53 + 1, 10**40, -(2**63) - 1):
        assert order.validate(f'{{"number": {number}}}')["number"] == number
        assert order.plain_args(f'{{"number": {number}}}') == {"number": number}


@pytest.mark.parametrize(
    "digits",
    ["12.50", "0.1", "12345678901234567890.123456789", "1e400", "-0.30000000000000004", "1E-400"],
)
def test_decimals_are_exact(digits: str) -> None:
    assert order.validate(f'{{"number": 1, "amount": {digits}}}')["amount"] == Decimal(digits)
    assert order.validate(f'{{"number": 1, "amount": "{digits}"}}')["amount"] == Decimal(digits)


def test_a_float_stays_a_float() -> None:
    given = order.validate('{"number": 1, "weight": 0.12345678901234567890123, "extra": 0.5}')
    assert given["weight"] == 0.12345678901234568
    assert given["extra"] == 0.5
    assert "finite" in problem_of('{"number": 1, "weight": 1e400}')


def test_an_exponent_beyond_everything() -> None:
    huge = "1e99999999999999999999"
    assert "amount: should be a valid decimal" in problem_of(f'{{"number": 1, "amount": {huge}}}')
    assert problem_of(f'{{"number": {huge}}}')
    assert order.plain_args(f'{{"x": {huge}}}') == {"x": huge}


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have(token: str) -> None:
    assert f"hold {token}, which is not JSON" in problem_of(f'{{"number": {token}}}')
    assert order.validate(f'{{"number": 1, "note": "{token} 1e999"}}')["note"] == f"{token} 1e999"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"\ud83d\ude00", "\U0001f600"),
        (r"A\ud83d\ude00", "A\U0001f600"),
        (r"\u0041\ud83d\ude00", "A\U0001f600"),
        (r"\ud83d", "\ufffd"),
        (r"\ude00\ud83d", "\ufffd\ufffd"),
        (r"\ud83dA", "\ufffdA"),
        (r"\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        (r"a\u0000b", "ab"),
        (r"\\ud83d", r"\ud83d"),
        (r"\\\ud83d", "\\\ufffd"),
        (r"\"\ud83d", '"\ufffd'),
        ("\ud83d", "\ufffd"),
        ("a\x00b", "ab"),
    ],
)
def test_broken_characters(written: str, read: str) -> None:
    assert order.validate(f'{{"number": 1, "note": "{written}"}}')["note"] == read
    assert order.plain_args(f'{{"number": 1, "note": "{written}"}}')["note"] == read


@pytest.mark.parametrize(
    "text",
    [
        '{"number": 1, "number": 2}',
        '{"number": 1, "extra": {"a": 1, "a": 2}}',
        r'{"a":1,"a\u0000":2}',
    ],
)
def test_one_name_twice_is_refused(text: str) -> None:
    """A person may have been shown the other one."""
    assert "is given twice in one object" in problem_of(text)


def test_deep_nesting_is_refused() -> None:
    deep = '{"number": 1, "extra": ' + "[" * 100_000 + "]" * 100_000 + "}"
    assert problem_of(deep)


def test_megabytes_are_read_in_time() -> None:
    text = json.dumps({"number": 1, "note": 'a"\\\u0000é' * 200_000, "extra": [0.5] * 100_000})
    assert len(order.validate(text)["note"]) == 4 * 200_000


def test_a_validator_that_breaks_does_not_leak(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ToolArgumentsError) as error:
        fragile.validate('{"thing": {"name": "x"}}')
    assert error.value.message == "The arguments could not be checked (AttributeError)."
    assert "hunter2" in caplog.text


def test_dates_are_read() -> None:
    assert order.validate('{"number": 1, "day": "2026-02-28"}')["day"] == date(2026, 2, 28)
    assert "day: " in problem_of('{"number": 1, "day": "2026-02-30"}')


def test_a_text_that_never_ends_is_read_once():
    """It was read again from each of its quotes, which took minutes."""
    with pytest.raises(ToolArgumentsError, match="not valid JSON"):
        order.validate('{"note": "' + '\\"' * 100_000)
