"""What the socket refuses: each with a code, nothing changed, the socket alive."""

from __future__ import annotations

import json
import uuid

import pytest

from agentui.models import Approval, ClientCommand, Decision, Message, Run, Thread, ToolCall
from agentui.runtime.database import in_database
from agentui.testing import Call, Gate, Say, open_socket, settled
from tests.models import Effect
from tests.story import send

pytestmark = pytest.mark.django_db(transaction=True)


def rows() -> dict[str, int]:
    models = (Thread, Message, Run, ToolCall, Approval, Decision, ClientCommand, Effect)
    return {model.__name__: model.objects.count() for model in models}


async def refused(socket, code, kind, **fields):
    """The command is refused with this code, and the database is as before."""
    before = await in_database(rows)
    answer = await socket.command(kind, **fields)
    assert (answer["type"], answer["code"]) == ("error", code), answer
    assert answer["message"]
    assert await in_database(rows) == before
    assert (await socket.command("ping"))["type"] == "pong"
    return answer


def text(words="Hello"):
    return [{"type": "text", "text": words}]


async def test_anonymous_is_told_to_sign_in_and_closed():
    async with open_socket() as socket:
        assert (await socket.next())["code"] == "not_signed_in"
        closed = await socket.communicator.receive_output()
        assert (closed["type"], closed["code"]) == ("websocket.close", 4401)


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://testserver.evil.example", "http://eviltestserver", "null", ""],
)
async def test_a_foreign_origin_is_not_let_in(user, origin):
    with pytest.raises(ConnectionRefusedError):
        async with open_socket(user, origin=origin):
            pass


async def test_a_test_opens_a_socket_from_the_hosts_of_its_own_settings(user, settings):
    # A new site's ALLOWED_HOSTS is empty while its test modules are imported.
    settings.ALLOWED_HOSTS = ["shop.example"]
    async with open_socket(user, origin="https://shop.example") as socket:
        assert (await socket.command("ping"))["type"] == "pong"
    with pytest.raises(ConnectionRefusedError, match=r"ALLOWED_HOSTS, which is \['shop.example'\]"):
        async with open_socket(user):
            pass


@pytest.mark.parametrize("origin", ["https://testserver", "http://testserver:8443"])
async def test_every_port_and_scheme_of_this_sites_host_is_let_in(user, origin):
    async with open_socket(user, origin=origin) as socket:
        assert (await socket.command("ping"))["type"] == "pong"


async def test_another_users_thread_does_not_exist(user, other_user, script, running):
    script([Call("needs_the_user", {"name": "x"}), Call("ask", {"question": "?"})])
    run = await settled((await send(user)).run)
    call = await in_database(ToolCall.objects.get, tool_name="ask")
    approval = await in_database(Approval.objects.get)
    async with open_socket(other_user) as socket:
        thread, message = str(run.thread_id), str(run.message_id)
        for kind, fields in [
            ("subscribe", {"thread": thread}),
            ("send_message", {"thread": thread, "parts": text()}),
            ("edit_message", {"message": message, "parts": text()}),
            ("regenerate", {"message": message}),
            ("switch_branch", {"message": message}),
            ("cancel_message", {"message": message}),
            ("cancel_run", {"run": str(run.pk)}),
            ("decide_approval", {"approval": str(approval.pk), "verdict": "approve"}),
            ("claim_tool_call", {"tool_call": str(call.pk), "tab": "t"}),
            ("submit_tool_result", {"tool_call": str(call.pk), "tab": "t", "result": 1}),
            ("set_state", {"thread": thread, "operations": []}),
        ]:
            await refused(socket, "not_found", kind, **fields)


async def test_unknown_command_unknown_agent_and_unknown_thread(user):
    async with open_socket(user) as socket:
        await refused(socket, "unknown_command", "websocket.disconnect")
        await refused(socket, "unknown_command", "agentui.hint")
        await refused(socket, "unknown_agent", "send_message", agent="nobody", parts=text())
        await refused(socket, "not_found", "send_message", thread=str(uuid.uuid4()), parts=text())
        await refused(socket, "not_found", "subscribe", thread="1 OR 1=1")


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "not json",
        "[]",
        "null",
        "3",
        '{"type": "ping", "id": 7}',
        '{"type": "ping", "id": NaN}',
        "[" * 100_000,
        '{"type": ["ping"]}',
    ],
    ids=lambda frame: frame[:20] or "empty",
)
async def test_a_malformed_frame_is_answered(user, frame):
    async with open_socket(user) as socket:
        await socket.send_text(frame)
        assert (await socket.next())["code"] in ("malformed_frame", "unknown_command")
        assert (await socket.command("ping"))["type"] == "pong"


async def test_bytes_that_are_no_text_are_answered(user):
    async with open_socket(user) as socket:
        await socket.communicator.send_to(bytes_data=b"\xff\xfe\x00")
        assert (await socket.next())["code"] == "malformed_frame"
        assert (await socket.command("ping"))["type"] == "pong"


@pytest.mark.parametrize("size", [256 * 1024 + 1, 1024 * 1024 + 1, 17 * 1024 * 1024])
async def test_an_oversized_frame_is_answered(user, size):
    async with open_socket(user) as socket:
        await socket.send_text(json.dumps({"type": "ping", "id": "x", "pad": "x" * size}))
        assert (await socket.next())["code"] == "too_large"
        assert (await socket.command("ping"))["type"] == "pong"


async def test_what_a_client_may_not_write_is_refused(user):
    async with open_socket(user) as socket:
        good = {"agent": "tester", "parts": text()}
        await refused(socket, "invalid", "send_message", **good, role="system")
        await refused(socket, "invalid", "send_message", **good, status="complete")
        await refused(socket, "invalid", "send_message", **good, owner=1)
        await refused(socket, "invalid", "send_message", agent="tester", parts="Hello")
        await refused(
            socket,
            "invalid",
            "send_message",
            agent="tester",
            parts=[{"type": "tool_call", "id": str(uuid.uuid4())}],
        )
        await refused(
            socket,
            "invalid",
            "send_message",
            agent="tester",
            parts=[{"type": "file", "data": "https://evil.example", "mime_type": "image/png"}],
        )
        await refused(
            socket,
            "invalid",
            "send_message",
            agent="tester",
            parts=[{"type": "file", "data": "", "mime_type": "image/svg+xml"}],
        )
        await refused(
            socket, "invalid", "send_message", **good, tools=[{"name": "x", "parameters": 3}]
        )
        await refused(socket, "invalid", "send_message", **good, id="not-a-uuid")
        await refused(socket, "empty_message", "send_message", agent="tester", parts=text("\x00 "))
        await refused(
            socket, "too_large", "send_message", agent="tester", parts=text("x" * 100_001)
        )


async def test_a_forged_result_for_a_server_tool_is_refused(user, script, running):
    gate = Gate()
    script([Call("needs_the_user", {"name": "x"})], [gate, Say("x")])
    await settled((await send(user)).run)
    call = await in_database(ToolCall.objects.get)
    async with open_socket(user) as socket:
        await refused(
            socket,
            "not_awaiting_result",
            "submit_tool_result",
            tool_call=str(call.pk),
            tab="t",
            result="paid",
        )
        await refused(
            socket, "not_awaiting_result", "claim_tool_call", tool_call=str(call.pk), tab="t"
        )


async def test_the_owner_cannot_approve_what_staff_must(user, script, running):
    script([Call("needs_staff", {"name": "x"})])
    await settled((await send(user)).run)
    approval = await in_database(Approval.objects.get)
    async with open_socket(user) as socket:
        await refused(
            socket,
            "not_permitted",
            "decide_approval",
            approval=str(approval.pk),
            verdict="approve",
        )


async def test_deciding_twice_says_who_was_first(user, script, running):
    script([Call("needs_the_user", {"name": "x"})], [Say("Done.")])
    run = await settled((await send(user)).run)
    approval = str((await in_database(Approval.objects.get)).pk)
    async with open_socket(user) as socket:
        answer = await socket.command("decide_approval", approval=approval, verdict="approve")
        assert answer["approval"]["status"] == "approved"
        await settled(run)
        answer = await refused(
            socket, "already_decided", "decide_approval", approval=approval, verdict="deny"
        )
        assert "ada" in answer["message"]
    assert await in_database(Effect.objects.count) == 1


async def test_a_decision_after_the_time_is_over_ends_the_approval(user, staff, script, running):
    from datetime import timedelta

    from django.utils import timezone

    adapter = script([Call("needs_staff", {"name": "x"})], [Say("Too late.")])
    run = await settled((await send(user)).run)
    await in_database(Approval.objects.update, expires_at=timezone.now() - timedelta(seconds=1))
    approval = str((await in_database(Approval.objects.get)).pk)
    async with open_socket(staff) as socket:
        answer = await socket.command("decide_approval", approval=approval, verdict="approve")
        assert answer["code"] == "approval_expired"
    run = await settled(run)
    call = await in_database(ToolCall.objects.get)
    assert (run.status, call.status) == ("complete", "expired")
    assert "expired" in adapter.requests[1].messages[-1].parts[0].content
    assert await in_database(Effect.objects.count) == 0


async def test_the_same_command_twice_is_one_command(user, script, running):
    script([Say("Hi")])
    key = str(uuid.uuid4())
    async with open_socket(user) as socket:
        first = await socket.command("send_message", id=key, agent="tester", parts=text())
        second = await socket.command("send_message", id=key, agent="tester", parts=text())
        assert first == second
        reused = await socket.command("send_message", id=key, agent="tester", parts=text("Else"))
        assert reused["code"] == "command_reused"
    assert await in_database(Thread.objects.count) == 1


async def test_signing_out_ends_an_open_socket(user):
    from django.contrib.sessions.models import Session

    async with open_socket(user) as socket:
        await in_database(Session.objects.all().delete)
        answer = await socket.command("send_message", agent="tester", parts=text())
        assert answer["code"] == "not_signed_in"
        closed = await socket.communicator.receive_output()
        assert closed["type"] == "websocket.close"
    assert await in_database(Thread.objects.count) == 0


@pytest.fixture
def watched_closely(monkeypatch):
    """A socket looks at its sign-in every 15 seconds; here it does not take so long."""
    monkeypatch.setattr("agentui.consumers.socket._AUTH_CHECK_SECONDS", 0.05)


async def test_a_socket_that_says_nothing_ends_too_when_its_user_signs_out(user, watched_closely):
    from django.contrib.sessions.models import Session

    async with open_socket(user) as socket:
        await in_database(Session.objects.all().delete)
        assert (await socket.next())["code"] == "not_signed_in"
        closed = await socket.communicator.receive_output()
        assert (closed["type"], closed["code"]) == ("websocket.close", 4401)


async def test_who_gave_a_thread_away_hears_no_more_of_it(
    user, other_user, script, running, watched_closely
):
    script([Say("For the old owner.")], [Say("For the new one.")])
    sent = await send(user)
    await settled(sent.run)
    thread = str(sent.thread.pk)
    async with open_socket(user) as socket:
        await socket.command("subscribe", thread=thread)
        await socket.until("snapshot")
        await in_database(Thread.objects.filter(pk=thread).update, owner=other_user)
        assert (await socket.until("thread_deleted"))["thread_id"] == thread
        await refused(socket, "not_found", "send_message", thread=thread, parts=text())
        again = await send(other_user, "mine now", thread_id=sent.thread.pk)
        await settled(again.run)
        assert (await socket.command("ping"))["type"] == "pong"
        assert "For the new one." not in json.dumps(socket.frames)


async def test_a_user_who_was_switched_off_can_do_nothing(user):
    async with open_socket(user) as socket:
        user.is_active = False
        await in_database(user.save)
        answer = await socket.command("send_message", agent="tester", parts=text())
        assert answer["code"] == "not_signed_in"


@pytest.mark.parametrize(
    "frame",
    [
        r'{"type": "ping", "id": "a\ud800"}',
        r'{"type": "set_state", "id": "\ud800", "thread": "x", "operations": []}',
        r'{"type": "set_state", "id": "ID", "thread": "THREAD", "operations": ["\ud800"]}',
        r'{"type": "\ud800", "id": "ID"}',
    ],
)
async def test_what_is_repeated_to_the_page_can_be_written_as_utf_8(user, script, running, frame):
    script([Say("Hi")])
    sent = await send(user)
    frame = frame.replace("ID", str(uuid.uuid4())).replace("THREAD", str(sent.thread.pk))
    async with open_socket(user) as socket:
        await socket.send_text(frame)
        answer = await socket.until(lambda frame: frame["type"] in ("error", "pong"))
        json.dumps(answer, ensure_ascii=False).encode()
        assert (await socket.command("ping"))["type"] == "pong"


async def test_a_message_that_waits_is_on_no_branch(user, script, running):
    gate = Gate()
    script([gate, Say("Hi")], [Say("And to that.")])
    first = await send(user)
    waiting = await send(user, "Later", thread_id=first.thread.pk)
    async with open_socket(user) as socket:
        await socket.command("cancel_run", run=str(first.run.pk))
        gate.open()
        await settled(first.run)
        await refused(socket, "illegal_state", "switch_branch", message=str(waiting.message.pk))
        head = (await in_database(Thread.objects.get)).head_id
        assert head != waiting.message.pk


async def test_more_sockets_are_not_more_messages(user, script, running, settings):
    settings.AGENTUI = {"API_RATES": {"send": "2/min"}}
    script([Say("One.")], [Say("Two.")])
    first, again = str(uuid.uuid4()), {"agent": "tester", "parts": text()}
    async with open_socket(user) as socket, open_socket(user) as other:
        sent = await socket.command("send_message", id=first, **again)
        await settled(await in_database(Run.objects.get))
        # The same command is the same message, and counts once.
        assert (await other.command("send_message", id=first, **again)) == sent
        await other.command("send_message", agent="tester", parts=text())
        await refused(socket, "throttled", "send_message", agent="tester", parts=text())
