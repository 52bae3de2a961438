"""What a site hears of a run, in the order in which it happens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agentui import actions, signals
from agentui.testing import Call, Say, approve

HEARD = (
    "run_started",
    "run_waiting",
    "run_finished",
    "approval_requested",
    "tool_call_finished",
)


@pytest.fixture
def heard() -> Iterator[list[str]]:
    names: list[str] = []
    receivers: dict[str, Any] = {
        name: lambda name=name, **fields: names.append(name) for name in HEARD
    }
    for name, receiver in receivers.items():
        getattr(signals, name).connect(receiver)
    yield names
    for name, receiver in receivers.items():
        getattr(signals, name).disconnect(receiver)


@pytest.mark.django_db(transaction=True)
def test_a_run_that_waits_is_heard_to_begin_once_and_to_end_once(
    user, staff, script, immediate, heard
):
    script([Call("needs_staff", {"name": "refund"})], [Say("Done.")])
    sent = actions.send_message(user, parts=[{"type": "text", "text": "Hi"}], agent="tester")
    assert heard == ["run_started", "approval_requested", "run_waiting"]

    approve(sent.run.tool_calls.get(), staff)
    assert heard[3:] == ["tool_call_finished", "run_finished"]


@pytest.mark.django_db(transaction=True)
def test_what_a_receiver_raises_changes_nothing(user, script, immediate):
    def fail(**fields: Any) -> None:
        raise RuntimeError("a receiver's own fault")

    script([Say("Done.")])
    signals.run_started.connect(fail)
    try:
        sent = actions.send_message(user, parts=[{"type": "text", "text": "Hi"}], agent="tester")
    finally:
        signals.run_started.disconnect(fail)
    sent.run.refresh_from_db()
    assert sent.run.status == "complete"
