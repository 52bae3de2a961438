"""What is stored is strict JSON in UTF-8, whatever came in."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core.clean import MAX_DEPTH, SurrogateJoiner, TooDeep, clean, clean_text
from agentui.core.digest import args_digest

from .generate import ANY_TEXT, DIRTY


@given(DIRTY)
def test_clean_is_strict_json_and_a_fixed_point(value: Any) -> None:
    cleaned = clean(value)
    written = json.dumps(cleaned, allow_nan=False, ensure_ascii=False)
    written.encode("utf-8")
    assert "\\u0000" not in written
    assert clean(cleaned) == cleaned
    assert json.loads(written) == cleaned


@given(DIRTY)
def test_what_is_clean_stays_as_it_is(value: Any) -> None:
    cleaned = clean(value)
    assert repr(clean(cleaned)) == repr(cleaned)


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ("hello\x00world", "helloworld"),
        ("party \ud83c\udf89 end", "party \U0001f389 end"),
        ("bad \udcaf tail", "bad \ufffd tail"),
        ("\ud83c\ud83c\udf89", "\ufffd\U0001f389"),
        ("\ud83c\x00\udf89", "\U0001f389"),
        (math.nan, None),
        (-math.inf, None),
        ({"mean": math.nan, "n": 3}, {"mean": None, "n": 3}),
        ((1, (2,)), [1, [2]]),
        (2**53 + 1, 2**53 + 1),
        (
            {2: "a", None: "b", True: "c", 1.5: "d"},
            {"2": "a", "null": "b", "true": "c", "1.5": "d"},
        ),
        ({"a\x00": 1, "b": 2, "a": 3}, {"a": 3, "b": 2}),
        (True, True),
    ],
)
def test_clean_examples(value: Any, cleaned: Any) -> None:
    assert clean(value) == cleaned
    assert type(clean(value)) is type(cleaned)


def test_integers_keep_every_digit_that_can_be_written() -> None:
    assert clean([10**4000, 10**5000]) == [10**4000, None]


def test_what_is_no_json_raises() -> None:
    with pytest.raises(TypeError, match="bytes is not JSON"):
        clean({"a": b"x"})
    with pytest.raises(TypeError, match="tuple cannot be the key"):
        clean({(1, 2): 1})


def test_depth_is_bounded() -> None:
    fits: Any = 1
    for _ in range(MAX_DEPTH):
        fits = [fits]
    assert clean(fits) == fits
    with pytest.raises(TooDeep):
        clean([fits])


@given(st.lists(ANY_TEXT))
def test_the_joiner_gives_the_same_text_for_any_split(pieces: list[str]) -> None:
    joiner = SurrogateJoiner()
    given_out = [joiner.feed(piece) for piece in pieces]
    given_out.append(joiner.flush())
    assert "".join(given_out) == clean_text("".join(pieces))
    for piece in given_out:
        piece.encode("utf-8")
    assert joiner.flush() == ""


@given(ANY_TEXT)
def test_the_joiner_takes_single_characters(text: str) -> None:
    joiner = SurrogateJoiner()
    assert "".join([*map(joiner.feed, text), joiner.flush()]) == clean_text(text)


def test_digest_is_over_the_exact_text() -> None:
    digest = args_digest("refund_order", '{"amount": 1}')
    assert digest == args_digest("refund_order", '{"amount": 1}')
    assert len(digest) == 64
    assert digest != args_digest("refund_order", '{"amount":1}')
    assert args_digest("a", "b") != args_digest("ab", "")
    args_digest("a", "\ud83c")
