"""A page's tool may want no follow-up: its answer then ends the run without asking the model."""

from __future__ import annotations

from typing import Any

import pytest

from agentui import actions
from agentui.actions.inputs import checked_request
from agentui.models import Run, ToolCall
from agentui.testing import Call, Say

pytestmark = pytest.mark.django_db(transaction=True)

QUIET = {"name": "paint", "follow_up": False}
LOUD = {"name": "look"}


def begin(user: Any, *tools: Any) -> Run:
    sent = actions.send_message(
        user,
        agent="tester",
        parts=[{"type": "text", "text": "Go"}],
        request=checked_request(list(tools)),
    )
    assert sent.run is not None
    return sent.run


def answer(user: Any, run: Run, **outcome: Any) -> None:
    for call in ToolCall.objects.filter(run=run).order_by("position"):
        if call.finished_at is None:
            actions.submit_tool_result(user, call.pk, tab="t", **outcome)
    run.refresh_from_db()


def test_an_answer_that_wants_no_follow_up_ends_the_run(
    user: Any, script: Any, immediate: None
) -> None:
    model = script([Call("paint", {})])
    run = begin(user, QUIET)
    answer(user, run, result="painted")
    assert (run.status, run.reason, run.roundtrips) == ("complete", "stop", 1)
    assert run.message.status == "complete"
    assert len(model.requests) == 1


def test_the_next_message_shows_the_model_the_answer(
    user: Any, script: Any, immediate: None
) -> None:
    model = script([Call("paint", {})], [Say("Nice colour.")])
    run = begin(user, QUIET)
    answer(user, run, result="painted")
    actions.send_message(user, thread_id=run.thread_id, parts=[{"type": "text", "text": "And?"}])
    told = [
        part.content
        for message in model.requests[1].messages
        for part in message.parts
        if hasattr(part, "content")
    ]
    assert told == ["painted"]


@pytest.mark.parametrize(
    ("calls", "tools", "outcome"),
    [
        (["paint", "look"], [QUIET, LOUD], {"result": 1}),
        (["paint", "echo"], [QUIET], {"result": 1}),
        (["paint"], [QUIET], {"error": "no colour left"}),
        (["paint"], [{**QUIET, "follow_up": True}], {"result": 1}),
    ],
    ids=["another page tool", "a server tool", "it failed", "it wants one"],
)
def test_one_call_that_wants_a_follow_up_is_enough(
    user: Any, script: Any, immediate: None, calls: Any, tools: Any, outcome: Any
) -> None:
    script([Call(name, {"value": 1} if name == "echo" else {}) for name in calls], [Say("Seen.")])
    run = begin(user, *tools)
    answer(user, run, **outcome)
    assert (run.status, run.roundtrips) == ("complete", 2)


def test_only_the_last_roundtrip_counts(user: Any, script: Any, immediate: None) -> None:
    script([Call("echo", {"value": 1})], [Call("paint", {})])
    run = begin(user, QUIET)
    answer(user, run, result="painted")
    assert (run.status, run.reason, run.roundtrips) == ("complete", "stop", 2)


def test_a_tool_for_one_agent_stands_above_one_for_all(
    user: Any, script: Any, immediate: None
) -> None:
    everybodys = {"name": "paint", "description": "All."}
    its_own = {**everybodys, "description": "Its own.", "agent": "tester"}
    others = {"name": "secret", "agent": "somebody"}
    model = script([Say("Hi")])
    run = begin(user, its_own, everybodys, others)
    told = {tool.name: tool.description for tool in model.requests[0].tools}
    assert told["paint"] == "Its own."
    assert "secret" not in told
    assert [tool["name"] for tool in run.tools] == ["paint"]
