"""What a model thought goes back to that model only, and unchanged."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agentui.core.parts import Message, ReasoningPart

from .asking import answered, ask, request, stream_bytes, user
from .conftest import ANTHROPIC, RESPONSES
from .provider_server import ProviderServer
from .second_request import check, plain_answer, second_request
from .strict import Body


@pytest.mark.parametrize("resend", [True, False])
async def test_unsigned_reasoning_goes_back_or_not(
    resend: bool, provider: ProviderServer, adapter_for: Any
) -> None:
    body = await second_request(
        "reasoning_content", ["noon"], provider, adapter_for(resend_reasoning=resend)
    )
    assistant = body["messages"][1]
    if resend:
        assert assistant["reasoning_content"] == "Let me check. Need the tool."
    assert ("reasoning_content" in assistant) is resend
    assert "Let me check" not in (assistant["content"] or "")


async def test_an_agent_may_switch_it_too(provider: ProviderServer, adapter_for: Any) -> None:
    body = await second_request(
        "reasoning_content",
        ["noon"],
        provider,
        adapter_for(),
        settings={"resend_reasoning": False},
    )
    assert "reasoning_content" not in body["messages"][1]
    assert "resend_reasoning" not in body


async def test_signed_thinking_goes_back_byte_for_byte(
    provider: ProviderServer, adapter_for: Any
) -> None:
    body = await second_request(
        "anthropic_thinking_signed", ["noon"], provider, adapter_for(ANTHROPIC)
    )
    blocks = body["messages"][1]["content"]
    assert blocks[0] == {
        "type": "thinking",
        "thinking": "step one\n— café",
        "signature": "SIG_AAAA==",
    }
    assert blocks[1] == {"type": "redacted_thinking", "data": "OPAQUE=="}
    assert [block["type"] for block in blocks[2:]] == ["text", "tool_use"]


async def test_encrypted_reasoning_goes_back_as_it_came(
    provider: ProviderServer, adapter_for: Any
) -> None:
    adapter = adapter_for(RESPONSES)
    body = await second_request("responses_reasoning_and_call", ["noon"], provider, adapter)
    _hi, reasoning, call, _result, _again = body["input"]
    assert reasoning["id"] == "rs_1"
    assert reasoning["encrypted_content"] == "ENC+AAAA=="
    assert reasoning["summary"] == [{"type": "summary_text", "text": "**Looking** at the clock"}]
    assert (call["id"], call["call_id"]) == ("fc_1", "call_1")


async def test_reasoning_never_becomes_text(provider: ProviderServer, adapter_for: Any) -> None:
    # The library knows of no reasoning for this model, and would write it into the answer.
    adapter = adapter_for("openai-responses:test-model")
    body = await second_request("responses_reasoning_and_call", ["noon"], provider, adapter)
    assert "Looking" not in json.dumps(body["input"])


async def _thought(provider: ProviderServer, adapter: Any) -> Message:
    provider.answer(stream_bytes("anthropic_thinking_signed"))
    return answered((await ask(adapter, request())).message, "noon")


async def _blocks(thread: list[Message], provider: ProviderServer, adapter: Any) -> list[Body]:
    provider.answer(plain_answer(adapter.name))
    asked = request(thread, model=thread[1].model)
    assert (await ask(adapter, asked, "a2")).error is None
    check(provider.received[-1].body)
    blocks: list[Body] = provider.received[-1].body["messages"][1]["content"]
    return blocks


async def test_thinking_that_was_changed_is_left_out(
    provider: ProviderServer, adapter_for: Any
) -> None:
    adapter = adapter_for(ANTHROPIC)
    message = await _thought(provider, adapter)
    first = message.parts[0]
    assert isinstance(first, ReasoningPart)
    changed = replace(message, parts=(replace(first, text=""), *message.parts[1:]))
    blocks = await _blocks([user("hi"), changed, user("go on", "u2")], provider, adapter)
    assert [block["type"] for block in blocks] == ["redacted_thinking", "text", "tool_use"]


async def test_thinking_goes_to_no_other_model(provider: ProviderServer, adapter_for: Any) -> None:
    message = await _thought(provider, adapter_for(ANTHROPIC))
    other = adapter_for("anthropic:claude-other")
    # The history believes it is the same model: the adapter still knows better.
    blocks = await _blocks([user("hi"), message, user("go on", "u2")], provider, other)
    assert [block["type"] for block in blocks] == ["text", "tool_use"]


async def test_thinking_goes_to_no_other_address(
    provider: ProviderServer, adapter_for: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await _thought(provider, adapter_for(ANTHROPIC))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{provider.url}/other")
    blocks = await _blocks(
        [user("hi"), message, user("go on", "u2")], provider, adapter_for(ANTHROPIC)
    )
    assert [block["type"] for block in blocks] == ["text", "tool_use"]


async def test_what_is_stored_names_no_address(provider: ProviderServer, adapter_for: Any) -> None:
    message = await _thought(provider, adapter_for(ANTHROPIC))
    assert "127.0.0.1" not in json.dumps(message.to_json())
