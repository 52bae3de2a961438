"""What a socket does with the tools its page registers."""

from __future__ import annotations

from typing import Any

import pytest

from agentui.models import Run
from agentui.runtime.database import in_database
from agentui.testing import Say, open_socket

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_bad_tool_is_dropped_and_named(user: Any, script: Any, running: None) -> None:
    script([Say("Hi")])
    offered = [
        {"name": "good", "description": "Works."},
        {"name": "no spaces allowed"},
        {"name": "schema", "parameters": {"type": "string"}},
        {"name": "off", "available": "disabled"},
        {"name": "*"},
        "not even an object",
        {"description": "nameless"},
    ]
    async with open_socket(user) as socket:
        answer = await socket.command("register_tools", tools=offered)
        assert answer["tools"] == ["good"]
        assert [tool["name"] for tool in answer["refused"]] == [
            "no spaces allowed",
            "schema",
            "5",
            "6",
        ]
        assert "object" in answer["refused"][1]["message"]
        sent = await socket.command(
            "send_message", agent="tester", parts=[{"type": "text", "text": "Go"}]
        )
    run = await in_database(Run.objects.get, pk=sent["run"])
    assert [tool["name"] for tool in run.tools] == ["good"]


async def test_tools_beyond_the_limit_are_named_and_the_others_kept(
    user: Any, settings: Any, running: None
) -> None:
    settings.AGENTUI = {**settings.AGENTUI, "MAX_FRONTEND_TOOLS": 2}
    async with open_socket(user) as socket:
        answer = await socket.command(
            "register_tools", tools=[{"name": n} for n in ("a", "b", "c")]
        )
    assert answer["tools"] == ["a", "b"]
    assert [tool["name"] for tool in answer["refused"]] == ["c"]
