"""One request to a pydantic-ai model, as our events."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, cast

from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import InstructionPart
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from agentui.adapters.base import ModelRequest
from agentui.core.events import FinishReason, MessageFinish, StreamEvent
from agentui.core.values import Json
from agentui.exceptions import ModelError

from .history import Origin, call_ids, to_model_messages
from .stream import StreamTranslator

#: Settings that are ours; the library would pass them by, but a later one might take them.
_OWN_SETTINGS = frozenset({"resend_reasoning"})

_FINISH_REASONS: dict[str | None, FinishReason] = {
    "stop": "stop",
    "tool_call": "tool_calls",
    "length": "length",
    "content_filter": "content_filter",
    "error": "error",
}


async def ask(
    model: Model[Any], request: ModelRequest, *, name: str, resend_reasoning: bool
) -> AsyncGenerator[StreamEvent, None]:
    """The model's answer. Raises what the library raises, and :class:`ModelError` for no answer."""
    origin = Origin.of(model, name)
    parameters = ModelRequestParameters(
        function_tools=[
            ToolDefinition(
                name=tool.name,
                description=tool.description,
                parameters_json_schema=tool.parameters,
            )
            for tool in request.tools
        ],
        instruction_parts=[InstructionPart(content=request.instructions)]
        if request.instructions.strip()
        else None,
    )
    messages = to_model_messages(request.messages, origin=origin, resend_reasoning=resend_reasoning)
    settings = {key: value for key, value in request.settings.items() if key not in _OWN_SETTINGS}
    async with model_request_stream(
        model,
        model.prepare_messages(messages, parameters),
        model_settings=cast("ModelSettings", settings) or None,
        model_request_parameters=parameters,
        instrument=False,
    ) as stream:
        translator = StreamTranslator(origin, taken_ids=call_ids(request.messages))
        async with aclosing(cast("AsyncGenerator[Any, None]", aiter(stream))) as events:
            async for event in events:
                for translated in translator.feed(event):
                    yield translated
        refusal = (stream.provider_details or {}).get("refusal")
        if isinstance(refusal, str):
            for translated in translator.say(refusal):
                yield translated
        reason = _finish_reason(stream)
        for translated in translator.finish(is_cut=reason not in ("stop", "tool_calls", "unknown")):
            yield translated
        _check_answer(translator, reason)
        yield MessageFinish(reason, usage=_usage(stream))


def _finish_reason(stream: StreamedResponse) -> FinishReason:
    said = (stream.provider_details or {}).get("finish_reason")
    if stream.finish_reason is None and not said and stream.provider_url:
        # Every provider says why it stops; a stream that ends without has been cut. (A model that
        # runs in this process, with no address, need not say it.)
        raise ModelError(
            "The connection to the model was lost. Please try again.",
            code="model_connection",
            retryable=True,
        )
    if stream.finish_reason == "stop" and not said and _is_chat_completions(stream):
        # The library fills in "stop" where a compatible server gave no reason.
        return "unknown"
    return _FINISH_REASONS.get(stream.finish_reason, "unknown")


def _is_chat_completions(stream: StreamedResponse) -> bool:
    openai = sys.modules.get("pydantic_ai.models.openai")
    return openai is not None and isinstance(stream, openai.OpenAIStreamedResponse)


def _check_answer(translator: StreamTranslator, reason: FinishReason) -> None:
    if reason in ("length", "content_filter"):
        return  # The reason says why there may be nothing.
    if not translator.has_answer:
        raise ModelError(
            "The model gave an empty answer. Please try again.", code="empty_answer", retryable=True
        )
    if reason == "tool_calls" and not translator.has_calls:
        raise ModelError(
            "The model's tool calls could not be read. Please try again.",
            code="model_bad_answer",
            retryable=True,
        )


def _usage(stream: StreamedResponse) -> dict[str, Json] | None:
    usage = stream.usage
    counts = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
        "reasoning_tokens": (usage.details or {}).get("reasoning_tokens", 0),
    }
    if not any(counts.values()):
        return None
    return {
        name: count
        for name, count in counts.items()
        if count or name in ("input_tokens", "output_tokens")
    }
