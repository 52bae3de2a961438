"""Failures of a provider: a sentence and a code, never its words; tried again only while unseen."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import Any

import pytest

from agentui.adapters import get_adapter
from agentui.adapters.base import ChatModelAdapter
from agentui.adapters.pydantic_ai import PydanticAIAdapter
from agentui.core.events import TextDelta
from agentui.core.statuses import ToolCallStatus
from agentui.exceptions import ModelError

from .asking import ask, request, stream_bytes
from .conftest import ANTHROPIC, OPENAI, RESPONSES
from .provider_server import ProviderServer, provider_server

SECRETS = ("SENTINEL", "p%40ss", "proxy.example")
LEAKY = (
    "Connection error for https://svc:p%40ss@proxy.example/v1: "
    "401 Invalid API key: sk-test-SENTINEL-123"
)


@pytest.mark.parametrize("model", [OPENAI, ANTHROPIC])
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "model_rejected"),
        (401, "model_not_configured"),
        (403, "model_not_configured"),
        (404, "model_not_found"),
        (429, "model_rate_limited"),
        (500, "model_server_error"),
        (502, "model_server_error"),
        (529, "model_overloaded"),
    ],
)
async def test_an_http_error_is_told_without_the_providers_words(
    model: str,
    status: int,
    code: str,
    provider: ProviderServer,
    adapter_for: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, logger="agentui")
    body = json.dumps({"error": {"message": LEAKY, "type": "some_error"}}).encode()
    provider.answer(body, status=status, content_type="application/json")
    adapter = adapter_for(model, attempts=1)
    answer = await ask(adapter, request())
    assert answer.error is not None
    assert answer.error.code == code
    assert answer.error.details["status"] == status
    assert answer.status == ("incomplete", "error")
    shown = json.dumps(answer.message.to_json()) + repr(answer.error) + str(answer.error.details)
    logged = caplog.text
    for secret in SECRETS:
        assert secret not in shown
        assert secret not in logged
    assert answer.error.details["error_id"] in logged
    # A report that prints the chain finds nothing to print.
    assert answer.error.__cause__ is None
    assert answer.error.__context__ is None


async def test_an_error_in_the_stream_is_told_without_the_providers_words(
    provider: ProviderServer, adapter_for: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="agentui")
    error = {"error": {"message": LEAKY, "code": 500}}
    provider.answer(f"data: {json.dumps(error)}\n\n".encode())
    answer = await ask(adapter_for(attempts=1), request())
    assert answer.error is not None
    assert not [secret for secret in SECRETS if secret in caplog.text + repr(answer)]


async def test_the_models_own_key_is_redacted_in_any_form(
    provider: ProviderServer, adapter_for: Any, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2")
    caplog.set_level(logging.DEBUG, logger="agentui")
    provider.answer(
        b'{"error": {"message": "no, hunter2 is wrong"}}', status=401,
        content_type="application/json",
    )  # fmt: skip
    await ask(adapter_for(attempts=1), request())
    assert "is wrong" in caplog.text
    assert "hunter2" not in caplog.text


async def test_no_server_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://svc:p%40ss@127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-SENTINEL")
    adapter = PydanticAIAdapter(OPENAI, attempts=1)
    answer = await ask(adapter, request())
    await adapter.aclose()
    assert answer.error is not None
    assert (answer.error.code, answer.error.retryable) == ("model_connection", True)
    assert not [secret for secret in SECRETS if secret in repr(answer)]


async def test_a_body_that_is_no_stream(provider: ProviderServer, adapter_for: Any) -> None:
    provider.answer(b"<html>gateway</html>", content_type="text/html")
    answer = await ask(adapter_for(attempts=1), request())
    assert answer.error is not None
    assert "gateway" not in answer.error.message


async def test_broken_json_in_the_stream(provider: ProviderServer, adapter_for: Any) -> None:
    provider.answer(stream_bytes("plain_answer").split(b"\n\n")[0] + b"\n\ndata: {oops\n\n")
    answer = await ask(adapter_for(), request())
    assert answer.error is not None
    assert answer.message.text == "It is "
    assert len(provider.received) == 1


# Trying again


async def test_a_failure_before_the_first_word_is_tried_again(
    provider: ProviderServer, adapter_for: Any
) -> None:
    provider.answer(b'data: {"error": {"message": "busy", "code": 503}}\n\n')
    provider.answer(stream_bytes("plain_answer"))
    answer = await ask(adapter_for(), request())
    assert answer.error is None
    assert answer.message.text == "It is noon."
    assert len(provider.received) == 2


@pytest.mark.parametrize("keep", [1, 2])
async def test_a_stream_that_breaks_after_the_first_word_is_not_tried_again(
    keep: int, provider: ProviderServer, adapter_for: Any
) -> None:
    chunks = stream_bytes("text_after_tool_call").split(b"\n\n")[:keep]
    provider.answer(*(chunk + b"\n\n" for chunk in chunks), drop=True)
    provider.answer(stream_bytes("plain_answer"))
    answer = await ask(adapter_for(), request())
    assert answer.error is not None
    assert answer.error.code == "model_connection"
    assert answer.error.retryable
    assert answer.message.text == "Let me look."
    assert answer.status == ("incomplete", "error")
    assert set(answer.call_statuses) <= {ToolCallStatus.CANCELLED}
    assert len(provider.received) == 1


async def test_the_whole_answer_again_is_there_once(
    provider: ProviderServer, adapter_for: Any
) -> None:
    # The first attempt breaks before anything was seen, the second says all of it.
    provider.answer(b": keep-alive\n\n", drop=True)
    provider.answer(stream_bytes("text_after_tool_call"))
    answer = await ask(adapter_for(), request())
    assert answer.message.text == "Let me look.Looking now."
    assert answer.calls == [("call_1", "get_time", "{}")]


async def test_what_cannot_get_better_is_not_tried_again(
    provider: ProviderServer, adapter_for: Any
) -> None:
    provider.answer(b'{"error": {"message": "no"}}', status=400, content_type="application/json")
    await ask(adapter_for(attempts=5), request())
    assert len(provider.received) == 1


# Stopping


async def _read_one_delta(adapter: ChatModelAdapter, seen: asyncio.Event) -> None:
    async for event in adapter.stream(request()):
        if isinstance(event, TextDelta):
            seen.set()


@pytest.mark.parametrize("model", [OPENAI, ANTHROPIC])
async def test_cancelling_closes_the_connection(
    model: str, provider: ProviderServer, adapter_for: Any
) -> None:
    name = "anthropic_no_stop" if model == ANTHROPIC else "no_finish_reason"
    provider.answer(stream_bytes(name), hold=asyncio.Event())
    seen = asyncio.Event()
    task = asyncio.create_task(_read_one_delta(adapter_for(model), seen))
    await asyncio.wait_for(seen.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(provider.peer_left.wait(), 2)
    assert len(provider.received) == 1


@pytest.mark.parametrize("model", [OPENAI, ANTHROPIC])
async def test_closing_the_iterator_closes_the_connection(
    model: str, provider: ProviderServer, adapter_for: Any
) -> None:
    name = "anthropic_no_stop" if model == ANTHROPIC else "no_finish_reason"
    provider.answer(stream_bytes(name), hold=asyncio.Event())
    events = adapter_for(model).stream(request())
    async for event in events:
        if isinstance(event, TextDelta):
            break
    await events.aclose()
    await asyncio.wait_for(provider.peer_left.wait(), 2)


async def test_cancelling_before_the_first_byte(provider: ProviderServer, adapter_for: Any) -> None:
    provider.answer(hold=asyncio.Event())
    task = asyncio.create_task(_read_one_delta(adapter_for(), asyncio.Event()))
    while not provider.received:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(provider.peer_left.wait(), 2)


@pytest.mark.parametrize("model", [OPENAI, ANTHROPIC, RESPONSES])
async def test_each_event_may_be_awaited_in_a_task_of_its_own(
    model: str, provider: ProviderServer, adapter_for: Any
) -> None:
    # The run waits for the next event and for a stop at once.
    names = {ANTHROPIC: "anthropic_no_stop", RESPONSES: "responses_cut_off"}
    provider.answer(stream_bytes(names.get(model, "no_finish_reason")), hold=asyncio.Event())
    events = adapter_for(model).stream(request())
    text = ""
    while text != "It is":
        event = await asyncio.create_task(anext(events))  # type: ignore[arg-type]
        text += event.text_delta.strip() if isinstance(event, TextDelta) else ""
    following = asyncio.create_task(anext(events))  # type: ignore[arg-type]
    await asyncio.sleep(0.05)
    following.cancel()
    await asyncio.wait({following})
    await asyncio.wait_for(provider.peer_left.wait(), 2)
    await events.aclose()


# Names and libraries


@pytest.mark.parametrize("name", ["", "gpt-5", ":x", "openai:"])
def test_a_name_that_names_no_model(name: str) -> None:
    with pytest.raises(ModelError) as caught:
        get_adapter(name)
    assert caught.value.code == "unknown_model"


async def test_an_unknown_provider() -> None:
    answer = await ask(get_adapter("nosuchprovider:m"), request())
    assert answer.error is not None
    assert answer.error.code == "model_not_configured"


async def test_a_missing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    answer = await ask(PydanticAIAdapter("anthropic:claude-x"), request())
    assert answer.error is not None
    assert answer.error.code == "model_not_configured"


def test_the_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    with pytest.raises(ModelError, match=r'pip install "agentui\[models\]"') as caught:
        get_adapter("openai:some-model-not-asked-for-before")
    assert caught.value.code == "model_not_installed"


def test_one_adapter_serves_one_event_loop_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adapter = PydanticAIAdapter(OPENAI, attempts=1)

    async def once() -> str:
        async with provider_server() as server:
            monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
            monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
            server.answer(stream_bytes("plain_answer"))
            answer = await ask(adapter, request())
            await adapter.aclose()
            return answer.message.text

    assert asyncio.run(once()) == "It is noon."
    assert asyncio.run(once()) == "It is noon."
