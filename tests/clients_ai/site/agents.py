"""An agent that does what the first word of a message says."""

from __future__ import annotations

from typing import Any

from agentui import Agent, ApprovalPolicy, RunContext, tool
from agentui.adapters import Call, Event, Fail, Say, ScriptedAdapter, Think, Wait
from agentui.adapters.base import ModelRequest
from agentui.adapters.scripted import last_user_text
from agentui.core.events import UpdateState


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool(approval=ApprovalPolicy.user())
def deploy(name: str) -> str:
    """Deploy something; the person in the chat is asked first."""
    from tests.models import Effect

    Effect.objects.create(name=name)
    return f"deployed {name}"


@tool(approval=ApprovalPolicy.staff())
def refund(name: str) -> str:
    """Refund something; staff are asked first."""
    from tests.models import Effect

    Effect.objects.create(name=name)
    return f"refunded {name}"


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


def respond(request: ModelRequest) -> list[Any]:
    """The steps for what was asked, or a word on the results that have come in."""
    last = request.messages[-1]
    if last.role == "tool":
        results = "; ".join(str(getattr(part, "content", "")) for part in last.parts)
        return [Say(f"Result: {results}")]
    word, _, rest = last_user_text(request).partition(" ")
    match word:
        case "add":
            return [Say("Let me add."), Call("add", {"a": 2, "b": 3})]
        case "think":
            return [Think("Hm, well."), Say("Thought.")]
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
        case "page":
            return [Call("get_place", {"precise": True})]
        case "bad_page":
            return [Call("get_place", {"precise": "not a truth value"})]
        case "deploy":
            return [Say("I would deploy."), Call("deploy", {"name": rest or "x"})]
        case "both":
            return [Call("add", {"a": 2, "b": 3}), Call("deploy", {"name": rest or "x"})]
        case "refund":
            return [Call("refund", {"name": rest or "x"})]
        case "slow":
            words = [step for n in range(40) for step in (Say(f"w{n} "), Wait(0.05))]
            return [Say(tuple(f"w{n} " for n in range(3))), *words]
        case "long":
            return [Say(" ".join(f"word{n}" for n in range(300)))]
        case "fail":
            return [Say("So far so"), Fail("The model is away.")]
        case "history":
            said = [m.parts[0].text for m in request.messages if m.role == "user"]  # type: ignore[union-attr]
            return [Say(" | ".join(said))]
        case _:
            return [Say(f"You said: {last_user_text(request)}")]


helper = Agent(
    "helper",
    model=ScriptedAdapter(respond=respond, delay=0.001),
    instructions="You help.",
    tools=[add, deploy, refund, tell_state, fill_in],
    max_roundtrips=4,
)
