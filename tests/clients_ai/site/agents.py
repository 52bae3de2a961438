"""An agent that does what the first word of a message says."""

from __future__ import annotations

from typing import Any

from agentui import Agent, ApprovalPolicy, tool
from agentui.adapters import Call, Fail, Say, ScriptedAdapter, Think, Wait
from agentui.adapters.base import ModelRequest
from agentui.adapters.scripted import last_user_text


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
    tools=[add, deploy, refund],
    max_roundtrips=4,
)
