"""Items in the order these front ends need, and a step that begins again."""

from __future__ import annotations

from typing import Any

from agentui.core import events as ev
from agentui.core.parts import TextPart, ToolCallPart
from agentui.core.statuses import REQUIRES_TOOL_CALLS, ToolCallStatus
from agentui.protocols.data_stream.encoder import DataStreamEncoder
from agentui.protocols.items import Ended, Item
from agentui.protocols.pacing import Pacing
from agentui.protocols.ui_message_stream.encoder import UIMessageEncoder


def call(name: str, id: str = "c1") -> ev.PartStart:
    return ev.PartStart(ToolCallPart(id, "call_1", name))


def ended(*open_calls: str) -> Ended:
    run = {
        "id": "r",
        "agent": "a",
        "usage": {},
        "status": "requires_action",
        "reason": "tool_calls",
    }
    message = {"id": "m", "thread": "t", "status": {"type": "running"}}
    waiting = tuple({"id": id} for id in open_calls)
    return Ended(REQUIRES_TOOL_CALLS, run, message, (), waiting, ())


def kinds(items: Any) -> list[str]:
    return [type(item).__name__ for item in items]


def pass_all(pacing: Pacing, items: list[Item]) -> list[Item]:
    return [told for item in items for told in pacing.pass_on(item)]


BEGIN: list[Item] = [ev.StepStart(), call("page_tool"), ev.TextDelta((0,), "{}")]
WHOLE: list[Item] = [ev.ToolCallArgsFinish((0,)), ev.PartFinish((0,)), ev.StepFinish("tool_calls")]


def test_a_page_hears_that_a_call_is_whole_when_it_is_open():
    pacing = Pacing(server_tools=())
    assert kinds(pass_all(pacing, [*BEGIN, *WHOLE])) == ["StepStart", "PartStart", "TextDelta"]
    assert kinds(pacing.pass_on(ended("c1"))) == [
        "ToolCallArgsFinish",
        "PartFinish",
        "StepFinish",
        "Ended",
    ]


def test_a_call_that_is_refused_has_its_result_instead():
    pacing = Pacing(server_tools=())
    pass_all(pacing, [*BEGIN, *WHOLE])
    result = ev.ToolCallResult((0,), "no", is_error=True, status=ToolCallStatus.FAILED)
    assert kinds(pacing.pass_on(result)) == ["ToolCallResult", "PartFinish"]
    assert kinds(pacing.pass_on(ended())) == ["StepFinish", "Ended"]


def test_the_servers_own_calls_are_not_held():
    pacing = Pacing(server_tools={"page_tool"})
    assert "ToolCallArgsFinish" in kinds(pass_all(pacing, [*BEGIN, *WHOLE]))


def test_a_step_ends_after_the_results_of_its_calls():
    pacing = Pacing(server_tools={"page_tool"})
    result = ev.ToolCallResult((0,), 1, status=ToolCallStatus.COMPLETE)
    told = kinds(pass_all(pacing, [*BEGIN, *WHOLE, result, ev.StepStart()]))
    assert told[-3:] == ["ToolCallResult", "StepFinish", "StepStart"]


def test_parts_are_counted_from_what_the_client_has():
    pacing = Pacing(server_tools=(), parts=3)
    items: list[Item] = [ev.StepStart(), call("page_tool"), ev.ToolCallArgsFinish((3,))]
    assert kinds(pass_all(pacing, items)) == ["StepStart", "PartStart"]


RESET: list[Item] = [
    ev.StepStart(),
    ev.PartStart(TextPart("")),
    ev.TextDelta((0,), "kept"),
    ev.PartFinish((0,)),
    ev.PartStart(TextPart("")),
    ev.TextDelta((1,), "lost"),
    ev.PartFinish((1,)),
    ev.StepReset(1),
    ev.StepStart(),
    ev.PartStart(TextPart("")),
    ev.TextDelta((1,), "new"),
    ev.PartFinish((1,)),
]


def test_a_step_that_is_begun_anew_keeps_what_stays():
    encoder = UIMessageEncoder()
    chunks = [chunk for item in RESET for chunk in encoder.encode(item)]
    at = [chunk["type"] for chunk in chunks].index("reset-step")
    after = "".join(chunk.get("delta", "") for chunk in chunks[at:])
    assert after == "keptnew"
    assert [chunk["type"] for chunk in chunks].count("start-step") == 1
    opened = [chunk["type"] for chunk in chunks[at:] if chunk["type"].endswith(("-start", "-end"))]
    assert opened == ["text-start", "text-end", "text-start", "text-end"]


def test_an_earlier_step_that_is_begun_anew_cannot_be_said():
    encoder = UIMessageEncoder()
    items: list[Item] = [*RESET, ev.StepFinish("stop"), ev.StepStart(), ev.StepReset(0)]
    last = [chunk for item in items for chunk in encoder.encode(item)][-1]
    assert last == {"type": "error", "errorText": "The answer was started again. Reload to see it."}


def test_on_the_data_stream_nothing_can_be_taken_back():
    encoder = DataStreamEncoder()
    lines = [line for item in RESET for line in encoder.encode(item)]
    assert any(line.startswith("3:") for line in lines)
    unseen = DataStreamEncoder()
    items: list[Item] = [ev.StepStart("m"), ev.StepReset(0), ev.StepStart("m")]
    assert [line for item in items for line in unseen.encode(item)] == ['f:{"messageId":"m"}\n']
