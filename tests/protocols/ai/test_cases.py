"""The conformance cases of these protocols: decoders run in the real packages, encoders are ours.

A case says what the other system gives (``expected``). Where ours, or the pinned release of theirs,
gives something else, the case also says what (``agentui``) and ``why``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentui.core import events as ev
from agentui.protocols.assistant_cloud.aui_v0 import encode_state
from agentui.protocols.data_stream.decoder import decode_prompt
from agentui.protocols.data_stream.encoder import DataStreamEncoder
from agentui.protocols.plain_text.encoder import PlainTextEncoder
from tests.clients_ai import install, run_script
from tests.core.test_cases import compare
from tests.core.translate import event_of

FILE = Path(__file__).parents[2] / "cases" / "assistant-ui-protocols.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text())
ENCODED = ("data_stream_encode", "plain_text", "aui_v0_encode")


def named(chunk: dict[str, Any]) -> ev.StreamEvent:
    """The case's chunk as an event; on the wire a call is named by its row."""
    event = event_of(chunk)
    if isinstance(event, ev.PartStart) and event.part.type == "tool_call":
        part = event.part
        call = type(part)(part.tool_call_id, part.tool_call_id, part.tool_name)
        return ev.PartStart(call)
    if isinstance(event, ev.ToolCallResult):
        return ev.ToolCallResult(
            event.path, event.result, is_error=event.is_error, artifact=chunk.get("artifact")
        )
    return event


def encoded(case: dict[str, Any]) -> Any:
    given = case["input"]
    if case["area"] == "aui_v0_encode":
        return encode_state(given["message"])
    events = [named(chunk) for chunk in given["chunks"]]
    if case["area"] == "plain_text":
        encoder = PlainTextEncoder()
        return "".join(text for event in events for text in encoder.encode(event))
    lines = DataStreamEncoder()
    text = "".join(line for event in events for line in lines.encode(event))
    return [*(text + "".join(lines.end())).splitlines()]


@pytest.fixture(scope="module")
def theirs() -> dict[str, Any]:
    """What the real packages give for every case that is theirs; one process for all."""
    install()
    return run_script("cases", [case for case in CASES if case["area"] not in ENCODED])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any], theirs: dict[str, Any]) -> None:
    found = encoded(case) if case["area"] in ENCODED else theirs[case["id"]]
    expected = case.get("agentui", case["expected"])
    assert compare(expected, found, exact=case["match"] == "exact") == []


def test_every_difference_has_a_reason() -> None:
    for case in CASES:
        assert ("agentui" in case) == ("why" in case), case["id"]
        if "agentui" in case:
            assert case["agentui"] != case["expected"], case["id"]


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case["area"] == "model_messages"],
    ids=lambda case: case["id"],
)
def test_what_is_taken_from_a_prompt(case: dict[str, Any]) -> None:
    """Results that the client made up for unanswered calls are not taken; real ones are."""
    taken = decode_prompt({"messages": [{"role": "system", "content": "x"}, *case["expected"]]})
    answers = [(answer.result, answer.error) for answer in taken.answers]
    # Only what follows the user's last message counts, and a history that ends with it has no answers.
    expected: dict[str, list[Any]] = {"mm-06-include-id": [(1, None)]}
    assert answers == expected.get(case["id"], [])
