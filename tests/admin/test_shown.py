"""What others wrote, as staff see it: never HTML, nothing hidden, nothing changed."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from agentui.admin import shown
from agentui.models import Decision, Message, Run, Thread, ToolCall
from agentui.testing import deny
from tests.admin.pages import LIST, act, answer, confirm, page_of, text_of
from tests.admin.rows import waiting

ATTACKS = (
    '"><img src=a onerror=alert(1)>',
    "</script><script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    "<b onmouseover=alert(1)>",
)
NAME, ARG, TITLE, REASON = ATTACKS


def assert_escaped(response: Any) -> None:
    body = response.content.decode()
    for attack in ATTACKS:
        assert attack not in body
        assert attack.replace("<", "\\u003c") not in body


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"),
        ("zero\u200bwidth\u200d\ufeff", "zero⟨U+200B⟩width⟨U+200D⟩⟨U+FEFF⟩"),
        ("bell\x07 null\x00 back\x08", "bell⟨U+0007⟩ null⟨U+0000⟩ back⟨U+0008⟩"),
        ("cr\r\nlf\ttab", "cr⟨U+000D⟩\nlf\ttab"),
        ("soft\u00adhyphen nbsp\u00a0", "soft⟨U+00AD⟩hyphen nbsp⟨U+00A0⟩"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("hangul\u3164 braille\u2800", "hangul⟨U+3164⟩ braille⟨U+2800⟩"),
        ("line\u2028 par\u2029", "line⟨U+2028⟩ par⟨U+2029⟩"),
        ("byte\U000e0101 vs\ufe01", "byte⟨U+E0101⟩ vs⟨U+FE01⟩"),
        ("שלום 日本語 ❤️ é", "שלום 日本語 ❤️ é"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, seen: str) -> None:
    assert shown.plain(text) == seen


def test_visible_text_is_escaped_and_nothing_else_is_changed() -> None:
    assert shown.visible("<b>\u202e</b>&") == (
        '&lt;b&gt;<span class="agentui-unseen" title="RIGHT-TO-LEFT OVERRIDE">⟨U+202E⟩</span>'
        "&lt;/b&gt;&amp;"
    )


def test_arguments_keep_every_digit_and_every_line() -> None:
    text = (
        '{"n": 9007199254740993, "price": 1.10, "list": [1.0, {"a": 1e2}], '
        '"text": "one\\ntwo", "empty": {}, "yes": true}'
    )
    assert shown.arguments(text) == [
        ("n", "9007199254740993", "json"),
        ("price", "1.10", "json"),
        ("list", "[\n  1.0,\n  {\n    &quot;a&quot;: 1e2\n  }\n]", "json"),
        ("text", "one\ntwo", "text"),
        ("empty", "{}", "json"),
        ("yes", "true", "json"),
    ]


@pytest.mark.parametrize("text", ["{", "[1]", '"x"', "nothing", "[" * 100_000])
def test_arguments_that_are_no_object_are_shown_as_they_were_written(text: str) -> None:
    assert shown.arguments(text) is None


def test_deeply_nested_arguments_do_not_break_the_page() -> None:
    text = '{"a": ' + "[" * 150 + "]" * 150 + "}"
    assert shown.arguments(text)


@pytest.mark.django_db
def test_what_a_person_asked_and_all_arguments_are_on_the_page(
    decider: Any, user: Any, signed_in: Any
) -> None:
    note = "a\u202eb " + "long " * 2000 + "END"
    approval = waiting(user, said="Refund it,\nplease.", args={"note": note})
    response = signed_in(decider).get(page_of(approval))
    text = text_of(response)
    assert "What the person asked for Refund it, please." in text
    assert "a⟨U+202E⟩b" in text
    assert "END" in text
    assert "Refund part or all of an order." in text
    assert "staff with the permission “Can change effect”" in text
    assert f"{len(approval.tool_call.args_text):d} characters, 1 line" in text
    assert f'name="digest" value="{approval.args_digest}"' in response.content.decode()


@pytest.mark.django_db
def test_raw_bidi_never_reaches_a_page(staff: Any, user: Any, signed_in: Any) -> None:
    evil = "pay\u202e0001"
    approval = waiting(user, tool_name=evil, title=evil, said=evil, args_text=f'{{"x": "{evil}"}}')
    client = signed_in(staff)
    rows = (approval, approval.thread, approval.tool_call, approval.tool_call.run)
    urls = [LIST, *(page_of(row) for row in rows)]
    urls += [page_of(row).split(str(row.pk))[0] for row in rows]
    urls += [page_of(row).replace("/change/", "/history/") for row in rows]
    for url in urls:
        response = client.get(url)
        assert response.status_code == 200
        assert "\u202e" not in response.content.decode(), url


@pytest.mark.django_db
def test_nothing_of_others_is_html_anywhere(
    staff: Any, decider: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(
        user, tool_name=NAME, agent="desk", title=TITLE, said=ARG, args={"x": ARG, NAME: TITLE}
    )
    other = waiting(user, tool_name=NAME, args={"x": ARG}, title=TITLE)
    client = signed_in(staff)
    answer(client, approval, "deny", reason=REASON)
    Message.objects.filter(thread=approval.thread, role="assistant").update(
        error={"message": ARG}, model=NAME, status="incomplete", reason="error"
    )
    run = approval.tool_call.run
    Run.objects.filter(pk=run.pk).update(error={"message": ARG}, model=NAME, lease_owner=TITLE)
    ToolCall.objects.filter(pk=approval.tool_call_id).update(
        result=REASON, artifact={"a": ARG}, progress=NAME, tool_call_id=TITLE, claimed_by=ARG
    )
    Message.objects.create(
        thread=approval.thread,
        parent=approval.thread.head,
        seq=90,
        role="assistant",
        parts=[
            {"type": "reasoning", "text": ARG},
            {"type": "source", "id": "1", "source_type": "url", "url": ARG, "title": NAME},
            {"type": "file", "data": ARG, "mime_type": NAME, "filename": TITLE},
            {"type": "data", "name": NAME, "data": {"x": ARG}},
            {"type": "new_kind", "x": ARG},
        ],
    )
    Thread.objects.filter(pk=approval.thread_id).update(
        head=Message.objects.get(seq=90), state={"x": ARG}, agent=NAME
    )
    rows = (approval, other, approval.thread, approval.tool_call, run)
    for row in rows:
        for url in (
            page_of(row),
            page_of(row).replace("/change/", "/history/"),
            page_of(row).split(str(row.pk))[0] + "?status=all",
        ):
            response = client.get(url, follow=True)
            assert response.status_code == 200, url
            assert_escaped(response)
    for url in (
        "/admin/",
        page_of(approval.thread).replace("/change/", "/delete/"),
        f"/admin/auth/user/{user.pk}/delete/",
    ):
        response = client.get(url)
        assert response.status_code == 200, url
        assert_escaped(response)
    page = act(client, "deny_selected", [other])
    assert_escaped(page)
    deny(other, decider, REASON)
    report = confirm(client, page, reason=REASON)
    assert_escaped(report)
    assert Decision.objects.filter(reason=REASON).count() == 2
    assert REASON in LogEntry.objects.get().change_message


@pytest.mark.django_db
def test_a_long_thread_is_read_in_pages(staff: Any, user: Any, signed_in: Any) -> None:
    thread = Thread.objects.create(owner=user, agent="desk", title="Long")
    parent = None
    for number in range(1, 121):
        parent = Message.objects.create(
            thread=thread,
            parent=parent,
            seq=number,
            role="user",
            parts=[{"type": "text", "text": f"message {number:03d}"}],
        )
    thread.move_head(parent.pk)
    client = signed_in(staff)
    url = page_of(thread)
    newest = client.get(url)
    assert "message 120" in text_of(newest)
    assert "message 071" in text_of(newest)
    assert "message 070" not in text_of(newest)
    earlier = client.get(f"{url}?until={newest.context['earlier']}")
    assert "message 070" in text_of(earlier)
    assert "message 071" not in text_of(earlier)
    assert "To the newest messages" in text_of(earlier)
    oldest = client.get(f"{url}?until={earlier.context['earlier']}")
    assert oldest.context["earlier"] is None


@pytest.mark.django_db
def test_a_message_of_another_thread_is_not_shown(staff: Any, user: Any, signed_in: Any) -> None:
    mine, other = waiting(user), waiting(user, said="a secret of another thread")
    for until in (other.thread.head_id, "nonsense", "\x00"):
        response = signed_in(staff).get(page_of(mine.thread), {"until": until})
        assert "a secret of another thread" not in text_of(response)


@pytest.mark.django_db
def test_run_and_call_say_where_they_stand_and_why(staff: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    call, run = approval.tool_call, approval.tool_call.run
    Run.objects.update(
        status="incomplete",
        reason="max_roundtrips",
        usage={"input_tokens": 7},
        error={"code": "x", "message": "the words of the error"},
        finished_at=timezone.now(),
        attempt=3,
    )
    ToolCall.objects.update(status="interrupted", result="It may have had effects", is_error=True)
    client = signed_in(staff)
    text = text_of(client.get(page_of(run)))
    for words in ("ended early", "limit of roundtrips", "input_tokens", "the words of the error"):
        assert words in text
    text = text_of(client.get(page_of(call)))
    assert "interrupted, may have had effects" in text
    assert "What the agent was told It may have had effects" in text


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["thread", "run", "toolcall", "approval"])
def test_rows_are_neither_added_nor_changed(
    kind: str, staff: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    rows = {
        "thread": approval.thread,
        "run": approval.tool_call.run,
        "toolcall": approval.tool_call,
        "approval": approval,
    }
    client = signed_in(staff)
    assert client.get(f"/admin/agentui/{kind}/add/").status_code == 403
    assert client.post(page_of(rows[kind]), {"status": "complete"}).status_code == 405
    assert client.get(f"/admin/agentui/{kind}/{'0' * 32}/change/").status_code == 302
    assert client.get(f"/admin/agentui/{kind}/nonsense/change/").status_code == 302


@pytest.mark.django_db
def test_a_thread_with_requests_is_deleted_only_with_the_permission_for_those(
    staff: Any, person: Any, user: Any, signed_in: Any
) -> None:
    thread = waiting(user).thread
    url = page_of(thread).replace("/change/", "/delete/")
    rights = ("view_thread", "delete_thread", "delete_message", "delete_run", "delete_toolcall")
    assert signed_in(person("tom", *rights)).post(url, {"post": "yes"}).status_code == 403
    assert Thread.objects.exists()
    signed_in(staff).post(url, {"post": "yes"})
    assert not Thread.objects.exists()
