"""How long an event takes from the feed to the client, for each protocol; and what encoding costs.

    python bench/protocols.py                        SQLite
    AGENTUI_TEST_DATABASE=postgres python bench/protocols.py

A model streams words. For each word two moments are taken: when the feed of the request has it, and
when the body of the response has it. The request goes through Django (views, throttles, decoding), not
through a server. The second figure is the CPU that an encoder needs for a delta, decoding by the feed
not included.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

from asgiref.sync import sync_to_async  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.db import connection, connections  # noqa: E402
from django.test import AsyncClient  # noqa: E402
from django.test.utils import setup_databases, teardown_databases  # noqa: E402

from agentui.agents import registry  # noqa: E402
from agentui.core.events import PartStart, StepStart, TextDelta  # noqa: E402
from agentui.core.parts import TextPart  # noqa: E402
from agentui.protocols import following  # noqa: E402
from agentui.protocols import items as it  # noqa: E402
from agentui.protocols.ag_ui.encoder import RunEncoder  # noqa: E402
from agentui.protocols.ag_ui.wire import written  # noqa: E402
from agentui.protocols.assistant_transport.chunks import update_state  # noqa: E402
from agentui.protocols.assistant_transport.encoder import StateEncoder  # noqa: E402
from agentui.protocols.data_stream.encoder import DataStreamEncoder  # noqa: E402
from agentui.protocols.openai_chat.completion import Completion  # noqa: E402
from agentui.protocols.openai_chat.encoder import ChatEncoder  # noqa: E402
from agentui.protocols.plain_text.encoder import PlainTextEncoder  # noqa: E402
from agentui.protocols.ui_message_stream.encoder import UIMessageEncoder  # noqa: E402
from agentui.protocols.wire import sse  # noqa: E402
from agentui.runtime.database import in_database  # noqa: E402
from agentui.runtime.feed import Feed  # noqa: E402
from agentui.testing import Say, ScriptedAdapter, Wait, runtime  # noqa: E402
from tests.agents import tester  # noqa: E402
from tests.protocols.bodies import requests  # noqa: E402

RUNS, WORDS = 20, 30
DELTAS = 20_000

_MARK = re.compile(r"<(\d+)>")


class TimedFeed(Feed):
    """Notes when each word was first here."""

    seen: dict[str, float]

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        async for frame in super().__aiter__():
            note(type(self).seen, json.dumps(frame, default=str))
            yield frame


def note(seen: dict[str, float], text: str) -> None:
    now = time.perf_counter()
    for mark in _MARK.findall(text):
        seen.setdefault(mark, now)


def timed_read(*args: Any) -> Any:
    """What was streamed before the feed began comes with the first rows."""
    rows = read_rows(*args)
    note(TimedFeed.seen, json.dumps(rows, default=str))
    return rows


read_rows = following._read


async def follow(client: AsyncClient, path: str, body: dict[str, Any]) -> list[float]:
    """For each word how long it took from the feed to the body, in milliseconds."""
    TimedFeed.seen = {}
    out: dict[str, float] = {}
    answer = await client.post(path, json.dumps(body), content_type="application/json")
    assert answer.status_code == 200, answer.content
    async for piece in answer.streaming_content:
        note(out, piece.decode())
    assert len(out) == WORDS, (path, sorted(out))
    return [(out[mark] - TimedFeed.seen[mark]) * 1000 for mark in map(str, range(WORDS))]


def encoders() -> dict[str, tuple[Any, Callable[[Any], Iterable[str]]]]:
    ag_ui = RunEncoder(answered=frozenset(), cursor=None, is_modern=True)
    ui, data, plain, state = (
        UIMessageEncoder(), DataStreamEncoder(), PlainTextEncoder(), StateEncoder(0),
    )  # fmt: skip
    chat, whole = ChatEncoder(set(), parts=0, is_replay=False), Completion("tester", 0)
    return {
        "ag-ui, copilotkit": (ag_ui, lambda item: map(written, ag_ui.events(item))),
        "ai-sdk": (ui, lambda item: map(sse, ui.encode(item))),
        "data-stream": (data, data.encode),
        "plain-text": (plain, plain.encode),
        "transport-sse": (state, lambda item: [sse(update_state(list(state.encode(item))))]),
        "openai": (chat, lambda item: [whole.chunk(chat, delta) for delta in chat.encode(item)]),
    }


def encode_cost(encode: Callable[[Any], Iterable[str]]) -> float:
    """Microseconds of CPU for each delta."""
    thread = {"id": "t", "state": None}
    message = {"id": "m", "parts": [], "metadata": {}, "status": {}, "model": ""}
    run = {"id": "r", "thread": "t", "agent": "tester", "status": "running", "usage": {}}
    started = it.Started(thread, run, message, (), ())
    for item in (started, StepStart(), PartStart(TextPart(""))):
        try:
            list(encode(item))
        except KeyError:
            assert item is started  # Rows of a real run have more fields than a delta needs.
    began = time.process_time()
    for number in range(DELTAS):
        "".join(encode(TextDelta((0,), f"word{number} ")))
    return (time.process_time() - began) / DELTAS * 1e6


async def main() -> None:
    user = await in_database(get_user_model().objects.create_user, "bench")
    client = AsyncClient()
    await client.aforce_login(user)
    following.Feed, following._read = TimedFeed, timed_read  # type: ignore[misc]
    script = [step for n in range(WORDS) for step in (Say((f"<{n}> ",)), Wait(0.005))]
    print(f"{connection.vendor}: from the feed to the body, {RUNS} runs of {WORDS} words")
    async with runtime():
        for name in requests(""):
            firsts, rest = [], []
            for number in range(RUNS):
                registry.get(tester.name).model = ScriptedAdapter([script])
                path, body = requests(f"Go {name} {number}", tester.name)[name]
                first, *others = await follow(client, path, body)
                firsts.append(first)
                rest += others
            print(
                f"  {name:14} first word: median {statistics.median(firsts):5.2f} ms, "
                f"worst {max(firsts):5.2f} ms; all others: median {statistics.median(rest):5.2f} ms, "
                f"99 of 100 within {statistics.quantiles(rest, n=100)[98]:5.2f} ms"
            )
    print(f"encoding: CPU for each of {DELTAS:,} deltas")
    for name, (_, encode) in encoders().items():
        print(f"  {name:18} {encode_cost(encode):5.1f} us")
    await asyncio.to_thread(connections.close_all)
    # Django's test client reads its session in a thread of asgiref's.
    await sync_to_async(connections.close_all)()


if __name__ == "__main__":
    no_limit = {"read": None, "write": None, "send": None}
    settings.AGENTUI = {**getattr(settings, "AGENTUI", {}), "API_RATES": no_limit}
    config = setup_databases(verbosity=0, interactive=False)
    try:
        asyncio.run(main())
    finally:
        teardown_databases(config, verbosity=0)
