"""The agents of the test site. Their tools say what they do by their names.

The model of each is a script that a test puts in place with :func:`tests.scripts.script`.
"""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import Any

from agentui import Agent, ApprovalPolicy, RunContext, human_tool, tool
from agentui.adapters import ScriptedAdapter


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
async def add_async(a: int, b: int) -> int:
    """Add two numbers, without a thread."""
    return a + b


@tool
def echo(value: Any) -> Any:
    """Give back what was given."""
    return value


@tool
def break_down(secret: str = "hunter2") -> None:
    """Raise an error that says something it should not."""
    raise RuntimeError(f"connection to db://root:{secret}@host failed")


@tool(timeout=0.2)
def sleep_too_long() -> str:
    """Sleep past the timeout, in a thread."""
    time.sleep(1)
    return "late"


@tool
async def wait_forever() -> str:
    """Wait until somebody stops the run."""
    await asyncio.Event().wait()
    return "never"


@tool
def record_effect(ctx: RunContext, name: str) -> str:
    """Do something that cannot be undone."""
    from tests.models import Effect

    Effect.objects.create(name=name, key=ctx.idempotency_key)
    return "done"


@tool(transactional=True)
def record_exactly_once(ctx: RunContext, name: str) -> str:
    """Do something in the site's own database."""
    from tests.models import Effect

    Effect.objects.create(name=name, key=ctx.idempotency_key)
    return "done"


@tool(transactional=True)
def record_then_fail(name: str) -> str:
    """Write, then fail: nothing may stay."""
    from tests.models import Effect

    Effect.objects.create(name=name)
    raise ValueError("no")


@tool(approval=ApprovalPolicy.user())
def needs_the_user(name: str) -> str:
    """Ask the person in the chat first."""
    from tests.models import Effect

    Effect.objects.create(name=name)
    return f"did {name}"


@tool(
    approval=ApprovalPolicy.staff(expires_after=timedelta(hours=1), editable=("amount",)),
    transactional=True,
)
def needs_staff(ctx: RunContext, name: str, amount: int = 1) -> dict[str, Any]:
    """Ask the staff first."""
    from tests.models import Effect

    Effect.objects.create(name=name, key=ctx.idempotency_key, value=amount)
    return {"did": name, "amount": amount}


ask = human_tool(
    "ask",
    "Ask the person a question.",
    {"type": "object", "properties": {"question": {"type": "string"}}, "required": ["question"]},
)

tester = Agent(
    "tester",
    model=ScriptedAdapter([]),
    instructions="You are tested.",
    tools=[
        add,
        add_async,
        echo,
        break_down,
        sleep_too_long,
        wait_forever,
        record_effect,
        record_exactly_once,
        record_then_fail,
        needs_the_user,
        needs_staff,
        ask,
    ],
    max_roundtrips=4,
)
