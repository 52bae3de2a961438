"""The routes of a CopilotRuntime. What runs say is tested with AG-UI; real clients in tests/clients."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from django.test import AsyncClient

from agentui import Agent, __version__
from agentui.adapters import ScriptedAdapter
from agentui.agents import registry
from agentui.models import Message, Thread, ToolCall
from agentui.runtime.database import in_database
from agentui.testing import Call, Gate, Say
from tests.agents import tester
from tests.protocols.ag_ui.client import Client
from tests.protocols.ag_ui.test_approvals import yes
from tests.protocols.ag_ui.test_trust import FORGED

from .conftest import BASE

pytestmark = pytest.mark.django_db(transaction=True)


async def post(http: AsyncClient, path: str, data: Any = None) -> Any:
    return await http.post(BASE + path, json.dumps(data or {}), content_type="application/json")


async def test_info(http):
    for answer in (await http.get(f"{BASE}/info"), await post(http, "", {"method": "info"})):
        info = answer.json()
        assert (info["version"], info["mode"]) == (__version__, "sse")
        described = info["agents"]["tester"]
        assert described["capabilities"]["humanInTheLoop"]["approvals"] is True
        assert info["threadEndpoints"]["list"] is True
    assert (await AsyncClient().get(f"{BASE}/info")).status_code == 401


async def test_the_only_agent_is_the_default_one(http):
    others = [agent for agent in registry.all() if agent is not tester]
    with registry.temporary():
        for agent in others:
            registry.unregister(agent)
        info = (await http.get(f"{BASE}/info")).json()
        assert info["agents"]["default"]["name"] == "tester"


async def test_run_connect_and_both_forms(copilot, http, script, running):
    script([Say("one")], [Say("two")])
    [event async for event in run(copilot, "hello")]
    assert copilot.texts == ["one"]
    again = Client(http, is_modern=False)
    again.url, again.thread = copilot.url, copilot.thread
    [event async for event in again.events("/connect")]
    assert again.texts == ["one"]
    body = {**again.input(), "messages": [{"id": "2", "role": "user", "content": "more"}]}
    envelope = {"method": "agent/run", "params": {"agentId": "tester"}, "body": body}
    answer = await post(http, "", envelope)
    text = "".join([chunk.decode() async for chunk in answer.streaming_content])
    assert "two" in text
    envelope = {"method": "agent/connect", "params": {"agentId": "tester"}, "body": body}
    answer = await post(http, "/", envelope)
    assert "two" in "".join([chunk.decode() async for chunk in answer.streaming_content])


def run(page: Client, text: str | None = None, **fields: Any) -> Any:
    if text is not None:
        page.say(text)
    return page.events("/run", **fields)


async def test_connect_brings_an_interrupt_back(copilot, http, script, running):
    script([Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    [event async for event in run(copilot, "go")]
    again = Client(http, is_modern=False)
    again.url, again.thread = copilot.url, copilot.thread
    [event async for event in again.events("/connect")]
    assert again.interrupts == copilot.interrupts
    assert "expiresAt" not in again.interrupts[0]
    [event async for event in run(again, resume=[yes(again.interrupts[0])])]
    assert again.texts == ["Done."]


async def test_connecting_to_what_does_not_exist_shows_nothing(copilot, running):
    events = [event["type"] async for event in copilot.events("/connect")]
    assert events == ["RUN_STARTED", "RUN_FINISHED"]
    assert await in_database(Thread.objects.count) == 0


async def test_stop(copilot, http, script, running):
    gate = Gate()
    script([Say("a")], [Say("b"), gate])
    [event async for event in run(copilot, "go", runId="first")]

    async def second() -> list[Any]:
        return [event async for event in run(copilot, "more", runId="second")]

    task = asyncio.create_task(second())
    await gate.reached()
    path = f"/agent/tester/stop/{copilot.thread}"
    assert (await post(http, path, {"runId": "first"})).json()["stopped"] is False
    answer = (await post(http, path, {"runId": "second"})).json()
    assert answer["stopped"] is True
    assert answer["interrupt"]["code"] == "STOPPED"
    last = (await task)[-1]
    assert (last["type"], last["code"]) == ("RUN_ERROR", "abort")
    envelope = {
        "method": "agent/stop",
        "params": {"agentId": "tester", "threadId": copilot.thread},
    }
    assert (await post(http, "", envelope)).json()["stopped"] is False


async def test_threads(copilot, http, other_user, script, running):
    script(*([Say(f"answer {n}")] for n in range(3)))
    for n in range(3):
        copilot.thread, copilot.messages = f"mine-{n}", []
        [event async for event in run(copilot, f"question {n}")]
    first = (await http.get(f"{BASE}/threads", {"agentId": "tester", "limit": 2})).json()
    assert [thread["id"] for thread in first["threads"]] == ["mine-2", "mine-1"]
    assert first["threads"][0]["name"] == "question 2"
    rest = (
        await http.get(f"{BASE}/threads", {"agentId": "tester", "cursor": first["nextCursor"]})
    ).json()
    assert [thread["id"] for thread in rest["threads"]] == ["mine-0"]
    assert rest["nextCursor"] is None

    changed = await http.patch(
        f"{BASE}/threads/mine-0", json.dumps({"name": "New"}), content_type="application/json"
    )
    assert changed.json()["thread"]["name"] == "New"
    await post(http, "/threads/mine-0/archive")
    shown = (await http.get(f"{BASE}/threads")).json()["threads"]
    assert [thread["id"] for thread in shown] == ["mine-2", "mine-1"]
    every = (await http.get(f"{BASE}/threads", {"includeArchived": "true"})).json()["threads"]
    assert len(every) == 3

    inside = (await http.get(f"{BASE}/threads/mine-1/messages")).json()["messages"]
    assert [message["content"] for message in inside] == ["question 1", "answer 1"]
    assert (await http.get(f"{BASE}/threads/mine-1/state")).json() == {"state": None}
    assert (await http.get(f"{BASE}/threads/mine-1/events")).json() == {"events": []}

    stranger = AsyncClient()
    await stranger.aforce_login(other_user)
    assert (await stranger.get(f"{BASE}/threads")).json()["threads"] == []
    for path in ("messages", "state", "events"):
        assert (await stranger.get(f"{BASE}/threads/mine-1/{path}")).status_code == 404
    assert (await stranger.delete(f"{BASE}/threads/mine-1")).status_code == 404
    assert (await http.delete(f"{BASE}/threads/mine-1")).status_code == 200
    assert await in_database(Thread.objects.count) == 2


@pytest.mark.parametrize("query", [{"limit": "many"}, {"limit": "0"}, {"cursor": "???"}])
async def test_a_list_that_cannot_be(http, query):
    assert (await http.get(f"{BASE}/threads", query)).status_code == 400


@pytest.mark.parametrize(
    "envelope", [{}, {"method": "transcribe"}, {"method": "info", "params": 7}, {"method": ["x"]}]
)
async def test_an_envelope_that_says_nothing(http, envelope):
    assert (await post(http, "", envelope)).status_code == 400


@pytest.mark.parametrize("form", ["run", "connect", "single"])
async def test_nothing_of_a_forged_history_is_taken(copilot, http, script, running, form):
    adapter = script(*([Say("ok")] for _ in FORGED))
    for number, forged in enumerate(FORGED.values()):
        said = {"id": f"u{number}", "role": "user", "content": "go"}
        body = {**copilot.input(), "threadId": f"t{number}", "messages": [*forged, said]}
        if form == "single":
            envelope = {"method": "agent/run", "params": {"agentId": "tester"}, "body": body}
            answer = await post(http, "", envelope)
        else:
            answer = await post(http, f"/agent/tester/{form}", body)
        assert answer.status_code == 200
        _ = [piece async for piece in answer.streaming_content]
    roles = await in_database(lambda: list(Message.objects.values_list("role", flat=True)))
    runs = 0 if form == "connect" else len(FORGED)
    assert (roles.count("user"), roles.count("assistant"), len(roles)) == (runs, runs, 2 * runs)
    assert "admin" not in str([request.messages for request in adapter.requests])
    assert await in_database(ToolCall.objects.count) == 0


async def test_suggestions_begin_no_thread(http, running):
    suggester = Agent("suggester", model=ScriptedAdapter([]), suggestions=["What is new?"])
    choice = {"type": "function", "function": {"name": "copilotkitSuggest"}}
    try:
        for path in ("/agent/suggester/suggest", "/agent/suggester/run"):
            page = Client(http, is_modern=False)
            page.url = BASE + path
            page.say("Suggest what the user could say next.")
            [e async for e in page.events(forwardedProps={"toolChoice": choice})]
            [call] = page.messages[-1]["toolCalls"]
            assert json.loads(call["function"]["arguments"]) == {
                "suggestions": [{"title": "What is new?", "message": "What is new?"}]
            }
    finally:
        registry.unregister(suggester)
    assert await in_database(Thread.objects.count) == 0


async def test_an_agent_that_is_not_there(http, running):
    for path in ("run", "connect", "suggest"):
        body = Client(http).input(messages=[{"id": "1", "role": "user", "content": "x"}])
        assert (await post(http, f"/agent/nobody/{path}", body)).status_code == 404
    assert (await post(http, "/agent/nobody/stop/x")).status_code == 404
