"""A page that comes while a call's arguments are written sees them as far as they go."""

from __future__ import annotations

from agentui.core import events as ev
from agentui.core.parts import ToolCallPart
from agentui.core.statuses import Role
from agentui.protocols.assistant_transport.encoder import StateEncoder
from agentui.protocols.assistant_transport.state import new_part
from agentui.protocols.ui_message_stream.messages import ui_message

BEGUN = ToolCallPart("row", "c", "look", args_text='{"city": "Os')


def test_the_state_of_assistant_ui() -> None:
    assert new_part(BEGUN)["args"] == {"city": "Os"}


def test_the_stream_of_assistant_ui_goes_on_from_there() -> None:
    encoder = StateEncoder(0)
    said = [ev.PartStart(BEGUN), ev.TextDelta((0,), 'lo"}'), ev.ToolCallArgsFinish((0,))]
    start, more, whole = [operation for event in said for operation in encoder.encode(event)]
    assert start["value"]["args"] == {"city": "Os"}
    assert more == {
        "type": "append-text",
        "path": ["messages", "0", "content", "0", "argsText"],
        "value": 'lo"}',
    }
    assert whole["value"] == {"city": "Oslo"}


def test_the_messages_of_the_ai_sdk() -> None:
    row = {
        "id": "m",
        "thread": "t",
        "role": Role.ASSISTANT,
        "status": {"type": "running", "reason": ""},
        "metadata": {},
        "parts": [BEGUN.to_json()],
    }
    (part,) = ui_message(row, None, {}, {})["parts"]
    assert (part["state"], part["input"]) == ("input-streaming", {"city": "Os"})
