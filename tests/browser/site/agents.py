"""``pilot`` calls the tools it is told to call, a line each: ``call NAME {"a": 1}``."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from typing import Any

from django.conf import settings

from agentui import Agent, ApprovalPolicy, RunContext, human_tool, tool
from agentui.adapters import ModelRequest, ScriptedAdapter
from agentui.agents import PolicyOption, ToolError, ToolResult
from agentui.core.events import PartStart
from agentui.core.parts import SourcePart
from agentui.testing import Call, Event, Say, Think

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
    if text.startswith("say "):
        return [Say(text.removeprefix("say "))]
    if text == "write arguments":
        pieces = ('{"text": "', *(f"word{n} " for n in range(150)), '"}')
        return [Call("repeat", pieces)]
    if text == "think and cite":
        return [
            Think("Which **cup**?"),
            Say("The white one."),
            Event(PartStart(SourcePart("s1", url="https://example.com/cups", title="All cups"))),
            Event(PartStart(SourcePart("s2", url="javascript:alert(1)", title="Bad cups"))),
            Event(PartStart(SourcePart("s3", source_type="document", title="Cups.pdf"))),
        ]
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


def wait_for(step: str, ctx: RunContext) -> None:
    """Until the test has let the tool go on: a file of this name is there."""
    for _ in range(1_000):
        if (settings.VAR_DIR / step).exists() or ctx.cancelled:
            return
        time.sleep(0.02)


@tool
def search(ctx: RunContext) -> list[str]:
    """Search for long, and say how far it has come and what is found so far."""
    ctx.progress({"value": 0.25, "label": "Reading page 1 of 4", "result": ["Cups"]})
    wait_for("second", ctx)
    ctx.progress({"value": 0.75, "label": "Reading page 3 of 4", "result": ["Cups", "Bowls"]})
    wait_for("last", ctx)
    return ["Cups", "Bowls", "Plates"]


def steps(end: str) -> list[dict[str, Any]]:
    """What another agent says and does."""
    looked_up = {
        "type": "tool_call",
        "tool_name": "look_up",
        "args": {"thing": "cup"},
        "result": "3 cups",
    }
    return [
        {"role": "user", "text": "Find the **cheapest** cup"},
        {"role": "assistant", "parts": [looked_up, {"type": "text", "text": end}]},
    ]


@tool
def delegate(ctx: RunContext, end: str = "It is the *white* one, at 12 euros.") -> ToolResult:
    """Let another agent work, and show what it says."""
    ctx.progress({"messages": steps(end)[:1]})
    wait_for("second", ctx)
    ctx.progress({"messages": steps(end)})
    wait_for("last", ctx)
    return ToolResult(result="the white cup", artifact={"messages": steps(end)})


@tool
def break_down() -> None:
    """Fail with words for the model."""
    raise ToolError("There is no such <b>cup</b>.")


@tool(approval=ApprovalPolicy.user(reason_required=False, editable=["name"]))
def rename_shop(name: str, city: str = "Graz") -> str:
    """Give the shop another name, if its owner wants it."""
    return f"It is called {name} now."


@tool(approval=ApprovalPolicy.staff(expires_after=timedelta(hours=24)))
def close_shop(reason: str) -> str:
    """Close the shop, if the staff want it."""
    return "closed"


@tool
def repeat(text: str) -> str:
    """Give back what was given."""
    return text


pilot = Agent(
    "pilot",
    model=ScriptedAdapter(respond=respond, delay=0.002),
    tools=[
        note,
        state,
        search,
        delegate,
        break_down,
        rename_shop,
        close_shop,
        repeat,
    ],
)

#: As fast as a quick model writes: a piece every 10 ms.
writer = Agent("writer", model=ScriptedAdapter(respond=respond, delay=0.01), tools=[repeat])


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
