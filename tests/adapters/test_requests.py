"""What the providers are sent: valid for the strictest of them, and nothing altered."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from agentui.adapters import ModelRequest, ToolDefinition
from agentui.core.history import RequestMessage, RequestToolCall, RequestToolResult
from agentui.core.parts import FilePart, Message, TextPart, ToolCallPart
from agentui.core.settle import settle_cut
from agentui.core.statuses import Reason, Role, ToolCallStatus

from .asking import ONCE, ask, request, stream_bytes, user
from .conftest import ANTHROPIC, OPENAI, RESPONSES, model_for
from .provider_server import ProviderServer
from .second_request import check, plain_answer, second_request

MODELS = [OPENAI, ANTHROPIC, RESPONSES]


@pytest.mark.parametrize(
    ("stream", "results"),
    [
        ("tool_calls_without_index", ["cold", "warm"]),
        ("tool_call_without_id", ["a note"]),
        ("tool_call_summed_up_at_the_end", ["found"]),
        ("arguments_followed_by_others", ["not valid"]),
        ("parallel_calls_interleaved", ["1", "2", "3"]),
        ("same_call_twice", ["dog", "cat", "dog again"]),
        ("calls_with_one_id", ["cold", "warm"]),
        ("tool_call_without_arguments", ["[]"]),
        ("surrogate_pairs_split", ["saved"]),
        ("blank_text_before_tool_call", ["noon"]),
        ("text_after_tool_call", ["noon"]),
        ("reasoning_content", ["noon"]),
        ("anthropic_tool_call_without_arguments", ["[]"]),
        ("anthropic_thinking_signed", ["noon"]),
        ("plain_answer", []),
        ("responses_plain_answer", []),
        ("responses_reasoning_and_call", ["noon"]),
        ("anthropic_plain_answer", []),
    ],
)
async def test_the_next_request_is_valid(
    stream: str, results: list[str], provider: ProviderServer, adapter_for: Any
) -> None:
    await second_request(stream, results, provider, adapter_for(model_for(stream)))


async def test_a_call_without_arguments_goes_back_as_an_object(
    provider: ProviderServer, adapter_for: Any
) -> None:
    body = await second_request("tool_call_without_arguments", ["[]"], provider, adapter_for())
    (call,) = body["messages"][1]["tool_calls"]
    assert call["function"] == {"name": "list_threads", "arguments": "{}"}
    body = await second_request(
        "anthropic_tool_call_without_arguments", ["[]"], provider, adapter_for(ANTHROPIC)
    )
    (use,) = body["messages"][1]["content"]
    assert (use["name"], use["input"]) == ("list_threads", {})


async def test_a_generated_id_goes_back_unchanged(
    provider: ProviderServer, adapter_for: Any
) -> None:
    body = await second_request("tool_call_without_id", ["a note"], provider, adapter_for())
    _user, assistant, result, _again = body["messages"]
    assert assistant["tool_calls"][0]["id"] == result["tool_call_id"]


async def test_results_go_back_by_id(provider: ProviderServer, adapter_for: Any) -> None:
    body = await second_request("same_call_twice", ["1", "2", "3"], provider, adapter_for())
    results = [m for m in body["messages"] if m["role"] == "tool"]
    assert [(m["tool_call_id"], m["content"]) for m in results] == [
        ("call_d", "1"),
        ("call_c", "2"),
        ("call_d2", "3"),
    ]


@pytest.mark.parametrize("model", MODELS)
async def test_blank_blocks_and_results_are_never_sent(
    model: str, provider: ProviderServer, adapter_for: Any
) -> None:
    provider.answer(plain_answer(model))
    history = (
        RequestMessage("user", (TextPart("hi"),)),
        RequestMessage("assistant", (TextPart("\n"), RequestToolCall("t2", "get_time", "{}"))),
        RequestMessage("tool", (RequestToolResult("t2", "get_time", " "),)),
        RequestMessage("assistant", (TextPart(""),)),
        RequestMessage("user", (TextPart("  "), TextPart("and?"))),
    )
    answer = await ask(
        adapter_for(model), ModelRequest(model=model, messages=history, settings=ONCE)
    )
    assert answer.error is None
    check(provider.received[-1].body)


@pytest.mark.parametrize("model", MODELS)
async def test_a_stopped_call_has_its_answer_and_text_never_follows_it(
    model: str, provider: ProviderServer, adapter_for: Any
) -> None:
    call = ToolCallPart("c1", "t1", "get_time", args_text="{}", status=ToolCallStatus.PENDING)
    stopped = settle_cut(
        Message("a1", Role.ASSISTANT, (TextPart("Let me look."), call)), Reason.CANCELLED
    )
    again = Message(
        "a2",
        Role.ASSISTANT,
        (
            TextPart("Trying again."),
            replace(
                call, id="c2", tool_call_id="t2", status=ToolCallStatus.COMPLETE, result="noon"
            ),
        ),
    )
    provider.answer(plain_answer(model))
    thread = [user("time?"), stopped, user("go on", "u2"), again, user("so?", "u3")]
    answer = await ask(adapter_for(model), request(thread, model=model), "a3")
    assert answer.error is None
    body = provider.received[-1].body
    check(body)
    assert "t1" in json.dumps(body)


@pytest.mark.parametrize("model", MODELS)
async def test_parts_of_one_answer_with_text_after_a_call(
    model: str, provider: ProviderServer, adapter_for: Any
) -> None:
    provider.answer(plain_answer(model))
    call = ToolCallPart("c1", "t1", "get_time", status=ToolCallStatus.COMPLETE, result="noon")
    message = Message("a1", Role.ASSISTANT, (TextPart("Let me look."), call, TextPart("Done.")))
    thread = [user("time?"), message, user("thanks", "u2")]
    assert (await ask(adapter_for(model), request(thread, model=model), "a2")).error is None
    check(provider.received[-1].body)


@pytest.mark.parametrize("model", MODELS)
async def test_instructions_tools_and_settings_arrive(
    model: str, provider: ProviderServer, adapter_for: Any
) -> None:
    provider.answer(plain_answer(model))
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "Where."}},
        "required": ["city"],
    }
    asked = ModelRequest(
        model=model,
        messages=(RequestMessage("user", (TextPart("hi"),)),),
        instructions="Be brief.",
        tools=(ToolDefinition("get_weather", "The weather of a city.", schema),),
        settings=ONCE | {"temperature": 0.25, "max_tokens": 321},
    )
    assert (await ask(adapter_for(model), asked)).error is None
    body = provider.received[-1].body
    check(body)
    assert body["temperature"] == 0.25
    assert 321 in body.values()
    assert "Be brief." in json.dumps(body)
    (tool,) = body["tools"]
    tool = tool.get("function", tool)
    assert (tool["name"], tool["description"]) == ("get_weather", "The weather of a city.")
    sent = tool.get("parameters") or tool["input_schema"]
    assert sent["properties"]["city"]["description"] == "Where."
    assert sent["required"] == ["city"]


@pytest.mark.parametrize("model", MODELS)
async def test_large_integers_and_any_text_arrive_exactly(
    model: str, provider: ProviderServer, adapter_for: Any
) -> None:
    provider.answer(plain_answer(model))
    args = '{"id": 9007199254740993, "huge": 123456789012345678901234567890, "s": "🍸 \\" <b>"}'
    call = ToolCallPart(
        "c1", "t1", "get_time", args_text=args, status=ToolCallStatus.COMPLETE, result="ünï 🎉"
    )
    thread = [user("a 🎉"), Message("a1", Role.ASSISTANT, (call,)), user("so?", "u2")]
    assert (await ask(adapter_for(model), request(thread, model=model), "a2")).error is None
    body = provider.received[-1].body
    message = (body.get("messages") or body["input"])[1]
    if model == RESPONSES:
        sent = json.loads(message["arguments"])
    elif model == OPENAI:
        sent = json.loads(message["tool_calls"][0]["function"]["arguments"])
    else:
        sent = message["content"][0]["input"]
    assert sent == json.loads(args)


@pytest.mark.parametrize("model", MODELS)
async def test_a_file_is_sent_and_an_address_is_only_named(
    model: str, provider: ProviderServer, adapter_for: Any
) -> None:
    provider.answer(plain_answer(model))
    data = base64.b64encode(b"\x89PNG not really").decode()
    parts = (
        TextPart("What is this?"),
        FilePart(data, "image/png", filename="a.png"),
        FilePart("http://127.0.0.1:9/secret", "image/png", filename="b.png", source_type="url"),
    )
    thread = [Message("u1", Role.USER, parts)]
    assert (await ask(adapter_for(model), request(thread, model=model))).error is None
    sent = json.dumps(provider.received[-1].body)
    assert data in sent
    assert "b.png" in sent
    assert "127.0.0.1:9" not in sent


@pytest.mark.parametrize("model", MODELS)
async def test_a_denial_reaches_the_model_word_for_word(
    model: str, provider: ProviderServer, adapter_for: Any
) -> None:
    provider.answer(plain_answer(model))
    reason = 'Denied by a person, who gave this reason: "too much", ask for < 5'
    call = ToolCallPart(
        "c1", "t1", "get_time", status=ToolCallStatus.DENIED, result=reason, is_error=True
    )
    thread = [user("hi"), Message("a1", Role.ASSISTANT, (call,)), user("so?", "u2")]
    assert (await ask(adapter_for(model), request(thread, model=model), "a2")).error is None
    body = provider.received[-1].body
    message = (body.get("messages") or body["input"])[2]
    if model == RESPONSES:
        assert message["output"] == reason
    elif model == OPENAI:
        assert message["content"] == reason
    else:
        block = message["content"][0]
        assert block["is_error"] is True
        assert block["content"] in (reason, [{"type": "text", "text": reason}])


async def test_openai_itself_is_asked_through_the_responses_api(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from agentui.adapters.pydantic_ai.building import build_model

    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert type(build_model("openai:gpt-5.2")).__name__ == "OpenAIResponsesModel"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert type(build_model("openai:gpt-5.2")).__name__ == "TolerantOpenAIChatModel"
    assert type(build_model("openai-responses:gpt-5.2")).__name__ == "OpenAIResponsesModel"


async def test_a_model_built_by_the_site(provider: ProviderServer) -> None:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    from agentui.adapters.pydantic_ai import PydanticAIAdapter

    model = OpenAIChatModel(
        "test-model", provider=OpenAIProvider(base_url=f"{provider.url}/v1", api_key="sk-x")
    )
    async with model:
        adapter = PydanticAIAdapter(model)
        assert adapter.name == "openai:test-model"
        provider.answer(stream_bytes("tool_call_summed_up_at_the_end"))
        answer = await ask(adapter, request())
    assert answer.calls == [("call_abc", "search", '{"query":"hello"}')]
