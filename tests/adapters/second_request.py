"""Asking a model a second time: the request that carries the first answer back to it."""

from __future__ import annotations

from typing import Any

from .asking import ONCE, Answer, answered, ask, request, stream_bytes, user
from .provider_server import ProviderServer
from .strict import Body, check_anthropic, check_openai, check_responses


def check(body: Body) -> None:
    if "input" in body:
        check_responses(body)
    elif body["model"].startswith("claude"):
        check_anthropic(body)
    else:
        check_openai(body)


def plain_answer(model: str) -> bytes:
    kinds = {"anthropic": "anthropic_plain_answer", "openai-responses": "responses_plain_answer"}
    return stream_bytes(kinds.get(model.partition(":")[0], "plain_answer"))


async def second_request(
    stream: str,
    results: list[str],
    provider: ProviderServer,
    adapter: Any,
    *,
    settings: dict[str, Any] | None = None,
    asked_again: str = "and now?",
) -> Body:
    """The body of the request after the answer ``stream``, its calls answered with ``results``."""
    provider.answer(stream_bytes(stream))
    first: Answer = await ask(adapter, request())
    assert first.error is None
    provider.answer(plain_answer(adapter.name))
    thread = [user("hi"), answered(first.message, *results), user(asked_again, "u2")]
    again = request(thread, model=adapter.name, settings=ONCE | (settings or {}))
    second = await ask(adapter, again, "a2")
    assert second.error is None
    assert second.message.text == "It is noon."
    body: Body = provider.received[-1].body
    check(body)
    return body
