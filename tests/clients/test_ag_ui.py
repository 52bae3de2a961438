"""The real @ag-ui/client, both generations, against a server process."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from tests.protocols.verifier import verify

pytestmark = [pytest.mark.flow, pytest.mark.slow]

SAY, RUN = "say", {"run": {}}


def types(run: dict[str, Any]) -> list[str]:
    return [event["type"] for event in run["events"]]


def contents(seen: dict[str, Any], role: str) -> list[str]:
    return [m["content"] for m in seen["messages"] if m["role"] == role and m.get("content")]


def check(seen: dict[str, Any], generation: str, *, answers_its_own: bool = False) -> None:
    """No run failed, each stream is one that clients take, and a reload shows the same messages."""
    for run in seen["runs"]:
        assert run["error"] is None
        verify(run["events"], is_modern=generation == "1.0")

    def told(messages: list[dict[str, Any]]) -> Any:
        shown = [message for message in messages if message["role"] != "activity"]
        answers = {m["toolCallId"]: m["content"] for m in shown if m["role"] == "tool"}
        others = [
            (m["id"], m["role"], m.get("content") or "", m.get("toolCalls") or [])
            for m in shown
            if m["role"] != "tool"
        ]
        return others, answers, [m["role"] for m in shown]

    assert told(seen["afterReload"]) == told(seen["messages"])
    ids = [message["id"] for message in seen["messages"]]
    assert len(set(ids)) == len(ids)
    if not answers_its_own:
        reloaded = [m["id"] for m in seen["afterReload"] if m["role"] != "activity"]
        assert reloaded == [m["id"] for m in seen["messages"] if m["role"] != "activity"]


def test_text_and_reasoning(agui, generation):
    seen = agui({SAY: "think"}, RUN, {SAY: "hello"}, RUN)
    assert contents(seen, "reasoning") == ["Hm, well."]
    assert contents(seen, "assistant") == ["Thought.", "You said: hello"]
    check(seen, generation)


def test_a_tool_of_the_server(agui, generation):
    seen = agui({SAY: "add"}, RUN)
    assert contents(seen, "tool") == ["5"]
    assert contents(seen, "assistant") == ["Let me add.", "Result: 5"]
    check(seen, generation)


def test_a_tool_of_the_page(agui, generation):
    seen = agui({SAY: "page"}, RUN, {"answerCalls": None}, RUN)
    assert seen["executed"] == 1
    assert types(seen["runs"][0]).count("TOOL_CALL_START") == 1
    assert "TOOL_CALL_START" not in types(seen["runs"][1])
    assert "Oslo" in contents(seen, "assistant")[-1]
    check(seen, generation, answers_its_own=True)


def test_two_tools_of_the_page_at_once(agui, generation):
    seen = agui({SAY: "pages"}, RUN, {"answerCalls": None}, RUN)
    assert seen["executed"] == 2
    [message] = [m for m in seen["messages"] if m.get("toolCalls")]
    assert len(message["toolCalls"]) == 2
    check(seen, generation, answers_its_own=True)


@pytest.mark.parametrize(
    ("answer", "said"),
    [("approve", "deployed x"), ("deny", "denied"), ("cancel", "without deciding")],
)
def test_an_approval(agui, generation, answer, said):
    seen = agui({SAY: "deploy x"}, RUN, {"run": {"answer": answer}})
    assert said in contents(seen, "tool")[0].lower() or said in contents(seen, "tool")[0]
    assert seen["interrupts"] == []
    assert "TOOL_CALL_START" not in types(seen["runs"][1])
    check(seen, generation)


def test_an_approval_after_a_reload(agui, generation):
    seen = agui({SAY: "deploy x"}, RUN, {"reload": None}, {"run": {"answer": "approve"}})
    assert contents(seen, "tool") == ["deployed x"]
    check(seen, generation)


def test_a_run_that_answers_no_question_is_asked_again(agui, generation):
    seen = agui(
        {SAY: "deploy x"}, RUN, RUN, {"forgetInterrupts": None}, RUN, {"run": {"answer": "deny"}}
    )
    refused = seen["runs"].pop(1)
    assert "pending interrupt" in refused["error"]
    again = seen["runs"][1]["events"][-1]
    assert again["outcome"]["interrupts"][0]["reason"] == "agentui:approval"
    assert seen["interrupts"] == []
    check(seen, generation)


def test_approved_elsewhere_while_the_client_waits(agui, generation):
    decide = {"decide": {"person": "ada", "verdict": "approve"}}
    seen = agui({SAY: "deploy x"}, RUN, decide, {"sleep": 500}, {"run": {"answer": "deny"}})
    assert contents(seen, "tool") == ["deployed x"]
    assert contents(seen, "assistant")[-1] == "Result: deployed x"
    check(seen, generation)


@pytest.mark.parametrize(("verdict", "said"), [("approve", "refunded"), ("deny", "too much")])
def test_staff_decide_while_the_client_follows(agui, generation, verdict, said):
    decide = {"decide": {"person": "grace", "verdict": verdict, "reason": "too much"}}
    seen = agui(
        {SAY: "refund x"},
        {"together": [{"run": {"props": {"agentui": {"follow": True}}}}, decide]},
    )
    assert said in contents(seen, "tool")[0]
    assert types(seen["runs"][0]).count("RUN_FINISHED") == 1
    check(seen, generation)


def test_staff_decide_after_the_thread_has_gone_on(agui, generation):
    decide = {"decide": {"person": "grace", "verdict": "approve"}}
    seen = agui(
        {SAY: "refund x"}, RUN, {SAY: "hello"}, RUN, decide, {"sleep": 700}, {"reload": None}
    )
    assert any(said.startswith("You said") for said in contents(seen, "assistant"))
    cards = [m["content"] for m in seen["messages"] if m["role"] == "activity"]
    assert "approved" in [card.get("status") for card in cards]
    check(seen, generation)


def test_progress_of_a_tool_is_shown_while_it_works(agui, generation):
    gate = str(uuid.uuid4())
    seen = agui({SAY: f"paint {gate}"}, {"run": {"gate": gate}})
    events = [e for e in seen["runs"][0]["events"] if e.get("activityType") == "agentui:progress"]
    assert [event["type"] for event in events] == ["ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"]
    [card] = [m for m in seen["messages"] if m.get("activityType") == "agentui:progress"]
    assert (card["content"]["toolName"], card["content"]["progress"]) == ("paint", {"walls": 2})
    assert contents(seen, "tool") == ["painted"]
    check(seen, generation)


def states(seen: dict[str, Any]) -> list[str]:
    return [kind for run in seen["runs"] for kind in types(run) if kind.startswith("STATE_")]


def test_state_goes_from_the_page_to_the_tools_and_back_from_the_model(agui, generation):
    state = {"page": {"step": 1}, "a/b": "~"}
    seen = agui({"setState": state}, {SAY: "plan"}, RUN)
    after = {**state, "plan": ["look"], "note": "ab"}
    assert seen["state"] == seen["stateAfterReload"] == after
    assert json.loads(contents(seen, "tool")[0]) == after
    assert "STATE_DELTA" in states(seen)
    check(seen, generation)


def test_state_that_a_tool_writes(agui, generation):
    seen = agui({"setState": {"form": {"name": "Ada"}}}, {SAY: "fill"}, RUN, {SAY: "state"}, RUN)
    after = {"form": {"name": "Ada", "city": "Oslo"}}
    assert seen["state"] == seen["stateAfterReload"] == after
    assert states(seen).count("STATE_DELTA") == 1
    assert json.loads(contents(seen, "tool")[1]) == after
    check(seen, generation)


def test_a_connection_that_is_closed_in_the_middle(agui, generation):
    steps = ({SAY: "slow"}, {"run": {"abortAt": 8}}, {"sleep": 100}, RUN)
    seen = agui(*steps)
    assert "".join(contents(seen, "assistant")) == "".join(f"w{n} " for n in range(20))
    seen["runs"].pop(0)
    check(seen, generation)


def test_a_reload_in_the_middle(agui, generation):
    seen = agui({SAY: "slow"}, {"run": {"abortAt": 8}}, {"reload": None})
    assert "".join(contents(seen, "assistant")) == "".join(f"w{n} " for n in range(20))
    seen["runs"].pop(0)
    check(seen, generation)


def test_a_stop(agui, generation):
    seen = agui({SAY: "slow"}, {"run": {"stopAt": 8}})
    last = seen["runs"][0]["events"][-1]
    if generation == "1.0":
        assert last["outcome"] == {"type": "cancelled"}
    else:
        assert (last["type"], last["code"]) == ("RUN_ERROR", "abort")
    assert len("".join(contents(seen, "assistant"))) < 60
    check(seen, generation)


def test_an_error(agui, generation):
    seen = agui({SAY: "fail"}, RUN, {SAY: "hello"}, RUN)
    last = seen["runs"][0]["events"][-1]
    assert (last["type"], last["message"]) == ("RUN_ERROR", "The model is away.")
    assert contents(seen, "assistant")[-1] == "You said: hello"
    check(seen, generation)


def test_what_is_refused_is_an_http_error(agui, generation):
    seen = agui({SAY: "x" * 200_000}, RUN)
    assert "413" in seen["runs"][0]["error"]
