from __future__ import annotations

import itertools
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.adapters.call_args import CallArguments


def put_together(*pieces: str) -> str:
    arguments = CallArguments()
    return "".join([*(arguments.feed(piece) for piece in pieces), arguments.finish()])


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ([], "{}"),
        ([""], "{}"),
        (["", " \n"], "{}"),
        (["{}"], "{}"),
        (["{", "}"], "{}"),
        (["null"], "{}"),
        (["nu", "ll"], "{}"),
        (["null", '{"a": 1}'], '{"a": 1}'),
        (["{}", '{"a": 1}'], '{"a": 1}'),
        (["{", "}", '{"a"', ": 1}"], '{"a": 1}'),
        (['{}{"a": 1}'], '{"a": 1}'),
        (['{"a": 1}'], '{"a": 1}'),
        (['{"a": ', "1}"], '{"a": 1}'),
        # The same again: dropped.
        (['{"a": 1}', '{"a":1}'], '{"a": 1}'),
        (['{"a": 1}', '"{\\"a\\": 1}"'], '{"a": 1}'),
        (['{"a": 1}"{\\"a\\"', ': 1}"'], '{"a": 1}'),
        (['{"a": 1}', '{"a": 1}', '{"a": 1}'], '{"a": 1}'),
        (['{"a": 1}', "\n "], '{"a": 1}'),
        # Anything else: passed on, so that no parser takes it.
        (['{"a": 1}', '{"a": 2}'], '{"a": 1}{"a": 2}'),
        (['{"a": 1}', '{"a": true}'], '{"a": 1}{"a": true}'),
        (['{"a": 1}', "x"], '{"a": 1}x'),
        (['{"a": 1}', '"{"'], '{"a": 1}"{"'),
        (['{"a": 1', ""], '{"a": 1'),
        (["[1, 2]"], "[1, 2]"),
        (['"text"'], '"text"'),
        (["nonsense"], "nonsense"),
        # Braces and quotes inside strings are no ends.
        (['{"a": "}', '{"}'], '{"a": "}{"}'),
        (['{"a": "\\', '"}"}'], '{"a": "\\"}"}'),
        (['{"a": "\\\\"}', "{}"], '{"a": "\\\\"}{}'),
    ],
)
def test_put_together(pieces: list[str], text: str) -> None:
    assert put_together(*pieces) == text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values, min_size=1), st.data())
def test_any_cut_gives_the_text(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)) | {0, len(text)})
    pieces = [text[start:end] for start, end in itertools.pairwise(cuts)]
    assert put_together(*pieces) == text
    assert put_together(*pieces, json.dumps(text)) == text


def test_many_small_pieces_cost_what_they_are_long() -> None:
    text = json.dumps({"code": "if (a) { b() } else { c() }\n" * 20_000})
    start = time.perf_counter()
    assert put_together(*text) == text
    assert time.perf_counter() - start < 5
