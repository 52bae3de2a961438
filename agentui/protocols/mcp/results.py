"""A call's rows as MCP's results. Pure; needs the package."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types

from ...agents import Tool
from ...core.statuses import ANSWERED, ToolCallStatus
from ..items import Row
from . import OUTCOME

OUTCOME_TOOL = types.Tool(
    name=OUTCOME,
    title="Outcome of a tool call",
    description=(
        "How an earlier tool call has ended, or that it still waits for a person. Nothing is run by "
        "asking. Give the id that the answer of the call named."
    ),
    input_schema={
        "type": "object",
        "properties": {"call": {"type": "string", "description": "The id of the tool call."}},
        "required": ["call"],
        "additionalProperties": False,
    },
    annotations=types.ToolAnnotations(read_only_hint=True, idempotent_hint=True),
)


def tool_description(tool: Tool) -> types.Tool:
    """A tool of the agent's as a client is told of it."""
    description = tool.description
    if tool.approval is not None:
        description += (
            f"\n\nA person may have to approve this call ({tool.approval.describe()}). It then waits, "
            f"and its answer names an id: ask for the outcome with {OUTCOME}; do not call again."
        )
    return types.Tool(
        name=tool.name,
        description=description.strip(),
        input_schema=tool.parameters,
        annotations=types.ToolAnnotations(idempotent_hint=tool.idempotent),
    )


def result_of(
    call: Row, approval: Row | None, edited_args: str, page: str | None
) -> types.CallToolResult:
    """What a client is told of a call as it stands."""
    status = ToolCallStatus(call["status"])
    state: Row = {"tool_call": call["id"], "status": status.value}
    if approval is not None:
        names = ("id", "status", "who", "expires_at", "may_decide")
        state["approval"] = {name: approval[name] for name in names}
    if page is not None:
        state["page"] = page
    if status not in ANSWERED:
        return _result(_waiting(call, approval, page), state)
    content = [_text(call["result"])]
    if edited_args:
        content.insert(0, f"A person changed the arguments before approving: {edited_args}")
    state["result"] = call["result"]
    return _result("\n".join(content), state, is_error=call["is_error"])


def refusal(message: str, code: str) -> types.CallToolResult:
    """A call that was not taken."""
    return _result(message, {"code": code}, is_error=True)


def _waiting(call: Row, approval: Row | None, page: str | None) -> str:
    ask = f'Ask for its outcome with {OUTCOME}, {{"call": "{call["id"]}"}}; do not call it again.'
    if call["status"] != ToolCallStatus.AWAITING_APPROVAL or approval is None:
        return f"This call is still running. {ask}"
    who = "you can approve it yourself" if approval["may_decide"] else approval["who"]
    where = f" It is shown at {page}." if page else ""
    return f"This call waits for approval ({who}) and has not run.{where} {ask}"


def _text(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


def _result(text: str, state: Row, *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(text=text)], structured_content=state, is_error=is_error
    )
