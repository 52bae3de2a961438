"""The HTTP route of plain text. The request is the AI SDK's."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from ...core.statuses import Reason
from ...exceptions import AgentUIError
from ...runtime.database import in_database
from .. import items as it
from ..http import event_stream, protocol_view, read_json, require_asgi
from ..plan import Plan, follow_plan
from ..ui_message_stream.decoder import decode_chat
from ..ui_message_stream.parts import error_text
from ..ui_message_stream.plan import make_plan
from .encoder import PlainTextEncoder

logger = logging.getLogger("agentui")

DOOR = "plain_text"
CONTENT_TYPE = "text/plain; charset=utf-8"


@protocol_view("POST", scope="send")
async def chat(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """A new message; what comes back are the words of the answer."""
    require_asgi(request)
    body = decode_chat(await read_json(request))
    plan = await in_database(make_plan, user, agent, body, DOOR)
    return event_stream(text(plan, user), request, content_type=CONTENT_TYPE)


async def text(plan: Plan, user: Any) -> AsyncIterator[str]:
    """The response's body. Text has no place for errors: one is a line of its own at the end."""
    encoder = PlainTextEncoder(plan.parts)
    problems = [refusal.message for refusal in plan.refusals]
    try:
        async with aclosing(follow_plan(plan, user)) as groups:
            async for group in groups:
                if words := "".join(word for item in group for word in encoder.encode(item)):
                    yield words
                match group[-1:]:
                    case [it.Ended() as ended] if ended.status.reason is Reason.ERROR:
                        problems.append(error_text(ended.error))
    except AgentUIError as error:
        problems.append(error.message)
    except Exception:
        logger.exception("A stream failed")
        problems.append("Something went wrong. Reload to go on.")
    for problem in problems:
        yield f"\n[{problem}]\n"
