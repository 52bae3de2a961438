"""The protocol's side, by the package ``mcp``: a server for one request, of one user."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError

from ... import __version__
from ...actions.rates import count_request
from ...agents import Agent
from ...conf import app_settings
from ...exceptions import AgentUIError, NotFound
from ...runtime.database import in_database
from ..following import follow_run
from ..items import Ended, Row
from . import OUTCOME
from .calling import begin_call, call_rows, shared_tools
from .results import OUTCOME_TOOL, refusal, result_of, tool_description

KEY = "agentui/idempotency_key"
"""In a call's ``_meta``: the same key again is the same call."""

_LONGEST_KEY = 255


class _Exchange:
    """Answers what one user asks of one agent. ``page`` is the address of a thread's page."""

    def __init__(self, user: Any, agent: Agent, page: Callable[[str], str | None]) -> None:
        self._user = user
        self._agent = agent
        self._page = page

    async def list_tools(self, context: Any, params: Any) -> types.ListToolsResult:
        shown = [tool_description(tool) for tool in shared_tools(self._agent)]
        return types.ListToolsResult(tools=[*shown, OUTCOME_TOOL])

    async def call_tool(
        self, context: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        arguments = params.arguments or {}
        try:
            if params.name == OUTCOME:
                return await self._outcome(arguments.get("call"))
            await in_database(count_request, self._user, "send")
            made = await in_database(
                begin_call, self._user, self._agent, params.name, arguments, _key(params)
            )
            return await self._outcome(made["call"])
        except NotFound as error:
            raise MCPError(types.INVALID_PARAMS, error.message) from None
        except AgentUIError as error:
            return refusal(error.message, error.code)

    async def _outcome(self, call_id: Any) -> types.CallToolResult:
        """The call as it stands, once it waits for a person or is over, or a while has passed."""
        call, _, _ = await in_database(call_rows, self._user, self._agent, call_id)
        await self._settled(uuid.UUID(call["run"]))
        call, approval, edited = await in_database(call_rows, self._user, self._agent, call_id)
        return result_of(call, approval, edited, self._page(call["thread"]))

    async def _settled(self, run: uuid.UUID) -> None:
        try:
            async with asyncio.timeout(app_settings.MCP_WAIT_SECONDS):
                async with aclosing(follow_run(run, self._user)) as items:
                    async for item in items:
                        if isinstance(item, Ended):
                            return
        except TimeoutError:
            return


def _key(params: types.CallToolRequestParams) -> str | None:
    meta: Row = dict(params.meta or {})
    key = meta.get(KEY)
    return key[:_LONGEST_KEY] if isinstance(key, str) and key else None


def make_application(user: Any, agent: Agent, page: Callable[[str], str | None]) -> Any:
    """What answers one HTTP request: the package's own handling of the protocol.

    Nothing is kept between requests, so any process answers any of them.
    """
    exchange = _Exchange(user, agent, page)
    server: Server[Any] = Server(
        agent.name,
        version=__version__,
        title=str(agent.title),
        description=str(agent.description) or None,
        on_list_tools=exchange.list_tools,
        on_call_tool=exchange.call_tool,
    )
    return StreamableHTTPSessionManager(
        server,
        json_response=True,
        stateless=True,
        max_request_body_size=app_settings.MAX_PROTOCOL_BODY_BYTES,
    )
