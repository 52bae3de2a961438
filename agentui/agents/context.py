from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentui.core.state_ops import apply_operations
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
    validated arguments of the call. ``state`` is the thread's state as it was when the tool began,
    with what the tool itself has written; changing the dict changes nothing, :meth:`set_state` does.
    ``idempotency_key`` is the same at every attempt of one call.

    The last fields are how the runtime reaches in; each may be called from any thread.
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
    write_state: Callable[[list[Json]], Json] | None = field(default=None, repr=False)
    awrite_state: Callable[[list[Json]], Awaitable[Json]] | None = field(default=None, repr=False)
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

    def set_state(self, path: str | Sequence[str | int], value: Any) -> None:
        """Put ``value`` into the thread's state, at once for the page and whoever else shows it.

        ``path`` is the name of a field, or the steps to a place: ``["filters", "size"]``. Each call
        is one durable change; in a ``transactional`` tool it comes with the tool's other effects, or
        not at all. In an async function write ``await ctx.aset_state(...)``. Raises
        :class:`~agentui.exceptions.InvalidInput` when there is no such place, ``TooLarge``, and
        ``Fenced`` once the call is over.
        """
        self.update_state([_set(path, value)])

    async def aset_state(self, path: str | Sequence[str | int], value: Any) -> None:
        """:meth:`set_state`, for async functions."""
        await self.aupdate_state([_set(path, value)])

    def update_state(self, operations: Sequence[dict[str, Any]]) -> None:
        """Several changes of the state as one: all of them, or none.

        ``{"type": "set", "path": [...], "value": json}`` or ``{"type": "append-text", "path": [...],
        "value": text}``. In an async function write ``await ctx.aupdate_state(...)``.
        """
        if self.awrite_state is not None and _in_event_loop():
            raise RuntimeError(
                "This writes to the database. In an async function write `await ctx.aset_state(...)`"
                " or `await ctx.aupdate_state(...)`."
            )
        encoded = encode_result(list(operations))
        write = self.write_state or self._write_here
        self._took(write(encoded))

    async def aupdate_state(self, operations: Sequence[dict[str, Any]]) -> None:
        """:meth:`update_state`, for async functions."""
        encoded = encode_result(list(operations))
        if self.awrite_state is not None:
            self._took(await self.awrite_state(encoded))
        else:
            self._took(self._write_here(encoded))

    def _write_here(self, operations: list[Json]) -> Json:
        """A context of a site's own test has no thread: its state is all there is."""
        return apply_operations(self.state, operations)

    def _took(self, state: Json) -> None:
        self.state = dict(state) if isinstance(state, dict) else {}

    @property
    def cancelled(self) -> bool:
        """True once somebody stopped the run. Look at it in loops that take long."""
        return self.is_cancelled()

    def raise_if_cancelled(self) -> None:
        """End this tool with :class:`ToolCancelled` if somebody stopped the run."""
        if self.cancelled:
            raise ToolCancelled()


def _set(path: str | Sequence[str | int], value: Any) -> dict[str, Any]:
    steps = [path] if isinstance(path, str) else [str(step) for step in path]
    return {"type": "set", "path": steps, "value": value}


def _in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
