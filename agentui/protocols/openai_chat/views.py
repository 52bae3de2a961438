"""The addresses of the OpenAI-compatible API."""

from __future__ import annotations

import functools
import json
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from ...agents import registry
from ...exceptions import AgentUIError
from ...runtime.database import in_database
from .. import items as it
from ..http import SSE_PING, event_stream, protocol_view, read_json, require_asgi
from ..items import Row
from ..plan import follow_plan
from ..wire import DONE
from .completion import Completion, error_body, sse
from .decoder import ChatRequest, decode_chat
from .encoder import ChatEncoder
from .plan import ChatPlan, Delivery, make_plan

logger = logging.getLogger("agentui")

_BROKEN = "Something went wrong on the server. The run goes on; ask again later."
_LONGEST_KEY = 255


def openai_view(*methods: str, scope: str | None = None) -> Callable[..., Any]:
    """A protocol's view whose refusals have OpenAI's form."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        inner = protocol_view(*methods, scope=scope)(view)

        @functools.wraps(inner)
        async def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
            return _in_openai_form(await inner(request, **kwargs))

        return wrapped

    return decorate


@openai_view("POST", scope="send")
async def completions(request: HttpRequest, user: Any) -> HttpResponseBase:
    """A new message, or results of the client's calls; what comes back is the agent's answer.

    The run goes on when the client goes away.
    """
    require_asgi(request)
    said = decode_chat(await read_json(request))
    plan = await in_database(make_plan, user, said, _delivery(request))
    completion = Completion(said.model, int(time.time()))
    if said.is_stream:
        return event_stream(_chunks(said, plan, completion, user), request)
    encoder = _encoder(said, plan)
    deltas = [delta async for some in _deltas(encoder, plan, user) for delta in some or ()]
    if encoder.error is not None:
        error = encoder.error
        return JsonResponse(error_body(error["message"], error["code"], 502), status=502)
    return JsonResponse(completion.whole(encoder, deltas))


@openai_view("GET")
async def models(request: HttpRequest, user: Any) -> HttpResponseBase:
    """The agents of the site."""
    found = [_model(agent.name) for agent in registry.all()]
    return JsonResponse({"object": "list", "data": found})


@openai_view("GET")
async def model(request: HttpRequest, user: Any, name: str) -> HttpResponseBase:
    return JsonResponse(_model(registry.get(name).name))


async def _chunks(
    said: ChatRequest, plan: ChatPlan, completion: Completion, user: Any
) -> AsyncIterator[str]:
    """The streamed answer. Whatever happens, it ends with ``[DONE]``."""
    encoder = _encoder(said, plan)
    is_begun = False
    try:
        async with aclosing(_deltas(encoder, plan, user)) as groups:
            async for group in groups:
                if group is None:
                    yield SSE_PING
                    continue
                if not is_begun:
                    is_begun = True
                    yield completion.chunk(encoder, {"role": "assistant", "content": ""})
                if text := "".join(completion.chunk(encoder, delta) for delta in group):
                    yield text
        error = encoder.error
    except AgentUIError as refusal:
        error = {"message": refusal.message, "code": refusal.code}
    except Exception:
        logger.exception("A stream failed")
        error = {"message": _BROKEN, "code": "error"}
    if error is not None:
        yield sse(error_body(error["message"], error["code"], 500))
    else:
        yield completion.chunk(encoder, {}, encoder.finish_reason)
        if said.has_usage:
            yield completion.usage_chunk(encoder)
    yield DONE


async def _deltas(
    encoder: ChatEncoder, plan: ChatPlan, user: Any
) -> AsyncGenerator[list[Row] | None, None]:
    """The deltas of what happens next; None is a sign of life."""
    async with aclosing(follow_plan(plan.plan, user)) as groups:
        async for group in groups:
            if group == [it.Heartbeat()]:
                yield None
                continue
            deltas = []
            for item in group:
                deltas += list(encoder.encode(item))
                if encoder.is_over:
                    break
            yield deltas
            if encoder.is_over:
                return


def _encoder(said: ChatRequest, plan: ChatPlan) -> ChatEncoder:
    names = {tool["name"] for tool in said.tools}
    return ChatEncoder(names, parts=plan.plan.parts, is_replay=plan.is_replay)


def _delivery(request: HttpRequest) -> Delivery:
    key = request.headers.get("Idempotency-Key", "").strip()[:_LONGEST_KEY]
    # OpenAI's own clients send a request again by themselves, and count.
    count = request.headers.get("X-Stainless-Retry-Count", "0")
    return Delivery(key or None, is_retry=count not in ("", "0"))


def _model(name: str) -> Row:
    return {"id": name, "object": "model", "created": 0, "owned_by": "agentui"}


def _in_openai_form(response: HttpResponseBase) -> HttpResponseBase:
    status = response.status_code
    if status < 400 or not isinstance(response, JsonResponse):
        return response
    found = json.loads(response.content)
    if "error" not in found:
        param = (found.get("details") or {}).get("param")
        response.content = json.dumps(error_body(found["message"], found["code"], status, param))
    if status != 429:
        # These clients repeat what failed, by themselves: a run that failed would run again.
        response["X-Should-Retry"] = "false"
    return response
