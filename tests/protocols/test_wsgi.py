"""Under WSGI a stream would be collected whole before it is sent, so it is refused before anything
is done; everything else works there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from agentui import actions
from agentui.models import Thread

pytestmark = pytest.mark.django_db(transaction=True)

P = "/agentui/protocols"
SAID = {"id": "1", "role": "user", "content": "Go"}
PARTS = {"id": "1", "role": "user", "parts": [{"type": "text", "text": "Go"}]}
AG_UI = {"threadId": "t", "runId": "r", "messages": [SAID]}
ADD = {"type": "add-message", "message": {"role": "user", "parts": PARTS["parts"]}}

STREAMS: list[tuple[str, dict[str, Any] | None]] = [
    (f"{P}/ag-ui/tester", AG_UI),
    (f"{P}/ag-ui/tester/connect", AG_UI),
    (f"{P}/copilotkit/agent/tester/run", AG_UI),
    (f"{P}/copilotkit/agent/tester/connect", AG_UI),
    (f"{P}/copilotkit", {"method": "agent/run", "params": {"agentId": "tester"}, "body": AG_UI}),
    (f"{P}/ai-sdk/tester/chat", {"id": "c", "messages": [PARTS]}),
    (f"{P}/ai-sdk/tester/chat/c/stream", None),
    (
        f"{P}/data-stream/tester/run",
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Go"}]}]},
    ),
    (f"{P}/assistant-transport/tester/run", {"commands": [ADD], "threadId": "t"}),
    (f"{P}/assistant-transport/tester/resume", {"runId": "x"}),
    (f"{P}/plain-text/tester/chat", {"id": "c", "messages": [PARTS]}),
    (f"{P}/openai/v1/chat/completions", {"model": "tester", "messages": [SAID], "stream": True}),
]


@pytest.fixture
def page(user: Any, settings: Any) -> Client:
    settings.ROOT_URLCONF = "tests.protocols.urls"
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize(("path", "body"), STREAMS)
def test_a_stream_is_refused_in_clear_words_and_nothing_is_done(page, path, body):
    if body is None:
        answer = page.get(path)
    else:
        answer = page.post(path, json.dumps(body), content_type="application/json")
    assert answer.status_code == 501
    found = answer.json()
    said = found.get("error", found)
    assert said["code"] == "needs_asgi"
    assert "ASGI server, for example daphne or uvicorn" in said["message"]
    assert not Thread.objects.exists()


def test_what_is_no_stream_is_answered(page, user):
    actions.create_thread(user, agent="tester")
    for path in (
        "ai-sdk/tester/chat/c/messages",
        "assistant-transport/tester/c/state",
        "assistant-cloud/tester/v1/threads",
        "copilotkit/info",
        "copilotkit/threads",
        "openai/v1/models",
    ):
        answer = page.get(f"{P}/{path}")
        assert answer.status_code in (200, 404), path
        assert answer["Content-Type"] == "application/json"
    assert page.get(f"{P}/copilotkit/info").json()["agents"]["tester"]
