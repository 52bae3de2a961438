"""Bodies that no honest client sends: each is answered with a refusal of its own, or does no harm."""

from __future__ import annotations

import base64
import json
import uuid
from typing import Any

import pytest
from django.test import Client

from agentui import actions
from agentui.actions.attachments import clean_name
from agentui.models import Thread
from agentui.protocols.placing import answer_to_regenerate, place
from agentui.protocols.taking import CallAnswer, GivenDecision, Taken, carry_out
from agentui.protocols.tokens import make_token
from agentui.runtime.database import in_database
from agentui.testing import Say
from tests.protocols.ai.requests import CHAT, CLOUD, TRANSPORT, page_of, post, user_message
from tests.protocols.bodies import P
from tests.story import send

pytestmark = pytest.mark.django_db(transaction=True)

AG_UI = f"{P}/ag-ui/tester"
OPENAI = f"{P}/openai/v1/chat/completions"
NO_ADDRESS = "http://[x"


def chat(*messages: Any) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "messages": list(messages)}


def said_to_ag_ui(*messages: Any) -> dict[str, Any]:
    return {"threadId": str(uuid.uuid4()), "runId": "r", "messages": list(messages)}


async def test_half_a_pair_in_an_id_is_cleaned(user, script, running):
    script([Say("Hi")])
    page = await page_of(user)
    status, text = await post(page, CHAT, chat(user_message("Hello", "a\ud800b")))
    assert (status, "Hi" in text) == (200, True)


FILE = {"type": "file", "url": NO_ADDRESS, "mediaType": "image/png"}
IMAGE = {"type": "image_url", "image_url": {"url": NO_ADDRESS}}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (CHAT, chat({"id": "1", "role": "user", "parts": [FILE]})),
        (OPENAI, {"model": "tester", "messages": [{"role": "user", "content": [IMAGE]}]}),
        (AG_UI, said_to_ag_ui({"id": "1", "role": "user", "content": [{"type": "image"}]})),
        (CHAT, '{"id": "c", "messages": [], "metadata": {"a": 1e400}}'),
        (CHAT, '{"id": "c", "messages": ' + "[" * 5000 + "]" * 5000 + "}"),
    ],
)
async def test_what_is_no_address_and_no_json_is_invalid(user, running, path, body):
    page = await page_of(user)
    text = body if isinstance(body, str) else json.dumps(body)
    answer = await page.post(path, text, content_type="application/json")
    assert (answer.status_code, "invalid" in answer.content.decode()) == (400, True)
    assert await in_database(Thread.objects.count) == 0


@pytest.mark.parametrize("calls", [-1, 1.5, "x", {"id": 1}, [None, 3]])
async def test_calls_of_no_form_are_passed_over(user, script, running, calls):
    script([Say("Hi")])
    page = await page_of(user)
    shown = {"id": "m", "role": "assistant", "toolCalls": calls}
    body = said_to_ag_ui(shown, {"id": "u", "role": "user", "content": "Hello"})
    status, text = await post(page, AG_UI, body)
    assert (status, "Hi" in text) == (200, True)


@pytest.mark.parametrize(
    ("metadata", "status", "code"),
    [
        ({"a": json.loads("[" * 300 + "]" * 300)}, 400, "invalid"),
        ({"a": "x" * 100_000}, 413, "too_large"),
        (["a"], 400, "invalid"),
    ],
)
async def test_metadata_of_a_thread_has_a_depth_and_a_size(user, metadata, status, code):
    page = await page_of(user)
    thread = await in_database(actions.create_thread, user, agent="tester")
    path = f"{CLOUD}/threads/{thread.pk}"
    answer = await page.put(
        path, json.dumps({"metadata": metadata}), content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    await in_database(thread.refresh_from_db)
    assert "page" not in thread.metadata


async def test_a_token_makes_no_other_token(user):
    """Otherwise one that was stolen, or whose session is over, could be renewed for ever."""
    token, _ = await in_database(make_token, user)
    page = await page_of(user)
    path = f"{CLOUD}/auth/tokens"
    status, text = await post(page, path, {}, Authorization=f"Bearer {token}")
    assert (status, json.loads(text)["code"]) == (403, "not_permitted")
    status, text = await post(page, path, {})
    assert (status, "token" in json.loads(text)) == (200, True)


async def test_each_message_of_one_request_counts(user, script, running, settings):
    settings.AGENTUI = {**settings.AGENTUI, "API_RATES": {"send": "3/min"}}
    script(*[[Say("Hi")]] * 10)
    page = await page_of(user)
    parts = [{"type": "text", "text": "x"}]
    command = {"type": "add-message", "message": {"role": "user", "parts": parts}}
    thread = await in_database(actions.create_thread, user, agent="tester")
    body = {"threadId": str(thread.pk), "commands": [command] * 10}
    status, text = await post(page, TRANSPORT, body)
    assert (status, json.loads(text)["code"]) == (429, "throttled")
    assert await in_database(Thread.objects.count) == 1
    assert await in_database(thread.messages.filter(role="user").count) == 3


async def test_a_long_name_of_a_file_is_cut(user, script, running):
    """Looked for with an expression, the last slash of such a name took minutes, for everybody."""
    script([Say("Hi")])
    page = await page_of(user)
    name = "x" * 3_000_000
    file = {"type": "file", "url": "data:text/plain,hello", "filename": name}
    status, _ = await post(page, CHAT, chat({"id": "1", "role": "user", "parts": [file]}))
    assert status == 200
    assert clean_name("a/b\\" + name) == "x" * 200
    assert (clean_name("..\\..\\e.txt"), clean_name("/etc/")) == ("e.txt", "")


def _made_up(number: int) -> Taken:
    return Taken(
        answers=tuple(CallAnswer(str(uuid.uuid4()), "x") for _ in range(number)),
        decisions=tuple(GivenDecision(str(uuid.uuid4()), True) for _ in range(number)),
    )


def test_made_up_ids_are_not_looked_for_one_by_one(user, django_assert_max_num_queries):
    thread = actions.create_thread(user, agent="tester")
    with django_assert_max_num_queries(2):
        carried = carry_out(user, thread, _made_up(5000), door="test")
    assert (carried.run, carried.refusals) == (None, [])


async def test_only_the_last_of_many_messages_are_looked_for(
    user, script, running, django_assert_max_num_queries
):
    script([Say("Hi")])
    sent = await send(user)
    shown = [("user", f"made up {n}") for n in range(5000)]

    def look() -> None:
        thread = Thread.objects.get(pk=sent.thread.pk)
        with django_assert_max_num_queries(210):
            assert place(thread, shown) == {}
        with django_assert_max_num_queries(210):
            answer_to_regenerate(thread, None, [id for _, id in shown])

    await in_database(look)


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_made_up_cursor_is_invalid(user, at):
    client = Client()
    client.force_login(user)
    pk = str(uuid.uuid4())
    for path, place_ in (
        (f"{P}/copilotkit/threads", json.dumps([at, pk])),
        (f"{P}/copilotkit/threads", json.dumps([at, "x"])),
        (f"{P}/copilotkit/threads", json.dumps(["2026-01-01T00:00:00", pk])),
        ("/agentui/api/threads/", f"{at}|{pk}"),
    ):
        cursor = base64.urlsafe_b64encode(place_.encode()).decode()
        answer = client.get(path, {"cursor": cursor})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    answer = client.get(f"{P}/copilotkit/threads", {"limit": "9" * 5000})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
