"""What a client sends is read strictly, and can be written again by whoever repeats it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agentui.core.client_json import read_json
from agentui.core.moments import read_moment


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (r'{"id": "a\ud800"}', {"id": "a\ufffd"}),
        (r'{"\u0000id": "\u0000"}', {"id": ""}),
        (r'"\ud83d\ude00"', "😀"),
        ('"\ud800"', "\ufffd"),
        (b'"\\uD800"', "\ufffd"),
        ("9007199254740993", 9007199254740993),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
    ],
)
def test_a_text_that_is_read_can_be_written_as_utf_8(raw: str | bytes, value: object) -> None:
    read = read_json(raw)
    assert read == value
    repr(read).encode()


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "NaN",
        "-Infinity",
        "1e400",
        '["a',
        "[" * 100_000,
        b"\xff\xfe\x00",
        b'"\xed\xa0\x80"',
        "1" * 5000,
    ],
    ids=lambda raw: str(raw)[:12],
)
def test_what_is_no_json_is_a_value_error(raw: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  whichever reason
        read_json(raw)


def test_nesting_that_cannot_be_cleaned_is_a_value_error() -> None:
    with pytest.raises(ValueError):  # noqa: PT011  whichever reason
        read_json("[" * 5000 + r'"\ud800"' + "]" * 5000)


def test_a_time_is_read_in_utc() -> None:
    assert read_moment("2026-01-01T01:00:00+01:00") == datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-01T00:00:00",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "now",
        None,
        7,
    ],
)
def test_a_time_that_is_none_or_out_of_range_is_a_value_error(text: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  whichever reason
        read_moment(text)
