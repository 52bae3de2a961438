"""An agent that does what the first word of a message says; what it was told, it tells."""

from __future__ import annotations

import time
from typing import Any

from agentui import Agent, ApprovalPolicy, RunContext, human_tool, tool
from agentui.adapters import Call, Event, Fail, Say, ScriptedAdapter, Think, Wait
from agentui.adapters.base import ModelRequest
from agentui.adapters.scripted import last_user_text
from agentui.core.events import UpdateState
from tests.protocols.live.gates import gates


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
def slow_add(a: int, b: int) -> int:
    """Add two numbers, slowly."""
    time.sleep(3)
    return a + b


@tool(timeout=0.3)
async def never() -> str:
    """Give no answer in time."""
    import asyncio

    await asyncio.Event().wait()
    return "never"


@tool
def broken() -> None:
    """Raise an error that says something it should not."""
    raise RuntimeError("password=hunter2")


@tool(idempotent=True)
def order(number: int) -> dict[str, Any]:
    """Look up an order."""
    return {"number": number, "items": ["shoes"]}


@tool(approval=ApprovalPolicy.user())
def deploy(name: str) -> str:
    """Deploy something; the person who asks is asked first."""
    from tests.models import Effect

    Effect.objects.create(name=name)
    return f"deployed {name}"


@tool(approval=ApprovalPolicy.staff(), transactional=True)
def refund(ctx: RunContext, name: str) -> dict[str, str]:
    """Refund something; staff are asked first."""
    from tests.models import Effect

    Effect.objects.create(name=name, key=ctx.idempotency_key)
    return {"refunded": name}


@tool
def effects(name: str) -> int:
    """How often something was really done."""
    from tests.models import Effect

    return Effect.objects.filter(name=name).count()


@tool
def tell_state(ctx: RunContext) -> dict[str, Any]:
    """Tell the state that the page and the agent share."""
    return ctx.state


@tool
def fill_in(ctx: RunContext) -> str:
    """Write into the state that the page and the agent share."""
    ctx.set_state(["form", "city"], "Oslo")
    return "filled in"


def update(kind: str, *path: str, value: Any) -> Event:
    """What the model's answer says of the state."""
    return Event(UpdateState(({"type": kind, "path": list(path), "value": value},)))


@tool
async def paint(ctx: RunContext, gate: str) -> str:
    """Paint two walls, and show after each how far it has come."""
    for wall in (1, 2):
        ctx.progress({"walls": wall})
        await gates[f"{gate}-{wall}"].pass_through()
    return "painted"


ask = human_tool(
    "ask",
    "Ask the person a question.",
    {"type": "object", "properties": {"question": {"type": "string"}}, "required": ["question"]},
)


def respond(request: ModelRequest) -> list[Any]:
    """The steps for what was asked, or a word on the results that have come in."""
    last = request.messages[-1]
    if last.role == "tool":
        results = "; ".join(str(getattr(part, "content", "")) for part in last.parts)
        return [Say(f"Result: {results}")]
    said = last_user_text(request).rpartition("\n")[2]
    word, _, rest = said.partition(" ")
    match word:
        case "add":
            return [Say("Let me add."), Call("add", {"a": 2, "b": 3})]
        case "think":
            return [Think("Hm, well."), Say("Thought.")]
        case "page":
            return [Say("Where?"), Call("get_place", {"precise": True})]
        case "pages":
            return [Call("get_place", {"precise": True}), Call("get_place", {"precise": False})]
        case "bad_page":
            return [Call("get_place", {"precise": "not a truth value"})]
        case "ask":
            return [Call("ask", {"question": "Which [one]?"})]
        case "deploy":
            return [Say("I would deploy."), Call("deploy", {"name": rest})]
        case "refund":
            return [Say("I will ask."), Call("refund", {"name": rest})]
        case "slow":
            return [step for n in range(20) for step in (Say(f"w{n} "), Wait(0.05))]
        case "plan":
            return [
                update("set", "plan", value=["look"]),
                update("set", "note", value="a"),
                update("append-text", "note", value="b"),
                Say("Planned."),
                Call("tell_state"),
            ]
        case "state":
            return [Call("tell_state")]
        case "fill":
            return [Call("fill_in")]
        case "paint":
            return [Call("paint", {"gate": rest})]
        case "hold":
            return [Say("first "), gates[rest], Say("last")]
        case "fail":
            return [Say("So far so"), Fail("The model is away.")]
        case "tools":
            return [Say(",".join(sorted(tool.name for tool in request.tools)))]
        case "told":
            return [Say(told(request))]
    return [Say(f"You said: {said}")]


def told(request: ModelRequest) -> str:
    """Everything the model was given, for a test to look at."""
    lines = [f"instructions={request.instructions}"]
    for message in request.messages:
        texts = [
            str(getattr(part, "text", getattr(part, "content", part))) for part in message.parts
        ]
        lines.append(f"{message.role}={' / '.join(texts)}")
    return " || ".join(line.replace("\n", " ") for line in lines)


helper = Agent(
    "helper",
    model=ScriptedAdapter(respond=respond, delay=0.001),
    instructions="You help.",
    tools=[
        add,
        slow_add,
        never,
        broken,
        order,
        deploy,
        refund,
        effects,
        ask,
        tell_state,
        fill_in,
        paint,
    ],
    max_roundtrips=4,
)
