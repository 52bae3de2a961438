from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from agentui.adapters import (
    Call,
    Event,
    Fail,
    Finish,
    Gate,
    Say,
    ScriptedAdapter,
    Think,
    UnexpectedRoundtrip,
    Wait,
    get_adapter,
    last_user_text,
    register_scripted,
    unregister_scripted,
)
from agentui.adapters.base import ModelRequest
from agentui.adapters.script import ScriptStep
from agentui.core.events import ErrorEvent, PartStart, TextDelta
from agentui.core.parts import ReasoningPart
from agentui.core.statuses import ToolCallStatus
from agentui.exceptions import ModelError

from .asking import ask, request, user

PROSE = "Ihre Bestellung 🎉 ist  unterwegs,\n\nmorgen\tda."


async def test_text_thought_and_calls_stream_in_pieces() -> None:
    adapter = ScriptedAdapter(
        [[Think("An order."), Say(PROSE), Call("find_order", {"number": 7, "who": "Zoë"})]]
    )
    answer = await ask(adapter, request())
    thought = answer.message.parts[0]
    assert isinstance(thought, ReasoningPart)
    assert thought.text == "An order."
    assert answer.message.text == PROSE
    (call,) = answer.message.tool_calls
    assert json.loads(call.args_text) == {"number": 7, "who": "Zoë"}
    assert call.tool_call_id == "call_1_3"
    assert answer.status == ("requires_action", "tool_calls")
    assert sum(isinstance(event, TextDelta) for event in answer.events) > 15
    adapter.assert_finished()


async def test_it_is_deterministic() -> None:
    script = [[Say(PROSE), Call("a"), Call("a")]]
    one = await ask(ScriptedAdapter(script), request())
    other = await ask(ScriptedAdapter(script), request())
    assert one.events == other.events
    assert len({call[0] for call in one.calls}) == 2


async def test_exact_pieces_and_raw_arguments() -> None:
    adapter = ScriptedAdapter(
        [[Say(("a\ud83c", "\udf89b")), Call("f", ('{"a":', "oops"), id="x"), Call("g", "not json")]]
    )
    answer = await ask(adapter, request())
    assert answer.message.text == "a🎉b"
    assert answer.calls == [("x", "f", '{"a":oops'), ("call_1_3", "g", "not json")]


async def test_it_plays_one_roundtrip_per_request_and_keeps_the_requests() -> None:
    adapter = ScriptedAdapter([[Say("one")], [Say("two")]])
    assert (await ask(adapter, request())).message.text == "one"
    with pytest.raises(AssertionError, match="never asked for"):
        adapter.assert_finished()
    second = request([user("again")], run_id="r2")
    assert (await ask(adapter, second)).message.text == "two"
    assert [asked.run_id for asked in adapter.requests] == ["r1", "r2"]
    assert adapter.requests[1] is second
    adapter.assert_finished()


async def test_one_request_too_many_says_what_was_asked() -> None:
    adapter = ScriptedAdapter([])
    with pytest.raises(UnexpectedRoundtrip, match="why this\\?"):
        await ask(adapter, replace(request([user("why this?")]), roundtrip=3))
    # A run loop turns exceptions into an error of the run; the test still finds out.
    with pytest.raises(UnexpectedRoundtrip, match="roundtrip 3 of run r1"):
        adapter.assert_finished()


async def test_failing_keeps_what_was_said() -> None:
    adapter = ScriptedAdapter(
        [[Say("Well, "), Call("f", '{"a', is_whole=False), Fail("Broken.", retryable=True)]]
    )
    answer = await ask(adapter, request())
    assert answer.error is not None
    assert (answer.error.message, answer.error.retryable) == ("Broken.", True)
    assert answer.message.text == "Well, "
    assert answer.call_statuses == [ToolCallStatus.CANCELLED]


async def test_failing_with_any_exception() -> None:
    adapter = ScriptedAdapter([[Fail(error=ZeroDivisionError("boom"))]])
    with pytest.raises(ZeroDivisionError):
        await ask(adapter, request())


async def test_finishing_for_another_reason() -> None:
    adapter = ScriptedAdapter([[Call("f"), Finish("length", usage={"output_tokens": 9})]])
    answer = await ask(adapter, request())
    assert answer.status == ("incomplete", "length")
    assert answer.finish.usage == {"output_tokens": 9}


async def test_any_event_can_be_part_of_a_script() -> None:
    adapter = ScriptedAdapter([[Event(ErrorEvent("odd")), Say("x"), Finish()]])
    answer = await ask(adapter, request())
    assert answer.status == ("incomplete", "error")


async def test_it_answers_what_was_typed() -> None:
    async def respond(asked: ModelRequest) -> list[ScriptStep]:
        await asyncio.sleep(0)
        return [Say(last_user_text(asked).upper())]

    for adapter in (
        ScriptedAdapter(respond=respond),
        ScriptedAdapter(respond=lambda asked: [Say(last_user_text(asked).upper())]),
    ):
        assert (await ask(adapter, request([user("hey")]))).message.text == "HEY"
        assert (await ask(adapter, request([user("you")]))).message.text == "YOU"
        adapter.assert_finished()


async def test_a_gate_holds_the_stream() -> None:
    gate = Gate()
    adapter = ScriptedAdapter([[Say("before"), gate, Say("after")]])
    seen: list[str] = []

    async def read() -> None:
        async for event in adapter.stream(request()):
            if isinstance(event, PartStart):
                seen.append(event.type)

    task = asyncio.create_task(read())
    await gate.reached()
    await asyncio.sleep(0.05)
    assert (gate.is_reached, len(seen), task.done()) == (True, 1, False)
    gate.open()
    await asyncio.wait_for(task, 2)
    assert len(seen) == 2


async def test_a_gate_works_across_threads() -> None:
    gate = Gate()
    adapter = ScriptedAdapter([[gate, Say("x")]])
    running = asyncio.create_task(asyncio.to_thread(lambda: asyncio.run(ask(adapter, request()))))
    await asyncio.to_thread(gate.wait_reached)
    gate.open()
    assert (await asyncio.wait_for(running, 5)).message.text == "x"


async def test_waiting_and_delay_can_be_cancelled() -> None:
    for script in ([[Wait(60), Say("x")]], [[Say("x")]], [[Gate(), Say("x")]]):
        adapter = ScriptedAdapter(script, delay=60)
        task = asyncio.create_task(ask(adapter, request()))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_it_is_found_by_name() -> None:
    adapter = register_scripted("test-shop", ScriptedAdapter([[Say("hi")]]))
    try:
        assert get_adapter("scripted:test-shop") is adapter
        assert get_adapter(adapter) is adapter
        assert adapter.name == "scripted:test-shop"
    finally:
        unregister_scripted("test-shop")
    with pytest.raises(ModelError, match="test-shop"):
        get_adapter("scripted:test-shop")


def test_script_and_function_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="not both"):
        ScriptedAdapter([[Say("x")]], respond=lambda asked: [Say("y")])
