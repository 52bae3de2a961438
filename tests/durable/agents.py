"""An agent whose story has everything in it, for processes that die in the middle of it.

The model is a function of what it is asked, so any process can play it from any point on. It checks
every request as strict providers do.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Callable
from datetime import timedelta

from asgiref.sync import sync_to_async

from agentui import Agent, ApprovalPolicy, RunContext, tool
from agentui.adapters import Call, ModelRequest, Say, ScriptedAdapter, Wait
from agentui.core.parts import TextPart
from tests.core.strict import verify
from tests.models import Effect

#: Called at every moment in which a tool may be overtaken by the death of its process.
moments: list[Callable[[], None]] = []


def at_any_moment() -> None:
    for moment in moments:
        moment()


def _dawdle() -> None:
    at_any_moment()
    time.sleep(random.random() * 0.03)


@tool(transactional=True)
def book(ctx: RunContext, name: str) -> str:
    """Write to the site's own database, exactly once."""
    _dawdle()
    Effect.objects.create(name=f"book {name}", key=ctx.idempotency_key)
    _dawdle()
    return "booked"


@tool
def mail(ctx: RunContext, name: str) -> str:
    """Do something that cannot be undone, and that nobody may do twice."""
    _dawdle()
    Effect.objects.create(name=f"mail {name}", key=ctx.idempotency_key)
    _dawdle()
    return "sent"


@tool(idempotent=True)
async def charge(ctx: RunContext, name: str) -> str:
    """Ask a service that knows the key: asking again is safe."""
    at_any_moment()
    await asyncio.sleep(random.random() * 0.03)
    await sync_to_async(Effect.objects.get_or_create)(
        key=ctx.idempotency_key, defaults={"name": f"charge {name}"}
    )
    at_any_moment()
    return "charged"


@tool(approval=ApprovalPolicy.user())
def mail_if_asked(ctx: RunContext, name: str) -> str:
    """Mail, once the person in the chat has said yes."""
    return mail.function(ctx, name)


@tool(approval=ApprovalPolicy.staff(expires_after=timedelta(hours=1)), transactional=True)
def refund(ctx: RunContext, name: str) -> str:
    """Refund, once the staff has said yes."""
    return book.function(ctx, name)


@tool(idempotent=True)
def poison(ctx: RunContext) -> None:
    """Take the whole process down, every time."""
    Effect.objects.create(name="poison", key=ctx.idempotency_key)
    os.kill(os.getpid(), signal.SIGKILL)


def respond(request: ModelRequest) -> list[object]:
    verify(request.messages)
    question, answered = "", 0
    for message in request.messages:
        if message.role == "user":
            question, answered = _text(message), 0
        answered += message.role == "assistant"
    if question.startswith("["):
        return [Say("I see."), Wait(0.01)]
    if question == "long":
        return [step for n in range(400) for step in (Say(f"{n} "), Wait(0.05))]
    if question == "short":
        return [Say("Short.")]
    if question == "poison":
        return [Call("poison")]
    words = [Say("Word by word by word. "), Wait(0.02), Say("And on. "), Wait(0.02)]
    match answered:
        case 0:
            args = {"name": question}
            return [*words, Call("book", args), Call("mail", args), Call("charge", args)]
        case 1:
            args = {"name": f"{question} later"}
            return [*words, Call("mail_if_asked", args), Call("refund", args)]
        case _:
            return [*words, Say(f"Done with {question}.")]


def _text(message: object) -> str:
    return "".join(part.text for part in message.parts if isinstance(part, TextPart))


stayer = Agent(
    "stayer",
    model=ScriptedAdapter(respond=respond, delay=0.001),
    instructions="You are tested.",
    tools=[book, mail, charge, mail_if_asked, refund, poison],
    max_roundtrips=6,
)
