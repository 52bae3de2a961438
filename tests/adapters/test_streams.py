"""Every raw stream of tests/streams, over real HTTP through the real SDKs, down to the message."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from agentui.core.parts import ReasoningPart, TextPart
from agentui.core.statuses import ToolCallStatus

from .asking import STREAMS, Answer, ask, request, stream_bytes
from .conftest import ANTHROPIC, model_for
from .provider_server import ProviderServer

Call = tuple[str, str, str]
RUN_TOOLS = ("requires_action", "tool_calls")
FAILED = ("incomplete", "error")


@dataclass(frozen=True)
class Right:
    """What has to come out of one stream. An id of ``None`` is any id that is not blank."""

    status: tuple[str, str] = RUN_TOOLS
    calls: tuple[tuple[str | None, str, str], ...] = ()
    text: str = ""
    error: str | None = None
    requests: int = 1


OSLO, LIMA = '{"city":"Oslo"}', '{"city":"Lima"}'
NOON = Right(("complete", "stop"), text="It is noon.")

RIGHT: dict[str, Right] = {
    "tool_calls_without_index": Right(
        calls=(("call_a", "get_weather", OSLO), ("call_b", "get_weather", LIMA))
    ),
    "fragments_by_id_only": Right(
        calls=(("call_a", "get_weather", OSLO), ("call_b", "get_weather", LIMA))
    ),
    "every_call_numbered_0": Right(
        calls=(("call_1", "get_weather", OSLO), ("call_2", "get_weather", LIMA))
    ),
    "calls_with_one_id": Right(
        calls=(("call_0", "get_weather", OSLO), ("call_0_2", "get_weather", LIMA))
    ),
    "fragments_of_nobody": Right(
        FAILED,
        calls=(("call_a", "get_weather", '{"city":'), ("call_b", "get_weather", '{"city":')),
        error="ambiguous_tool_call",
    ),
    "tool_call_without_id": Right(calls=((None, "read_note", '{"path":"a.md"}'),)),
    "tool_call_index_starts_at_1": Right(calls=(("call_x1", "get_weather", OSLO),)),
    "tool_call_summed_up_at_the_end": Right(calls=(("call_abc", "search", '{"query":"hello"}'),)),
    "tool_name_in_pieces": Right(calls=(("call_p", "get_weather", OSLO),)),
    "arguments_whole_in_first_chunk": Right(calls=(("m7", "get_weather", '{"city": "Berlin"}'),)),
    "arguments_null_first": Right(calls=(("call_n", "get_weather", '{"city": "Boston"}'),)),
    "arguments_empty_object_first": Right(calls=(("call_e", "get_weather", OSLO),)),
    # No parser takes it, so the model is told; neither row is deleted.
    "arguments_followed_by_others": Right(calls=(("call_o", "delete_row", '{"id":4}{"id":5}'),)),
    "parallel_calls_interleaved": Right(
        calls=(
            ("call_1", "search", '{"q":"alpha"}'),
            ("call_2", "search", '{"q":"beta"}'),
            ("call_3", "search", '{"q":"gamma"}'),
        )
    ),
    "last_arguments_with_finish_reason": Right(
        calls=(("call_r", "record", '{"key":"K","numbers":[1,2,3]}'),)
    ),
    "finish_stop_with_tool_call": Right(calls=(("call_s", "get_time", "{}"),)),
    "finish_length_with_whole_tool_call": Right(
        ("incomplete", "length"), calls=(("call_l", "delete_row", '{"id":4}'),)
    ),
    "arguments_cut_by_length": Right(
        ("incomplete", "length"),
        calls=(("call_t", "write_file", '{"path":"a.txt","content":"line 1\\nline'),),
    ),
    "usage_chunk_without_choices": Right(("complete", "stop"), text="Hi"),
    "error_as_first_chunk": Right(FAILED, error="model_quota_exceeded"),
    "error_after_text": Right(FAILED, text="I will now ", error="model_server_error"),
    "anthropic_overloaded_after_text": Right(FAILED, text="I will", error="model_overloaded"),
    "comments_only": Right(FAILED, error="model_bad_answer", requests=2),
    "empty_answer": Right(FAILED, error="empty_answer", requests=2),
    "tool_calls_promised_but_missing": Right(FAILED, text="Let me look.", error="model_bad_answer"),
    "tool_call_without_arguments": Right(calls=(("call_z", "list_threads", "{}"),)),
    "anthropic_tool_call_without_arguments": Right(calls=(("toolu_z", "list_threads", "{}"),)),
    "same_call_twice": Right(
        calls=(
            ("call_d", "image_search", '{"q":"dog"}'),
            ("call_c", "image_search", '{"q":"cat"}'),
            ("call_d2", "image_search", '{"q":"dog"}'),
        )
    ),
    "surrogate_pairs_split": Right(
        calls=(("call_g", "save_note", '{"text":"\\ud83c\\udf78"}'),),
        text="party 🎉 endbad \ufffd tail",
    ),
    "blank_text_before_tool_call": Right(calls=(("call_1", "get_time", "{}"),)),
    "text_after_tool_call": Right(
        calls=(("call_1", "get_time", "{}"),), text="Let me look.Looking now."
    ),
    "reasoning_content": Right(calls=(("call_r", "get_time", "{}"),)),
    "characters_of_four_bytes": Right(("complete", "stop"), text="Grüße 🎉 an 世界 👩‍👧"),
    "plain_answer": NOON,
    "no_finish_reason": Right(("complete", "unknown"), text="It is "),
    "anthropic_plain_answer": NOON,
    "anthropic_no_stop": Right(FAILED, text="It is", error="model_connection"),
    "responses_plain_answer": NOON,
    "responses_reasoning_and_call": Right(calls=(("call_1", "get_time", '{"zone": "UTC"}'),)),
    "responses_cut_by_length": Right(("incomplete", "length"), text="It is"),
    "responses_failed_after_text": Right(FAILED, text="It is", error="model_server_error"),
    "responses_cut_off": Right(FAILED, text="It is", error="model_connection"),
    "anthropic_thinking_signed": Right(calls=(("toolu_1", "get_time", "{}"),), text="Checking."),
}


def test_every_stream_has_its_case() -> None:
    assert {path.stem for path in STREAMS.glob("*.txt")} == set(RIGHT)
    listed = (STREAMS / "README.md").read_text()
    assert [name for name in RIGHT if f"`{name}.txt`" not in listed] == []


def whole(body: bytes) -> list[bytes]:
    return [body]


def bytewise(body: bytes) -> list[bytes]:
    return [body[at : at + 1] for at in range(len(body))]


def awkward(body: bytes) -> list[bytes]:
    """Cuts of 13 bytes, then 1, then 89: inside names, escapes, characters and line ends."""
    pieces, at, sizes = [], 0, (13, 1, 89)
    while at < len(body):
        size = sizes[len(pieces) % 3]
        pieces.append(body[at : at + size])
        at += size
    return pieces


@pytest.mark.parametrize("cut", [whole, bytewise, awkward])
@pytest.mark.parametrize("name", sorted(RIGHT))
async def test_stream(
    name: str,
    cut: Callable[[bytes], list[bytes]],
    provider: ProviderServer,
    adapter_for: Any,
) -> None:
    right = RIGHT[name]
    for _ in range(2):
        provider.answer(*cut(stream_bytes(name)))
    adapter = adapter_for(model_for(name))

    answer = await ask(adapter, request())

    assert (answer.error.code if answer.error else None) == right.error
    assert answer.message.text == right.text
    assert answer.status == right.status
    assert [call[1:] for call in answer.calls] == [call[1:] for call in right.calls]
    assert all(
        ours[0] == (theirs[0] or ours[0])
        for ours, theirs in zip(answer.calls, right.calls, strict=True)
    )
    assert len(provider.received) == right.requests
    if right.status == RUN_TOOLS:
        assert set(answer.call_statuses) == {ToolCallStatus.PENDING}
    else:
        assert set(answer.call_statuses) <= {ToolCallStatus.CANCELLED}
    json.dumps(answer.message.to_json(), ensure_ascii=False, allow_nan=False).encode()


async def _answer(name: str, provider: ProviderServer, adapter: Any) -> Answer:
    provider.answer(stream_bytes(name))
    return await ask(adapter, request())


async def test_usage_is_reported_once(provider: ProviderServer, adapter_for: Any) -> None:
    answer = await _answer("usage_chunk_without_choices", provider, adapter_for())
    assert answer.finish.usage == {"input_tokens": 20, "output_tokens": 1}


async def test_no_usage_is_not_zero_usage(provider: ProviderServer, adapter_for: Any) -> None:
    answer = await _answer("plain_answer", provider, adapter_for())
    assert answer.finish.usage is None


async def test_a_generated_id_stays(provider: ProviderServer, adapter_for: Any) -> None:
    answer = await _answer("tool_call_without_id", provider, adapter_for())
    assert answer.calls[0][0]
    assert answer.message.text == ""


async def test_a_call_cut_by_length_is_told_why(provider: ProviderServer, adapter_for: Any) -> None:
    answer = await _answer("finish_length_with_whole_tool_call", provider, adapter_for())
    (call,) = answer.message.tool_calls
    assert call.is_error
    assert "length limit" in call.result


async def test_arguments_split_inside_a_pair_are_one_character(
    provider: ProviderServer, adapter_for: Any
) -> None:
    answer = await _answer("surrogate_pairs_split", provider, adapter_for())
    assert json.loads(answer.message.tool_calls[0].args_text) == {"text": "🍸"}


async def test_reasoning_is_apart_from_the_answer(
    provider: ProviderServer, adapter_for: Any
) -> None:
    answer = await _answer("reasoning_content", provider, adapter_for())
    reasoning, _call = answer.message.parts
    assert isinstance(reasoning, ReasoningPart)
    assert reasoning.text == "Let me check. Need the tool."
    assert answer.message.text == ""


async def test_signed_thinking_is_kept_as_it_came(
    provider: ProviderServer, adapter_for: Any
) -> None:
    answer = await _answer("anthropic_thinking_signed", provider, adapter_for(ANTHROPIC))
    thought, redacted, text, _call = answer.message.parts
    assert isinstance(thought, ReasoningPart)
    assert isinstance(redacted, ReasoningPart)
    assert isinstance(text, TextPart)
    assert thought.text == "step one\n— café"
    assert thought.provider_metadata
    assert thought.provider_metadata["pydantic_ai"]["signature"] == "SIG_AAAA=="
    assert redacted.text == ""
    assert redacted.provider_metadata
    assert redacted.provider_metadata["pydantic_ai"]["signature"] == "OPAQUE=="
