"""Requests that are odd, repeated, early, late or not allowed."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import pytest
from django.test import AsyncClient
from django.test.utils import override_settings

from agentui import actions
from agentui.models import Approval, Message, Run, Thread
from agentui.protocols.tokens import make_token
from agentui.runtime.database import in_database
from agentui.testing import Call, Gate, Say, approve, settled
from tests.agents import tester
from tests.models import Effect
from tests.story import send

from .requests import (
    CHAT,
    CLOUD,
    DATA,
    PLAIN,
    TRANSPORT,
    chunks_of,
    page_of,
    post,
    said,
    shown,
    user_message,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("site_urls")]

COMMAND = {
    "type": "add-message",
    "message": {"role": "user", "parts": [{"type": "text", "text": "x"}]},
}
BODIES: dict[str, Any] = {
    CHAT: said("x"),
    PLAIN: said("x"),
    DATA: {
        "threadId": "c",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}],
    },
    TRANSPORT: {"threadId": "c", "commands": [COMMAND]},
    f"{CLOUD}/threads": {"last_message_at": "2026-01-01T00:00:00.000Z"},
    f"{CLOUD}/auth/tokens": {},
    f"{CLOUD}/files/attachments/generate-presigned-upload-url": {"filename": "x"},
}


# Who may ask


@pytest.mark.parametrize("path", BODIES)
async def test_nobody_is_sent_away(db, path):
    status, text = await post(AsyncClient(), path, BODIES[path])
    assert (status, json.loads(text)["code"]) == (401, "not_signed_in")


@pytest.mark.parametrize("path", BODIES)
async def test_a_session_alone_is_not_enough(user, path):
    page = AsyncClient(enforce_csrf_checks=True)
    await in_database(page.force_login, user)
    status, text = await post(page, path, BODIES[path])
    assert (status, json.loads(text)["code"]) == (403, "not_permitted")
    assert await in_database(Thread.objects.count) == 0


async def test_a_token_is_enough_and_ends_with_its_time_and_the_password(user, script, running):
    script([Say("Hello.")], [Say("Hello.")])
    token, _ = await in_database(make_token, user)
    page = AsyncClient(enforce_csrf_checks=True)
    bearer = {"authorization": f"Bearer {token}"}
    status, text = await post(page, CHAT, said("x"), **bearer)
    assert (status, "Hello." in shown(text)) == (200, True)
    head, claims, signature = token.split(".")
    forged = json.loads(base64.urlsafe_b64decode(claims + "==")) | {
        "sub": "1",
        "exp": 9_999_999_999,
    }
    forged_claims = base64.urlsafe_b64encode(json.dumps(forged).encode()).rstrip(b"=").decode()
    none = base64.urlsafe_b64encode(b'{"alg":"none","typ":"JWT"}').rstrip(b"=").decode()
    for bad in (
        f"{head}.{forged_claims}.{signature}",
        f"{none}.{claims}.",
        f"{head}.{claims}.x",
        "x",
    ):
        assert (await post(page, CHAT, said("y"), authorization=f"Bearer {bad}"))[0] == 401
    with override_settings(AGENTUI={"CLOUD_TOKEN_SECONDS": -1}):
        over, _ = await in_database(make_token, user)
    assert (await post(page, CHAT, said("y"), authorization=f"Bearer {over}"))[0] == 401
    user.set_password("another")
    await in_database(user.save)
    assert (await post(page, CHAT, said("y"), **bearer))[0] == 401


@pytest.mark.parametrize("path", [CHAT, DATA, TRANSPORT, PLAIN])
@pytest.mark.parametrize(
    "body", [[], {}, {"messages": 1}, {"id": 1, "messages": [1]}, {"commands": [{}]}]
)
async def test_what_is_no_request_is_refused_with_words(user, path, body):
    page = await page_of(user)
    status, text = await post(page, path, body)
    assert status == 400
    assert json.loads(text)["message"]
    assert (await post(page, path.replace("tester", "nobody"), BODIES[path]))[0] == 404
    assert await in_database(Thread.objects.count) == 0


# Threads and messages by the client's own names


async def test_a_name_is_one_thread_for_one_person(user, other_user, script, running):
    script(*([Say("Hello.")] for _ in range(4)))
    mine, theirs = await page_of(user), await page_of(other_user)
    await post(mine, CHAT, said("x", chat="shared"))
    await post(theirs, CHAT, said("x", chat="shared"))
    await post(mine, CHAT, said("x", "y", chat="shared"))
    owners = await in_database(
        list, Thread.objects.order_by("created_at").values_list("owner", flat=True)
    )
    assert owners == [user.pk, other_user.pk]


async def test_two_requests_with_one_message_send_it_once(user, script, running):
    adapter = script([Say("Hello.")])
    page = await page_of(user)
    answers = await asyncio.gather(*(post(page, CHAT, said("x")) for _ in range(5)))
    again = await post(page, CHAT, said("x"))
    assert {status for status, _ in [*answers, again]} == {200}
    assert all("Hello." in shown(text) for _, text in [*answers, again])
    assert await in_database(Message.objects.count) == 2
    adapter.assert_finished()


async def test_a_message_sent_while_another_is_answered_waits_its_turn(
    user, script, running, settings
):
    settings.AGENTUI = {"HEARTBEAT_SECONDS": 0.05}
    gate = Gate()
    script([Say("One"), gate, Say(" done.")], [Say("Two.")])
    page = await page_of(user)
    first = asyncio.ensure_future(post(page, CHAT, said("x")))
    await gate.reached()
    second = asyncio.ensure_future(post(page, CHAT, said("x", "y")))
    await asyncio.sleep(0.3)
    assert not second.done()
    gate.open()
    assert "done." in shown((await first)[1])
    text = (await second)[1]
    assert "Two." in shown(text)
    assert ": ping" in text
    messages = await in_database(list, Message.objects.order_by("seq"))
    assert messages[2].parent_id == messages[1].pk


async def test_a_queued_message_that_is_taken_back_ends_its_request(
    user, script, running, settings
):
    settings.AGENTUI = {"HEARTBEAT_SECONDS": 0.05, "FEED_POLL_INTERVAL": 0.1}
    gate = Gate()
    script([gate, Say("One.")])
    page = await page_of(user)
    first = asyncio.ensure_future(post(page, CHAT, said("x")))
    await gate.reached()
    second = asyncio.ensure_future(post(page, CHAT, said("x", "y")))
    while (queued := await in_database(Message.objects.queued().first)) is None:
        await asyncio.sleep(0.02)
    await in_database(actions.cancel_queued_message, user, queued.pk)
    chunks = chunks_of((await asyncio.wait_for(second, 5))[1])
    assert chunks[-1]["type"] == "error"
    gate.open()
    await first


async def test_only_the_last_message_may_be_sent(user, script, running):
    adapter = script([Say("One.")], [Say("Two.")])
    page = await page_of(user)
    await post(page, CHAT, said("x"))
    body = {"id": "c", "message": user_message("y", "u9"), "trigger": "submit-message"}
    assert "Two." in shown((await post(page, CHAT, body))[1])
    assert len(adapter.requests[1].messages) == 3


async def test_a_client_that_has_not_seen_an_answer_does_not_fork(user, script, running):
    script([Say("One.")], [Say("Two.")])
    page = await page_of(user)
    await post(page, CHAT, said("x"))
    await post(page, CHAT, said("x", "y"))
    parents = await in_database(
        list, Message.objects.order_by("seq").values_list("parent__seq", flat=True)
    )
    assert parents == [None, 1, 2, 3]


async def test_an_edit_is_a_sibling_of_what_it_replaces(user, script, running):
    script(*([Say("Hello.")] for _ in range(3)))
    page = await page_of(user)
    await post(page, CHAT, said("x"))
    await post(page, CHAT, said("x", "y"))
    edited = {**said("x", "z"), "messageId": "u1"}
    await post(page, CHAT, edited)
    y, z = await in_database(list, Message.objects.filter(role="user", seq__gt=1).order_by("seq"))
    assert (y.text, z.text, y.parent_id) == ("y", "z", z.parent_id)


# Approvals and steps


async def test_two_votes_are_needed_and_the_first_is_not_taken_for_both(
    user, staff, script, running
):
    """A client that thinks all is decided would ask for ever; it is shown the open question again."""
    script([Call("needs_staff", {"name": "x"})], [Say("Done.")])
    page = await page_of(staff)
    chunks = chunks_of((await post(page, CHAT, said("x")))[1])
    approval = await in_database(Approval.objects.get)
    call = next(chunk for chunk in chunks if chunk["type"] == "tool-input-available")["toolCallId"]
    await in_database(Approval.objects.filter(pk=approval.pk).update, required=2)
    shown = {
        "type": "tool-needs_staff",
        "toolCallId": call,
        "state": "approval-responded",
        "approval": {"id": str(approval.pk), "approved": True},
    }
    answer = {
        "id": chunks[0]["messageId"],
        "role": "assistant",
        "parts": [{"type": "step-start"}, shown],
    }
    body = {"id": "c", "messages": [user_message("x", "u0"), answer], "messageId": answer["id"]}
    again = chunks_of((await post(page, CHAT, body))[1])
    assert [chunk["type"] for chunk in again if "approval" in chunk["type"]][
        -1
    ] == "tool-approval-request"
    assert await in_database(Effect.objects.count) == 0


async def test_a_continuation_repeats_nothing(user, script, running):
    script([Say("Before."), Call("needs_the_user", {"name": "x"})], [Say("After.")])
    page = await page_of(user)
    first = chunks_of((await post(page, CHAT, said("x")))[1])
    approval = await in_database(Approval.objects.get)
    call = next(chunk for chunk in first if chunk["type"] == "tool-input-available")
    parts = [
        {"type": "step-start"},
        {"type": "text", "text": "Before.", "state": "done"},
        {
            "type": "tool-needs_the_user",
            "toolCallId": call["toolCallId"],
            "state": "approval-responded",
            "approval": {"id": str(approval.pk), "approved": True},
        },
    ]
    shown = {"id": first[0]["messageId"], "role": "assistant", "parts": parts}
    body = {"id": "c", "messages": [user_message("x", "u0"), shown], "messageId": shown["id"]}
    chunks = chunks_of((await post(page, CHAT, body))[1])
    assert chunks[0]["messageId"] == first[0]["messageId"]
    kinds = [chunk["type"] for chunk in chunks]
    assert "tool-input-available" not in kinds
    assert "".join(chunk.get("delta", "") for chunk in chunks) == "After."
    assert kinds.index("tool-output-available") < kinds.index("start-step")
    # Once more, by a client that lost the answer: nothing is run or written again.
    once_more = chunks_of((await post(page, CHAT, body))[1])
    assert "".join(chunk.get("delta", "") for chunk in once_more) == "After."
    assert await in_database(Effect.objects.count) == 1
    assert await in_database(Run.objects.count) == 1


async def test_a_run_that_ends_with_a_page_tool_leaves_nothing_to_send_by_itself(
    user, script, running
):
    """The client asks again when the last step has only answered calls; so there is an empty one."""
    script([Call("ask", {"question": "?"})])
    page = await page_of(user)
    first = chunks_of((await post(page, CHAT, said("x")))[1])
    await post(page, f"{CHAT}/c/stop", {})
    call = next(chunk for chunk in first if chunk["type"] == "tool-input-available")
    part = {
        "type": "tool-ask",
        "toolCallId": call["toolCallId"],
        "state": "output-available",
        "output": 1,
    }
    shown = {
        "id": first[0]["messageId"],
        "role": "assistant",
        "parts": [{"type": "step-start"}, part],
    }
    body = {"id": "c", "messages": [user_message("x", "u0"), shown], "messageId": shown["id"]}
    kinds = [chunk["type"] for chunk in chunks_of((await post(page, CHAT, body))[1])]
    assert kinds[-4:] == ["start-step", "finish-step", "abort", "finish"]


async def test_waiting_for_a_decision_made_elsewhere(user, staff, script, running):
    script([Call("needs_staff", {"name": "x"})], [Say("Done.")])
    run = await settled((await send(user)).run)
    page = await page_of(user)
    assert (await page.get(f"{CHAT}/{run.thread_id}/stream")).status_code == 204
    waiting = asyncio.ensure_future(page.get(f"{CHAT}/{run.thread_id}/stream?wait=10"))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await in_database(approve, await in_database(Approval.objects.get), staff)
    response = await waiting
    text = b"".join([chunk async for chunk in response.streaming_content]).decode()
    assert "Done." in shown(text)
    assert (await page.get(f"{CHAT}/{run.thread_id}/stream?wait=0.1")).status_code == 204


async def test_the_page_that_stops_looking_does_not_stop_the_run(user, script, running):
    gate = Gate()
    script([Say("One"), gate, Say(" done.")])
    page = await page_of(user)
    body = json.dumps(said("x"))
    response = await page.post(CHAT, body, content_type="application/json")
    pieces = response.streaming_content
    async for piece in pieces:
        if b"One" in piece:
            break
    await pieces.aclose()
    gate.open()
    run = await settled(await in_database(Run.objects.get))
    assert (run.status, run.message.text) == ("complete", "One done.")


async def test_headers_that_keep_the_stream_flowing(user, script, running):
    script([Say("x")])
    page = await page_of(user)
    response = await page.post(CHAT, json.dumps(said("x")), content_type="application/json")
    assert response["x-vercel-ai-ui-message-stream"] == "v1"
    assert (response["x-accel-buffering"], response["content-encoding"]) == ("no", "identity")
    assert "no-cache" in response["cache-control"]
    assert [chunk async for chunk in response.streaming_content]


async def test_a_file_in_a_message(user, script, running):
    script([Say("Nice.")], [Say("Nice.")])
    page = await page_of(user)
    png = base64.b64encode(b"\x89PNG\r\n\x1a\nrest").decode()

    def with_file(**fields: Any) -> dict[str, Any]:
        part = {"type": "file", "mediaType": "image/png", **fields}
        return {"id": "c", "messages": [{"id": "f", "role": "user", "parts": [part]}]}

    for url in (
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/passwd",
        "https://example.com/a.png",
        f"https://example.com/{'0' * 32}",
        "data:image/png;base64," + base64.b64encode(b"<html>").decode(),
        "data:image/svg+xml,%3Csvg/%3E",
        "data:image/png;base64,!",
    ):
        assert (await post(page, CHAT, with_file(url=url)))[0] == 400, url
    assert await in_database(Message.objects.count) == 0
    body = with_file(url=f"data:image/svg+xml;base64,{png}", filename="..\\..\\x/a.png")
    assert (await post(page, CHAT, body))[0] == 200
    message = await in_database(Message.objects.get, role="user")
    assert message.parts == [
        {"type": "file", "data": png, "mime_type": "image/png", "filename": "a.png"}
    ]


async def test_a_title_that_is_still_thought_about_is_waited_for(
    user, script, running, monkeypatch
):
    script([Say("Hello.")])
    monkeypatch.setattr(tester, "titles", object())
    page = await page_of(user)
    await post(page, CHAT, said("How do I return my shoes?"))
    thread = await in_database(Thread.objects.get)
    body = {"thread_id": str(thread.pk), "assistant_id": "system/thread_title", "messages": []}
    waiting = asyncio.ensure_future(post(page, f"{CLOUD}/runs/stream", body))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    source = Thread.TitleSource.MODEL
    await in_database(actions.set_title_if_unset, thread, "Returning shoes", source)
    assert await waiting == (200, "Returning shoes")
    monkeypatch.setattr(tester, "titles", None)
    assert await post(page, f"{CLOUD}/runs/stream", body) == (200, "Returning shoes")
