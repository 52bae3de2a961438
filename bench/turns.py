"""What a turn costs in a thread of 0, 50, 200 and 500 turns: statements, time, CPU; and what that means
for a day's planning.

    python bench/turns.py                            SQLite
    AGENTUI_TEST_DATABASE=postgres python bench/turns.py

A turn is a question, two roundtrips of an offline model with a tool call between them, and an answer
of 200 tokens. The database is made for the purpose and dropped.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.db import connection, connections  # noqa: E402
from django.test.utils import setup_databases, teardown_databases  # noqa: E402

from agentui import actions  # noqa: E402
from agentui.agents import registry  # noqa: E402
from agentui.models import Run  # noqa: E402
from agentui.runtime.database import in_database  # noqa: E402
from agentui.testing import Call, Say, ScriptedAdapter, runtime, settled  # noqa: E402
from tests.runtime.test_cost import make_thread  # noqa: E402

REPEAT = 20
ANSWER = tuple(f"token{n} " for n in range(200))

statements: Counter[str] = Counter()


def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
    statements[sql.split()[0]] += 1
    return execute(sql, params, many, context)


def count_statements() -> None:
    kind = type(connections[connection.alias])
    make_cursor = kind.make_cursor

    def counted(wrapper: Any, cursor: Any) -> Any:
        if note not in wrapper.execute_wrappers:
            wrapper.execute_wrappers.append(note)
        return make_cursor(wrapper, cursor)

    kind.make_cursor = counted


async def measure(user: Any, turns: int) -> dict[str, float]:
    thread = await in_database(make_thread, user, turns)
    await one(user, thread)
    statements.clear()
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(REPEAT):
        await one(user, thread)
    return {
        "ms": (time.perf_counter() - wall) / REPEAT * 1000,
        "cpu_ms": (time.process_time() - cpu) / REPEAT * 1000,
        "statements": statements.total() / REPEAT,
    }


async def one(user: Any, thread: Any) -> None:
    registry.get("tester").model = ScriptedAdapter(
        [[Say("Let me see."), Call("add_async", {"a": 1, "b": 2})], [Say(ANSWER)]]
    )
    sent = await in_database(
        actions.send_message, user, thread_id=thread.pk, parts=[{"type": "text", "text": "And?"}]
    )
    assert (await settled(sent.run)).status == "complete"


async def main() -> None:
    user = await in_database(get_user_model().objects.create_user, "bench")
    print(f"{connection.vendor}: per turn (mean of {REPEAT}; looking for the end included)")
    async with runtime():
        first = None
        for turns in (0, 50, 200, 500):
            figures = await measure(user, turns)
            first = first or figures
            print(
                f"  {turns:4} turns before: {figures['statements']:5.1f} statements, "
                f"{figures['ms']:6.1f} ms, {figures['cpu_ms']:5.1f} ms CPU, "
                f"ratio {figures['cpu_ms'] / first['cpu_ms']:.2f}"
            )
        per_run = figures["cpu_ms"] / 1000
        for runs in (10_000, 1_000_000):
            print(
                f"  {runs:,} runs a day: {runs * per_run / 3600:,.1f} CPU hours, "
                f"{runs * per_run / 86400:.2f} cores on average, "
                f"{runs * figures['statements'] / 86400:,.0f} statements a second"
            )
    assert await asyncio.to_thread(Run.objects.exclude(status="complete").count) == 0
    await asyncio.to_thread(connections.close_all)


if __name__ == "__main__":
    count_statements()
    config = setup_databases(verbosity=0, interactive=False)
    try:
        asyncio.run(main())
    finally:
        teardown_databases(config, verbosity=0)
