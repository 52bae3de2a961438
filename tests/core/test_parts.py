"""Messages and their parts survive the way into the database and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core.parts import (
    ApprovalOption,
    ApprovalState,
    Message,
    approval_from_json,
    message_from_json,
    part_from_json,
)
from agentui.core.statuses import ApprovalStatus

from .generate import threads


@given(threads())
def test_a_message_survives_json(thread: list[Message]) -> None:
    for message in thread:
        assert message_from_json(json.loads(json.dumps(message.to_json()))) == message


@given(threads())
def test_what_stands_at_its_default_is_not_written(thread: list[Message]) -> None:
    for message in thread:
        for part, written in zip(message.parts, message.to_json().get("parts", ()), strict=True):
            assert next(iter(written)) == "type"
            assert part_from_json(written) == part
            assert None not in written.values() or written["type"] == "data"


@given(st.sampled_from(ApprovalStatus), st.none() | st.lists(st.text()).map(tuple))
def test_an_approval_survives_json(status: ApprovalStatus, grants: tuple[str, ...] | None) -> None:
    option = ApprovalOption("always", "allow_always", label="Always", grants=grants)
    approval = ApprovalState("a", status, options=(option,), reason="")
    assert approval_from_json(json.loads(json.dumps(approval.to_json()))) == approval


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(KeyError):
        part_from_json({"type": "weird"})


def test_keys_of_a_later_version_are_passed_over() -> None:
    assert part_from_json({"type": "text", "text": "Hi", "mood": "good"}).to_json() == {
        "type": "text",
        "text": "Hi",
    }
