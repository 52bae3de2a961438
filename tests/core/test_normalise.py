"""Messages as others write them, errors as messages carry them, tools as the model sees them."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core.errors import to_assistant_error
from agentui.core.normalise import message_from_like
from agentui.core.part_status import part_status
from agentui.core.parts import (
    DataPart,
    FilePart,
    Message,
    TextPart,
    ToolCallPart,
    message_from_json,
)
from agentui.core.statuses import COMPLETE, RUNNING, Role, RunStatus, ToolCallStatus
from agentui.core.tool_schemas import tool_schemas
from agentui.exceptions import InvalidInput, ModelError, ThreadBusy

from .generate import JSON


def like(role: str, content: Any, **more: Any) -> Message:
    return message_from_like({"role": role, "content": content, **more}, fallback_id="m")


def test_a_string_is_one_text() -> None:
    assert like("user", "Hi").parts == (TextPart("Hi"),)
    assert like("user", "Hi").id == "m"
    assert like("user", "  ").parts == (TextPart("  "),)
    assert like("assistant", "  ").parts == ()


@pytest.mark.parametrize(
    ("address", "mime_type"),
    [
        ("data:image/webp;base64,aGk=", "image/webp"),
        ("https://example.com/a/p.PNG?x=1", "image/png"),
        ("https://example.com/p", "image/jpeg"),
        ("blob:https://example.com/1", "image/jpeg"),
    ],
)
def test_an_image_is_a_file(address: str, mime_type: str) -> None:
    (part,) = like("user", [{"type": "image", "image": address}]).parts
    assert part == FilePart(address, mime_type, source_type="url")


@pytest.mark.parametrize(
    "address", ["http://example.com/p.png", "javascript:1", "data:text/html,x"]
)
def test_an_image_from_elsewhere_is_dropped(address: str) -> None:
    assert like("user", [{"type": "image", "image": address}]).parts == ()


def test_named_data() -> None:
    wanted = (DataPart("chart", [1]),)
    assert like("assistant", [{"type": "data-chart", "data": [1]}]).parts == wanted
    assert like("assistant", [{"type": "data", "name": "chart", "data": [1]}]).parts == wanted


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({}, ToolCallStatus.PENDING),
        ({"result": None}, ToolCallStatus.COMPLETE),
        ({"result": 1, "is_error": True}, ToolCallStatus.FAILED),
        ({"approval": {"id": "a"}}, ToolCallStatus.AWAITING_APPROVAL),
        ({"approval": {"id": "a", "status": "approved"}}, ToolCallStatus.APPROVED),
        ({"approval": {"id": "a", "status": "denied"}}, ToolCallStatus.DENIED),
        ({"approval": {"id": "a", "status": "expired"}}, ToolCallStatus.EXPIRED),
        ({"approval": {"id": "a", "status": "superseded"}}, ToolCallStatus.CANCELLED),
    ],
)
def test_the_status_of_a_call_follows_from_what_is_known(
    more: dict[str, Any], status: ToolCallStatus
) -> None:
    item = {"type": "tool_call", "tool_call_id": "c", "tool_name": "f", "args": {"a": 1}, **more}
    (call,) = like("assistant", [item]).tool_calls
    assert call.status is status
    assert call.args_text == '{"a":1}'


@pytest.mark.parametrize(
    ("role", "content", "more", "words"),
    [
        ("user", [{"type": "tool_call", "tool_name": "f"}], {}, "Unsupported user message part"),
        ("user", [{"type": "reasoning", "text": "x"}], {}, "Unsupported user message part"),
        ("assistant", [{"text": "x"}], {}, "Unsupported assistant message part type: None"),
        ("assistant", "x", {"attachments": [{"content": []}]}, "attachments are only supported"),
        ("user", "x", {"metadata": {"steps": [{}]}}, "metadata.steps is only supported"),
        ("system", [], {}, "exactly one text"),
    ],
)
def test_what_a_role_does_not_have_is_refused(
    role: str, content: Any, more: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        like(role, content, **more)


@given(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["user", "assistant", "system", "event"]) | JSON,
            "content": JSON
            | st.lists(
                st.dictionaries(
                    st.sampled_from(["type", "text", "tool_name", "approval", "data", "args"]),
                    st.sampled_from(["text", "tool_call", "file", "source", "image"]) | JSON,
                )
            ),
        },
        optional={"status": JSON, "metadata": JSON, "attachments": JSON},
    )
)
def test_anything_is_a_message_or_refused(anything: dict[str, Any]) -> None:
    with contextlib.suppress(InvalidInput):
        message = message_from_like(anything, fallback_id="m")
        assert message_from_json(message.to_json()) == message


def test_only_errors_made_to_be_shown_are_shown() -> None:
    assert to_assistant_error(ThreadBusy()) == {
        "code": "thread_busy",
        "message": "The agent is still working in this thread. Wait, or stop it first.",
    }
    assert to_assistant_error(ModelError("Overloaded.", code="overloaded"))["code"] == "overloaded"
    secret = to_assistant_error(RuntimeError("key sk-123 at /srv/site"))
    assert "sk-123" not in str(secret)
    assert to_assistant_error({"code": 1, "message": "x"})["code"] == "unknown"
    assert "severity" not in to_assistant_error({"code": "a", "message": "b", "severity": "fatal"})
    assert to_assistant_error(ModelError("a\x00b\ud83c"))["message"] == "ab\ufffd"


def test_part_status_follows_the_message() -> None:
    call = ToolCallPart("r", "c", "f")
    done = ToolCallPart("r", "c", "f", status=ToolCallStatus.COMPLETE)
    running = Message("m", Role.ASSISTANT, (TextPart("a"), call, done, TextPart("b")), RUNNING)
    shown = [part_status(running, index).type for index in range(4)]
    assert shown == ["complete", "running", "complete", "running"]
    ended = Message("m", Role.ASSISTANT, (TextPart("a"),), COMPLETE)
    assert part_status(ended, 0).type is RunStatus.COMPLETE


def test_tools_are_offered_in_the_same_order_every_time() -> None:
    parameters = {"type": "object", "properties": {"a": {"type": "string"}}}
    tool = {"type": "human", "parameters": parameters}
    assert list(tool_schemas({"b": tool, "a": tool})) == ["a", "b"]
    assert tool_schemas({"a": {"type": "human"}}) == {}
