"""``pilot`` calls the tools it is told to call, a line each: ``call NAME {"a": 1}``."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from agentui import Agent, ApprovalPolicy, RunContext, human_tool, tool
from agentui.adapters import ModelRequest, ScriptedAdapter
from agentui.agents import PolicyOption
from agentui.testing import Call, Say

WORDS = "Every word of this answer comes **one by one**, as a `model` would write it. "


def respond(request: ModelRequest) -> list[Any]:
    last = request.messages[-1]
    if last.role == "tool":
        return [Say("Answers: " + json.dumps([_plain(part.content) for part in last.parts]))]
    text = "".join(getattr(part, "text", "") for part in last.parts)
    lines = [line.split(" ", 2) for line in text.splitlines()]
    calls = [
        Call(line[1], json.loads(line[2] if len(line) > 2 else "{}"))
        for line in lines
        if line[0] == "call"
    ]
    if calls:
        return [*calls]
    if text == "what do you know":
        return [Say(request.instructions)]
    if text == "which tools":
        return [Say(", ".join(sorted(tool.name for tool in request.tools)))]
    if text.startswith("write "):
        paragraphs = int(text.split()[1]) // 60 + 1
        return [Say("\n\n".join(WORDS * 4 for _ in range(paragraphs)))]
    return [Say(f"You said: {text}")]


def _plain(content: Any) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return content


@tool
def note(ctx: RunContext, text: str) -> str:
    """Keep a note in the thread's state."""
    ctx.set_state("note", text)
    return "noted"


@tool
def state(ctx: RunContext) -> dict[str, Any]:
    """Read the thread's state."""
    return ctx.state


pilot = Agent("pilot", model=ScriptedAdapter(respond=respond, delay=0.002), tools=[note, state])

#: As fast as a quick model writes: a piece every 10 ms.
writer = Agent("writer", model=ScriptedAdapter(respond=respond, delay=0.01))


def staff(**rest: Any) -> ApprovalPolicy:
    return ApprovalPolicy(permission="shop.refund_order", **rest)


@tool(
    approval=staff(
        expires_after=timedelta(days=1),
        editable=["cents"],
        reason_required=True,
        options=(
            "allow_once",
            PolicyOption("allow_always", "user", ("account",), timedelta(days=7)),
            "deny_once",
        ),
    )
)
def pay(account: str, cents: int, note: str = "") -> str:
    """Pay out from an account of the shop."""
    return f"paid {cents} from {account}"


ship = human_tool(
    "ship",
    "Ask the staff how a parcel goes out.",
    {"type": "object", "properties": {"order": {"type": "integer"}}, "required": ["order"]},
    approval=staff(),
    answer={
        "type": "object",
        "properties": {
            "carrier": {"title": "Carrier", "enum": ["post", "bike"]},
            "parcels": {"title": "Parcels", "type": "integer", "minimum": 1},
            "remark": {"title": "Remark", "type": "string"},
        },
        "required": ["carrier", "parcels"],
    },
)

#: What the staff have to decide.
clerk = Agent("clerk", model=ScriptedAdapter(respond=respond), tools=[pay, ship])
