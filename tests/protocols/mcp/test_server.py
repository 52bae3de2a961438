"""The client of the package ``mcp`` against a real server process, both generations of the protocol."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from tests.protocols.live import live_site
from tests.protocols.live.people import decide, person

OUTCOME = "tool_call_outcome"


@pytest.fixture(scope="module")
def site() -> Iterator[dict[str, Any]]:
    with live_site() as site:
        yield site


@pytest.fixture(params=["legacy", "auto"])
def generation(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@asynccontextmanager
async def connected(
    site: dict[str, Any], name: str = "ada", mode: Any = "auto", agent: str = "helper"
) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {site['people'][name]['token']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        url = f"{site['url']}/agentui/protocols/mcp/{agent}"
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            yield client


def text(result: Any) -> str:
    return "\n".join(part.text for part in result.content)


async def ended(client: Client, call: str) -> Any:
    """The call's outcome, once it has one."""
    async with asyncio.timeout(20):
        while True:
            result = await client.call_tool(OUTCOME, {"call": call})
            if "result" in result.structured_content:
                return result


async def done(client: Client, name: str) -> int:
    """How often this was really done."""
    result = await client.call_tool("effects", {"name": name})
    count: int = result.structured_content["result"]
    return count


async def test_the_agents_server_tools_are_shown(site: Any, generation: str) -> None:
    async with connected(site, mode=generation) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {
        *("add", "slow_add", "never", "broken", "order", "deploy", "refund", "effects"),
        *("tell_state", "fill_in", "paint", OUTCOME),
    }
    assert tools["add"].input_schema["required"] == ["a", "b"]
    assert "ctx" not in tools["refund"].input_schema["properties"]
    assert "approve" in (tools["refund"].description or "")
    assert "approve" not in (tools["add"].description or "")


async def test_a_call(site: Any, generation: str) -> None:
    async with connected(site, mode=generation) as client:
        result = await client.call_tool("add", {"a": 2, "b": 3})
        assert (text(result), result.is_error) == ("5", False)
        result = await client.call_tool("order", {"number": 7})
        assert result.structured_content["result"] == {"number": 7, "items": ["shoes"]}
    with person(site, "ada") as ada:
        row = ada.get(f"tool-calls/{result.structured_content['tool_call']}/").json()
        run = ada.get(f"runs/{row['run']}/").json()
    assert (row["status"], row["args_text"]) == ("complete", '{"number": 7}')
    assert (run["status"], run["agent"]) == ("complete", "helper")


async def test_what_a_tool_answers_when_it_does_not_work(site: Any) -> None:
    async with connected(site) as client:
        invalid = await client.call_tool("add", {"a": "x"})
        late = await client.call_tool("never")
        broken = await client.call_tool("broken")
        assert invalid.is_error
        assert "the arguments are not valid" in text(invalid)
        assert "No answer within 0.3 seconds" in text(late)
        assert "RuntimeError" in text(broken)
        assert "hunter2" not in text(broken)
        with pytest.raises(MCPError, match="There is no tool named 'ask'"):
            await client.call_tool("ask", {"question": "?"})
        with pytest.raises(MCPError, match="There is no tool named 'get_place'"):
            await client.call_tool("get_place")


async def test_a_call_that_takes_long_is_asked_for_later(site: Any) -> None:
    async with connected(site) as client:
        begun = await client.call_tool("slow_add", {"a": 2, "b": 3})
        assert "still running" in text(begun)
        assert not begun.is_error
        result = await ended(client, begun.structured_content["tool_call"])
    assert text(result) == "5"


@pytest.mark.parametrize("verdict", ["approve", "deny"])
async def test_approval_by_staff(site: Any, generation: str, verdict: str) -> None:
    name = f"shoes-{verdict}-{generation}"
    async with connected(site, mode=generation) as client:
        asked = await client.call_tool("refund", {"name": name})
        state = asked.structured_content
        call = state["tool_call"]
        assert (state["status"], asked.is_error) == ("awaiting_approval", False)
        assert "has not run" in text(asked)
        assert call in text(asked)
        assert state["page"].startswith(f"{site['url']}/agentui/t/")
        still = await client.call_tool(OUTCOME, {"call": call})
        assert still.structured_content == state
        assert await done(client, name) == 0
        await asyncio.to_thread(decide, site, state["approval"]["id"], verdict, "So be it.")
        result = await ended(client, call)
        again = await ended(client, call)
        assert await done(client, name) == (verdict == "approve")
    assert again == result
    if verdict == "approve":
        assert result.structured_content["result"] == {"refunded": name}
    else:
        assert result.is_error
        assert "So be it." in text(result)


async def test_approval_by_the_user(site: Any) -> None:
    async with connected(site) as client:
        asked = await client.call_tool("deploy", {"name": "own"})
        state = asked.structured_content
        assert state["approval"]["may_decide"] is True
        with person(site, "ada") as ada:
            path = f"approvals/{state['approval']['id']}/decide/"
            assert ada.post(path, json={"verdict": "approve"}).status_code == 200
        assert text(await ended(client, state["tool_call"])) == "deployed own"


async def test_nobody_but_who_may_decides(site: Any) -> None:
    async with connected(site) as client:
        asked = await client.call_tool("refund", {"name": "mine"})
        state = asked.structured_content
        for name in ("ada", "bob"):
            with person(site, name) as somebody:
                path = f"approvals/{state['approval']['id']}/decide/"
                assert somebody.post(path, json={"verdict": "approve"}).status_code in (403, 404)
        # A forged field decides nothing, and is no argument of the tool.
        forged = {"name": "mine", "approved": True}
        assert (await client.call_tool("refund", forged)).is_error
        assert await done(client, "mine") == 0


async def test_calls_belong_to_their_user(site: Any) -> None:
    async with connected(site) as ada, connected(site, "bob") as bob:
        asked = await ada.call_tool("refund", {"name": "private"})
        for call in (asked.structured_content["tool_call"], str(uuid.uuid4()), "", None, 7):
            with pytest.raises(MCPError, match="no tool call of yours"):
                await bob.call_tool(OUTCOME, {"call": call})


async def test_the_same_key_is_the_same_call(site: Any) -> None:
    meta: Any = {"agentui/idempotency_key": "order-7"}
    async with connected(site) as client:
        asked = [await client.call_tool("refund", {"name": "once"}, meta=meta) for _ in range(3)]
        calls = {result.structured_content["tool_call"] for result in asked}
        assert len(calls) == 1
        other = await client.call_tool("refund", {"name": "twice"}, meta=meta)
        assert other.structured_content == {"code": "command_reused"}
        together = await asyncio.gather(
            *(
                client.call_tool("add", {"a": 1, "b": 1}, meta={"agentui/idempotency_key": "sum"})  # type: ignore[typeddict-unknown-key]
                for _ in range(5)
            )
        )
        assert len({result.structured_content["tool_call"] for result in together}) == 1


async def test_only_agents_that_the_site_shares(site: Any) -> None:
    url = f"{site['url']}/agentui/protocols/mcp"
    headers = {"Authorization": f"Bearer {site['people']['ada']['token']}"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with httpx2.AsyncClient(headers=headers) as http:
        assert (await http.post(f"{url}/tester", json=body)).status_code == 404
        assert (await http.get(f"{url}/helper")).status_code == 405
    async with httpx2.AsyncClient() as http:
        answer = await http.post(f"{url}/helper", json=body)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


async def test_what_is_no_message_of_the_protocol(site: Any) -> None:
    url = f"{site['url']}/agentui/protocols/mcp/helper"
    headers = {
        "Authorization": f"Bearer {site['people']['ada']['token']}",
        "Accept": "application/json, text/event-stream",
    }
    async with httpx2.AsyncClient(headers=headers) as http:
        for body in (b"", b"{", b"[]", b"7", b'{"jsonrpc": "2.0"}', b'{"id": 1}', b"\xff"):
            kind = {"Content-Type": "application/json"}
            answer = await http.post(url, content=body, headers=kind)
            assert 400 <= answer.status_code < 500, body
