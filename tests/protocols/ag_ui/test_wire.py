"""What is written by hand is what the package writes."""

from __future__ import annotations

from ag_ui.core import ReasoningMessageContentEvent, TextMessageContentEvent, ToolCallArgsEvent
from ag_ui.encoder import EventEncoder
from hypothesis import given
from hypothesis import strategies as st

from agentui.protocols.ag_ui.json_patch import json_patch
from agentui.protocols.ag_ui.wire import args_delta, reasoning_delta, text_delta

from .client import patched

ID = "0192b3c4-1111-7000-8000-000000000000:12"
encode = EventEncoder().encode
texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(texts)
def test_deltas(text: str) -> None:
    assert text_delta(ID, text) == encode(TextMessageContentEvent(message_id=ID, delta=text))
    assert args_delta(ID, text) == encode(ToolCallArgsEvent(tool_call_id=ID, delta=text))
    event = ReasoningMessageContentEvent(message_id=ID, delta=text)
    assert reasoning_delta(ID, text) == encode(event)
    assert "\r" not in text_delta(ID, text)
    assert text_delta(ID, text).count("\n") == 2


states = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("ab/~", max_size=3), inner, max_size=4)
    ),
    max_leaves=8,
)
objects = st.dictionaries(st.text("ab/~", max_size=3), states, max_size=4)


@given(objects, objects)
def test_a_patch_makes_the_one_of_the_other(before: object, after: object) -> None:
    patch = json_patch(before, after)
    assert patched(before, patch) == after
    assert (patch == []) is (before == after) or patched(before, patch) == after
