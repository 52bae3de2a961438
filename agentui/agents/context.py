from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from agentui.core.values import Json
from agentui.exceptions import AgentUIError

from .results import encode_result


class ToolCancelled(AgentUIError):
    """The run was stopped, so this tool ends early."""

    code = "cancelled"


def _nobody() -> None:
    return None


def _no_progress(value: Json) -> None:
    return None


def _not_cancelled() -> bool:
    return False


_UNSET: Any = object()


@dataclass(slots=True, kw_only=True)
class RunContext:
    """What a tool, a callable ``instructions`` and a policy's ``when`` know about their run.

    A parameter annotated with this class is filled in and never shown to the model. ``args`` are the
    validated arguments of the call. ``state`` is the thread's state as it was when the tool began;
    changing the dict changes nothing. ``idempotency_key`` is the same at every attempt of one call.

    The last four fields are how the runtime reaches in; each may be called from any thread.
    """

    user_id: Any = None
    thread_id: str = ""
    run_id: str = ""
    agent: str = ""
    tool_name: str = ""
    tool_call_id: str = ""
    idempotency_key: str = ""
    attempt: int = 1
    state: dict[str, Json] = field(default_factory=dict)
    args: dict[str, Any] = field(default_factory=dict)
    load_user: Callable[[], Any] = field(default=_nobody, repr=False)
    aload_user: Callable[[], Awaitable[Any]] | None = field(default=None, repr=False)
    report_progress: Callable[[Json], None] = field(default=_no_progress, repr=False)
    is_cancelled: Callable[[], bool] = field(default=_not_cancelled, repr=False)
    _user: Any = field(default=_UNSET, init=False, repr=False)

    @property
    def user(self) -> Any:
        """The thread's owner, read once. In an async function write ``await ctx.auser()``."""
        if self._user is _UNSET:
            if _in_event_loop():
                raise RuntimeError(
                    "ctx.user reads the database. In an async function write `await ctx.auser()`."
                )
            self._user = self.load_user()
        return self._user

    async def auser(self) -> Any:
        """The thread's owner, read once, for async functions."""
        if self._user is _UNSET:
            if self.aload_user is not None:
                self._user = await self.aload_user()
            else:
                self._user = await asyncio.to_thread(self.load_user)
        return self._user

    def progress(self, value: Any) -> None:
        """Show ``value`` (a text, a number from 0 to 1, or any JSON) at the call, while it runs.

        Returns at once, in sync and in async tools. Only the latest value is kept.
        """
        self.report_progress(encode_result(value))

    @property
    def cancelled(self) -> bool:
        """True once somebody stopped the run. Look at it in loops that take long."""
        return self.is_cancelled()

    def raise_if_cancelled(self) -> None:
        """End this tool with :class:`ToolCancelled` if somebody stopped the run."""
        if self.cancelled:
            raise ToolCancelled()


def _in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
