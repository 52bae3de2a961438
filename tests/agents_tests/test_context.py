from __future__ import annotations

import asyncio
import threading
from decimal import Decimal
from typing import Any

import pytest

from agentui import RunContext
from agentui.agents import ToolCancelled, ToolResultError


class Loads:
    """Loads a user and counts how often."""

    def __init__(self) -> None:
        self.count = 0
        self.threads: set[int] = set()

    def __call__(self) -> str:
        self.count += 1
        self.threads.add(threading.get_ident())
        return "ada"

    async def later(self) -> str:
        return self()


def test_the_user_is_read_once() -> None:
    load = Loads()
    ctx = RunContext(user_id=1, load_user=load)
    assert load.count == 0
    assert (ctx.user, ctx.user) == ("ada", "ada")
    assert load.count == 1


async def test_the_user_in_an_async_tool() -> None:
    load = Loads()
    ctx = RunContext(load_user=load, aload_user=load.later)
    with pytest.raises(RuntimeError, match=r"write `await ctx.auser\(\)`"):
        _ = ctx.user
    assert await ctx.auser() == "ada"
    assert ctx.user == await ctx.auser() == "ada"
    assert load.count == 1


async def test_the_event_loop_does_not_wait_for_the_database() -> None:
    load = Loads()
    assert await RunContext(load_user=load).auser() == "ada"
    assert threading.get_ident() not in load.threads


async def test_a_sync_tool_in_a_thread_reads_the_user() -> None:
    ctx = RunContext(load_user=Loads())
    assert await asyncio.to_thread(lambda: ctx.user) == "ada"


def test_progress_is_clean_json() -> None:
    seen: list[Any] = []
    ctx = RunContext(report_progress=seen.append)
    ctx.progress(0.5)
    ctx.progress({"done": Decimal("1.50"), "of": float("inf"), "note": "a\x00"})
    assert seen == [0.5, {"done": "1.50", "of": None, "note": "a"}]
    with pytest.raises(ToolResultError):
        ctx.progress(b"bytes")
    assert len(seen) == 2


def test_stopping() -> None:
    stop = threading.Event()
    ctx = RunContext(is_cancelled=stop.is_set)
    ctx.raise_if_cancelled()
    assert not ctx.cancelled
    stop.set()
    assert ctx.cancelled
    with pytest.raises(ToolCancelled) as error:
        ctx.raise_if_cancelled()
    assert error.value.code == "cancelled"


def test_a_context_of_its_own_does_nothing() -> None:
    """So a site's tests call their tools with a plain ``RunContext()``."""
    ctx = RunContext()
    ctx.progress(1)
    ctx.raise_if_cancelled()
    assert ctx.user is None
    assert ctx.state == ctx.args == {}
    assert RunContext().state is not ctx.state


def test_a_context_of_its_own_keeps_its_state() -> None:
    ctx = RunContext(state={"filters": {"size": "m"}})
    ctx.set_state("sum", Decimal("1.50"))
    ctx.set_state(["filters", "color"], "red")
    ctx.update_state([{"type": "append-text", "path": ["filters", "color"], "value": "dish"}])
    assert ctx.state == {"sum": "1.50", "filters": {"size": "m", "color": "reddish"}}


async def test_state_is_not_written_from_an_event_loop() -> None:
    written: list[Any] = []

    async def write(operations: list[Any]) -> Any:
        written.extend(operations)
        return {"a": 1}

    ctx = RunContext(awrite_state=write)
    with pytest.raises(RuntimeError, match=r"write `await ctx.aset_state"):
        ctx.set_state("a", 1)
    await ctx.aset_state("a", 1)
    assert (written, ctx.state) == ([{"type": "set", "path": ["a"], "value": 1}], {"a": 1})


def test_hooks_are_not_shown() -> None:
    assert "load_user" not in repr(RunContext(load_user=Loads()))
