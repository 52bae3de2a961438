"""What we stream, read by the real decoders, is what is stored: over runs of many kinds."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import Any

import pytest

from agentui.core.events import DataPart, FilePart, PartFinish, PartStart, SourcePart, UpdateState
from agentui.models import Message
from agentui.protocols.assistant_transport import views as transport
from agentui.protocols.assistant_transport.plan import current_state
from agentui.protocols.data_stream.views import lines
from agentui.protocols.plan import Plan
from agentui.protocols.ui_message_stream.plan import history
from agentui.protocols.ui_message_stream.views import frames
from agentui.runtime.database import in_database
from agentui.testing import Call, Event, Fail, Finish, Say, Think, settled
from tests.clients_ai import install, run_script
from tests.story import send

from .test_use_chat import plain

pytestmark = pytest.mark.django_db(transaction=True)


def whole(part: Any) -> list[Event]:
    return [Event(PartStart(part)), Event(PartFinish((0,)))]


def update(kind: str, path: list[str], value: Any) -> Event:
    return Event(UpdateState(({"type": kind, "path": path, "value": value},)))


RUNS: dict[str, list[list[Any]]] = {
    "text": [[Say("Hello, world.")]],
    "nothing": [[]],
    "emoji": [[Say(("🙂 ", "a\u0301 ", "\u202e right to left", " 😀"))]],
    "lines": [[Say("one\ntwo\r\n\nthree\u2028four\u2029 five")]],
    "json in text": [[Say('data: {"a": 1}\n\n0:"x"\n')]],
    "reasoning": [[Think("Hm."), Say("So."), Think("And then."), Say("Yes.")]],
    "calls": [[Call("add", {"a": 1, "b": 2}), Call("add", {"a": 3, "b": 4})], [Say("3 and 7.")]],
    "text after a call": [[Say("First"), Call("add", {"a": 1, "b": 2}), Say("then")], [Say("end")]],
    "no arguments": [[Call("break_down", "")], [Say("Broken.")]],
    "null result": [[Call("echo", {"value": None})], [Say("Nothing.")]],
    "false result": [[Call("echo", {"value": False})], [Say("No.")]],
    "nested result": [[Call("echo", {"value": {"a": [1, {"b": "ü"}]}})], [Say("Deep.")]],
    "broken arguments": [[Call("add", '{"a": 1, "b"')], [Say("Sorry.")]],
    "wrong arguments": [[Call("add", {"a": "one", "b": 2})], [Say("Sorry.")]],
    "unknown tool": [[Call("fly", {"to": "Oslo"})], [Say("I cannot.")]],
    "waits": [[Say("Wait."), Call("needs_the_user", {"name": "x"}), Call("add", {"a": 1, "b": 1})]],
    "asks": [[Call("ask", {"question": "Which?"})]],
    "asks and waits": [[Call("ask", {"question": "Which?"}), Call("needs_staff", {"name": "x"})]],
    "model error": [[Say("So far"), Fail("The model is away.")]],
    "cut": [[Say("So far and no"), Finish("length")]],
    "filtered": [[Say("I"), Finish("content_filter")]],
    "cut in a call": [[Call("add", '{"a": 1', is_whole=False), Finish("length")]],
    "too many": [[Call("add", {"a": n, "b": 1})] for n in range(6)],
    "source": [whole(SourcePart("s1", url="https://example.com/a", title="A")), [Say("x")]],
    "document": [whole(SourcePart("s2", source_type="document", title="B", media_type="text/plain"))],
    "file": [whole(FilePart("aGVsbG8=", "text/plain", filename="a.txt"))],
    "data": [whole(DataPart("chart", {"x": [1, 2]}))],
    "state": [[update("set", ["a"], "x"), Say("One"), update("append-text", ["a"], "y")], [Say("2")]],
    "state that does not fit": [[update("append-text", ["b"], "y"), update("set", [], 7), Say("x")]],
}  # fmt: skip


async def text_of(stream: Any) -> str:
    async with aclosing(stream) as pieces:
        return "".join([piece async for piece in pieces])


async def played(user: Any, script: Any, name: str, roundtrips: list[list[Any]]) -> dict[str, Any]:
    script(*roundtrips)
    sent = await send(user, name)
    run = await settled(sent.run)
    plan = Plan("tester", run.thread_id, run.pk)
    chat = str(run.thread_id)
    parts = await in_database(Message.objects.values_list("parts", flat=True).get, run=run)
    return {
        "ui": await text_of(frames(plan, user)),
        "data": await text_of(lines(plan, user, with_approvals=True)),
        "transport": await text_of(transport._frames(plan, user, with_parts=True)),
        "stored": (await in_database(history, user, "tester", chat))["messages"][-1],
        "state": (await in_database(current_state, user, "tester", chat))["messages"][-1],
        "parts": parts,
        "status": run.status,
    }


@pytest.fixture
async def streams(user: Any, script: Any, running: None) -> dict[str, dict[str, Any]]:
    install()
    runs = {name: await played(user, script, name, steps) for name, steps in RUNS.items()}
    keys = ("ui", "data", "transport")
    given = [{key: run[key] for key in keys} for run in runs.values()]
    for run, read in zip(runs.values(), run_script("decode", given), strict=True):
        run["read"] = read
    return runs


async def test_every_run_reads_as_it_is_stored(streams):
    assert len(streams) == len(RUNS)
    for name, run in streams.items():
        check_ui(name, run)
        check_data_stream(name, run)
        check_state(name, run)
        check_frames(name, run)


def check_ui(name: str, run: dict[str, Any]) -> None:
    """The AI SDK makes the message that a page reads back; each chunk is in its schema."""
    read = run["read"]["ui"]
    failed = run["stored"]["metadata"]["status"]["reason"] == "error"
    assert read["problem"] == ("The model is away." if failed else None), name
    made = read["message"]
    # An empty step stands for "the client need not go on"; it is no part of what is stored.
    while made["parts"] and len(made["parts"]) > len(run["stored"]["parts"]):
        assert made["parts"].pop() == {"type": "step-start"}, name
    assert plain(made) == plain(run["stored"]), name


def check_data_stream(name: str, run: dict[str, Any]) -> None:
    """A strict decoder takes every line; words, calls and outcomes are those of the state."""
    read = run["read"]["data"]
    assert words(read["parts"]) == words(run["state"]["content"]), name
    assert outcomes(read["parts"]) == outcomes(run["state"]["content"]), name
    waiting = run["status"] == "requires_action"
    assert (read["status"]["type"] == "requires-action") == waiting, name


def check_state(name: str, run: dict[str, Any]) -> None:
    """The operations end in the state that a page begins with."""
    state = run["read"]["transport"]["metadata"]["unstable_state"]
    assert state["messages"][-1] == run["state"], name
    assert state["isRunning"] is False
    parts = run["read"]["transport"]["parts"]
    assert words(parts) == words(run["state"]["content"]), name
    assert outcomes(parts) == outcomes(run["state"]["content"]), name


def check_frames(name: str, run: dict[str, Any]) -> None:
    """One line is one unit, whatever the words hold; nothing of the provider's or for the model."""
    for key in ("ui", "transport"):
        frames = run[key].split("\n\n")
        assert all(frame == "" or frame.startswith(("data: ", ":")) for frame in frames), name
        assert frames[-2] == "data: [DONE]"
    assert all(":" in line for line in run["data"].splitlines() if line.strip()), name
    assert "model_content" not in json.dumps(run), name


def words(parts: list[dict[str, Any]]) -> str:
    """Neighbouring texts merge on the data stream."""
    return "".join(part["text"] for part in parts if part["type"] in ("text", "reasoning"))


def outcomes(parts: list[dict[str, Any]]) -> list[Any]:
    return [
        # Of arguments that are no JSON each reader makes what it can.
        (part["toolCallId"], part.get("isError") or part["args"], part.get("result"))
        for part in parts
        if part["type"] == "tool-call"
    ]
