"""The page folds events into a message by the same rules as the server.

Both fold the same streams, those of the case file and random ones, and must have the same message.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentui.core.accumulator import Accumulator
from agentui.core.events import StreamEvent, event_to_json
from agentui.core.parts import Message, message_from_json
from agentui.core.state_ops import StateOperationError, apply_operations
from agentui.core.statuses import TOOL_CALL_TRANSITIONS, Role
from hatch_build import node_command
from tests.core.generate import JSON, STREAMS, assistant_messages
from tests.core.translate import event_of

BUNDLE = (
    Path(__file__).resolve().parents[2] / "agentui" / "static" / "agentui" / "agentui-client.js"
)
CASES = Path(__file__).resolve().parents[1] / "cases" / "assistant-ui.json"

DRIVER = """
import { createInterface } from "node:readline";
const page = await import(process.argv[1]);
const does = {
    fold({ message, events }) {
        const accumulator = new page.Accumulator(message);
        for (const event of events) accumulator.apply(event);
        accumulator.finish();
        return accumulator.message;
    },
    operate({ state, operations, strict }) {
        try {
            return { state: page.applyOperations(state, operations, { strict }) };
        } catch (error) {
            if (error.name !== "StateOperationError") throw error;
            return { refused: true };
        }
    },
    transitions: () => page.TOOL_CALL_TRANSITIONS,
};
for await (const line of createInterface({ input: process.stdin })) {
    const { task, ...given } = page.parseJson(line);
    console.log(JSON.stringify(does[task](given)));
}
"""


class PageTwin:
    """The page's own code in a Node process."""

    def __init__(self) -> None:
        command = [*node_command("node"), "--input-type=module", "-e", DRIVER, BUNDLE.as_uri()]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def ask(self, task: str, **given: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"task": task, **given}), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def fold(self, message: Message, events: list[StreamEvent]) -> Any:
        given = {"message": message.to_json(), "events": [event_to_json(e) for e in events]}
        return as_written(message_from_json(self.ask("fold", **given)).to_json())

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def page_twin() -> Iterator[PageTwin]:
    twin = PageTwin()
    yield twin
    twin.close()


def fold(message: Message, events: list[StreamEvent]) -> Any:
    accumulator = Accumulator(message)
    for event in events:
        accumulator.apply(event)
    accumulator.finish()
    return as_written(accumulator.message.to_json())


def as_written(value: Any) -> Any:
    """A page writes 4e16 as 40000000000000000; both are the same number to it."""
    match value:
        case float() if value.is_integer() and abs(value) < 1e21:
            return int(Decimal(repr(value)))
        case list() | tuple():
            return [as_written(item) for item in value]
        case dict():
            return {key: as_written(item) for key, item in value.items()}
    return value


def accumulator_cases() -> list[Any]:
    cases = json.loads(CASES.read_text())
    return [
        pytest.param(case["input"]["chunks"], id=case["id"])
        for case in cases
        if case["area"] == "accumulator"
    ]


@pytest.mark.parametrize("chunks", accumulator_cases())
def test_the_case_file(page_twin: PageTwin, chunks: list[Any]) -> None:
    message = Message("a1", Role.ASSISTANT)
    events = [event_of(chunk) for chunk in chunks]
    assert page_twin.fold(message, events) == fold(message, events)


@settings(
    max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(message=assistant_messages(), events=STREAMS)
def test_random_streams(page_twin: PageTwin, message: Message, events: list[StreamEvent]) -> None:
    assert page_twin.fold(message, events) == fold(message, events)


SEGMENTS = st.sampled_from(["a", "b", "0", "1", "7", "-1", "__proto__", "constructor"])
OPERATIONS = st.lists(
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(["set", "append-text", "delete"]),
            "path": st.lists(SEGMENTS, max_size=3),
            "value": JSON | st.text(max_size=3),
        }
    ),
    max_size=8,
)


@settings(max_examples=300, deadline=None)
@given(state=JSON, operations=OPERATIONS, strict=st.booleans())
def test_random_state_operations(
    page_twin: PageTwin, state: Any, operations: list[Any], strict: bool
) -> None:
    try:
        expected = {"state": as_written(apply_operations(state, operations, strict=strict))}
    except StateOperationError:
        expected = {"refused": True}
    given = {"state": state, "operations": operations, "strict": strict}
    assert as_written(page_twin.ask("operate", **given)) == expected


def test_both_know_the_same_transitions(page_twin: PageTwin) -> None:
    ours = {
        before.value: {after.value for after in allowed}
        for before, allowed in TOOL_CALL_TRANSITIONS.items()
    }
    theirs = {before: set(allowed) for before, allowed in page_twin.ask("transitions").items()}
    assert theirs == ours
