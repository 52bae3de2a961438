"""People are told once, in time, and with a link that decides nothing."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import pytest
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from agentui import ApprovalPolicy
from agentui.agents import registry
from agentui.checks import check_notifiers
from agentui.models import Approval, Decision, SentNotice
from agentui.notices import Notifier, WebhookNotifier, send_due, verify, who_may_decide
from agentui.signals import approval_escalated, approval_expires_soon
from agentui.testing import approve
from tests.admin.rows import desk, waiting

pytestmark = pytest.mark.django_db

SECRET = "a secret of enough characters"
EMAIL = "agentui.notices.EmailNotifier"


@pytest.fixture(autouse=True)
def _desk() -> Iterator[None]:
    with registry.temporary(desk):
        yield


@pytest.fixture
def decider(django_user_model: Any) -> Any:
    user = django_user_model.objects.create_user("joan", "joan@example.com", "x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="change_effect"))
    return user


@pytest.fixture
def notify(settings: Any) -> Any:
    def use(backend: str, **options: Any) -> None:
        settings.AGENTUI = {
            "SITE_URL": "https://shop.example/",
            "NOTIFIERS": [{"BACKEND": backend, "OPTIONS": options}],
        }

    return use


def test_who_may_decide_is_told_once_with_a_link(notify: Any, decider: Any, user: Any) -> None:
    notify(EMAIL)
    approval = waiting(user, expires_in=timedelta(days=1))
    assert send_due() == 1
    assert send_due() == 0
    message = mail.outbox[0]
    assert message.to == ["joan@example.com"]
    assert message.subject == "Please decide: refund_order"
    assert f"https://shop.example/admin/agentui/approval/{approval.pk}/change/" in message.body
    assert "asked for by ada" in message.body
    assert "may be decided until" in message.body
    # What is asked for may be private; it is on the page.
    assert "12.50" not in message.body
    assert not Decision.objects.exists()


def test_neither_the_person_who_asked_nor_anybody_else(
    notify: Any, decider: Any, user: Any, other_user: Any, staff: Any
) -> None:
    notify(EMAIL)
    waiting(decider)
    # Only a superuser is left who may decide it.
    assert send_due() == 1
    assert [message.to for message in mail.outbox] == [["grace@example.com"]]
    mail.outbox.clear()
    waiting(user)
    assert send_due() == 1
    assert [message.to for message in mail.outbox] == [["joan@example.com"]]


def test_a_digest_collects_and_is_one_letter(notify: Any, decider: Any, user: Any) -> None:
    notify(EMAIL, digest=600)
    for minutes in (1, 5):
        waiting(user, asked_ago=timedelta(minutes=minutes))
    assert send_due() == 0
    waiting(user, asked_ago=timedelta(minutes=11))
    assert send_due() == 3
    assert [message.subject for message in mail.outbox] == ["3 requests wait for your decision"]
    assert mail.outbox[0].body.count("https://shop.example/") == 3


def test_what_is_decided_or_over_is_not_told(notify: Any, decider: Any, user: Any) -> None:
    notify(EMAIL)
    approve(waiting(user), decider)
    waiting(user, expires_in=timedelta(seconds=-1))
    waiting(user, policy=ApprovalPolicy.user())
    assert send_due() == 0


def test_reminders_and_escalations(
    notify: Any, decider: Any, user: Any, django_user_model: Any
) -> None:
    notify(EMAIL)
    boss = django_user_model.objects.create_user("mary", "mary@example.com", "x", is_staff=True)
    boss.groups.add(Group.objects.create(name="Managers"))
    policy = ApprovalPolicy(
        permission="testsite.change_effect",
        expires_after=timedelta(hours=8),
        remind_before=timedelta(hours=2),
        escalate_to="Managers",
        escalate_after=timedelta(hours=4),
    )
    approval = waiting(user, policy=policy, expires_in=timedelta(hours=7))
    heard: list[Any] = []

    def hear(signal: Any, sender: Any, approval: Any, **kwargs: Any) -> None:
        heard.append((signal, approval.pk))

    approval_expires_soon.connect(hear)
    approval_escalated.connect(hear)
    try:
        send_due()
        assert (mail.outbox.pop().to, heard) == (["joan@example.com"], [])
        Approval.objects.update(escalates_at=timezone.now() - timedelta(seconds=1))
        send_due()
        assert {message.to[0] for message in mail.outbox} == {
            "joan@example.com",
            "mary@example.com",
        }
        assert {message.subject for message in mail.outbox} == {
            "Nobody has decided yet: refund_order"
        }
        mail.outbox.clear()
        Approval.objects.update(remind_at=timezone.now() - timedelta(seconds=1))
        send_due()
        send_due()
        assert [message.subject for message in mail.outbox] == [
            "Soon too late to decide: refund_order"
        ] * 2
        assert heard == [(approval_escalated, approval.pk), (approval_expires_soon, approval.pk)]
    finally:
        approval_expires_soon.disconnect(hear)
        approval_escalated.disconnect(hear)


def test_the_reminder_comes_when_a_quarter_of_the_time_is_left(user: Any) -> None:
    approval = waiting(user, asked_ago=timedelta(hours=1), expires_in=timedelta(hours=3))
    assert approval.expires_at is not None
    assert approval.remind_at is not None
    left = approval.expires_at - approval.remind_at
    assert abs(left - timedelta(hours=1)) < timedelta(seconds=5)


class Broken(Notifier):
    name = "broken"
    calls = 0

    def notify(self, notices: Any) -> None:
        Broken.calls += 1
        if Broken.calls == 1:
            raise OSError("the mail server is away")


def test_one_that_fails_is_told_again_and_does_not_stop_others(
    settings: Any, decider: Any, user: Any
) -> None:
    Broken.calls = 0
    settings.AGENTUI = {"NOTIFIERS": [f"{__name__}.Broken", EMAIL]}
    waiting(user)
    assert send_due() == 1
    assert len(mail.outbox) == 1
    assert send_due() == 1
    assert (Broken.calls, len(mail.outbox)) == (2, 1)


def test_what_a_lost_process_claimed_is_told_by_another(
    notify: Any, decider: Any, user: Any
) -> None:
    notify(EMAIL)
    approval = waiting(user)
    SentNotice.objects.create(
        approval=approval, kind="requested", notifier="email", token=approval.pk
    )
    assert send_due() == 0
    SentNotice.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    assert send_due() == 1


@pytest.fixture
def receiver() -> Iterator[Any]:
    """A server that keeps what is posted to it."""
    kept: list[tuple[dict[str, str], bytes]] = []

    class Keep(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.append((dict(self.headers), body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Quiet."""

    server = HTTPServer(("127.0.0.1", 0), Keep)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hook", kept
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_webhook_is_signed(notify: Any, decider: Any, user: Any, receiver: Any) -> None:
    url, kept = receiver
    notify("agentui.notices.WebhookNotifier", url=url, secret=SECRET)
    approval = waiting(user)
    assert send_due() == 1
    headers, body = kept[0]
    stamp, signature = headers["X-Agentui-Timestamp"], headers["X-Agentui-Signature"]
    assert verify(SECRET, stamp, body, signature)
    assert not verify(SECRET, stamp, body + b" ", signature)
    assert not verify("another secret of that length", stamp, body, signature)
    assert not verify(SECRET, str(int(stamp) - 400), body, signature)
    assert not verify(SECRET, "soon", body, signature)
    row = json.loads(body)["notices"][0]
    assert (row["type"], row["approval"]) == ("approval.requested", str(approval.pk))
    assert row["url"].startswith("https://shop.example/admin/")
    assert "args_text" not in row


@pytest.mark.parametrize(
    ("url", "secret"),
    [
        ("http://shop.example/hook", SECRET),
        ("file:///etc/passwd", SECRET),
        ("https://shop.example/hook", "short"),
    ],
)
def test_a_webhook_that_is_not_safe_is_refused(url: str, secret: str) -> None:
    with pytest.raises(ImproperlyConfigured):
        WebhookNotifier(url=url, secret=secret)


def test_by_group_and_by_a_rule(user: Any, decider: Any, staff: Any) -> None:
    decider.groups.add(Group.objects.create(name="Accounting"))
    assert who_may_decide(waiting(user, policy=ApprovalPolicy(group="Accounting"))) == [decider]
    ruled = waiting(user, policy=ApprovalPolicy(who=f"{__name__}:only_joan"))
    assert who_may_decide(ruled) == [decider]
    assert who_may_decide(waiting(user, policy=ApprovalPolicy.staff())) == [staff]


def only_joan(user: Any, request: Any) -> bool:
    return bool(user.username == "joan")


def test_the_command(notify: Any, decider: Any, user: Any, capsys: Any) -> None:
    notify(EMAIL)
    waiting(user)
    call_command("agentui_notify")
    assert "1 told" in capsys.readouterr().out


@pytest.mark.django_db(transaction=True)
def test_nobody_is_told_twice_by_many_at_once(notify: Any, decider: Any, user: Any) -> None:
    """Several processes look at the same moment; the row decides which of them tells."""
    notify(f"{__name__}.Counting")
    Counting.told.clear()
    asked = [waiting(user).pk for _ in range(5)]
    start = threading.Barrier(6)

    def look() -> None:
        try:
            start.wait()
            send_due()
        finally:
            connection.close()

    threads = [threading.Thread(target=look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A process that met another at the lock looks again.
    send_due()
    assert sorted(Counting.told) == sorted(asked)
    assert not SentNotice.objects.filter(sent_at=None).exists()


class Counting:
    """A notifier of the site's own: no class of ours behind it."""

    name = "counting"
    told: ClassVar[list[Any]] = []

    def notify(self, notices: Any) -> None:
        self.told.extend(notice.approval.pk for notice in notices)


def test_following_the_link_in_the_letter_decides_nothing(
    notify: Any, decider: Any, user: Any, client: Any
) -> None:
    notify(EMAIL)
    approval = waiting(user)
    send_due()
    (link,) = re.findall(r"https://shop\.example(/\S+)", mail.outbox[0].body)
    # A mail server that looks at links is signed in to nothing.
    assert client.get(link).status_code == 302
    client.force_login(decider)
    for ask in (client.get, client.head, client.get):
        page = ask(link)
        assert page.status_code == 200
    body = page.content.decode()
    assert ("refund_order" in body, "12.50" in body, "Approve…" in body) == (True, True, True)
    for tail in ("decide/", "?verdict=approve", "decide/?verdict=approve"):
        client.get(f"{link}{tail}".replace("change/decide/", "decide/"))
    before = approval.status
    approval.refresh_from_db()
    assert (approval.status, before) == ("pending", "pending")
    assert not Decision.objects.exists()


NOT_MADE = [
    "agentui.notices.Nothing",
    "no.such.module.Notifier",
    "agentui.notices.sent_due",
    "builtins.dict",
    {"OPTIONS": {}},
    {"BACKEND": EMAIL, "OPTIONS": {"digests": 900}},
    {"BACKEND": "agentui.notices.WebhookNotifier", "OPTIONS": {"url": "http://a.example"}},
    {
        "BACKEND": "agentui.notices.WebhookNotifier",
        "OPTIONS": {"url": "http://a.example", "secret": SECRET},
    },
    7,
    None,
]


@pytest.mark.parametrize("entry", NOT_MADE, ids=str)
def test_a_wrong_entry_is_said_before_anybody_waits(settings: Any, entry: Any) -> None:
    settings.AGENTUI = {"SITE_URL": "https://shop.example", "NOTIFIERS": [EMAIL, entry]}
    (message,) = check_notifiers()
    assert message.id == "agentui.E023"
    assert "NOTIFIERS'][1]" in message.msg or "webhook" in message.msg


def test_notifiers_that_can_be_made_are_fine(settings: Any) -> None:
    hook = {"url": "https://a.example/hook", "secret": SECRET}
    entries = [
        {"BACKEND": EMAIL, "OPTIONS": {"digest": 900}},
        {"BACKEND": "agentui.notices.WebhookNotifier", "OPTIONS": hook},
        f"{__name__}.Counting",
    ]
    settings.AGENTUI = {"SITE_URL": "https://shop.example", "NOTIFIERS": entries}
    assert check_notifiers() == []
    settings.AGENTUI = {"NOTIFIERS": entries}
    assert [message.id for message in check_notifiers()] == ["agentui.W025"]
    settings.AGENTUI = {"SITE_URL": "https://shop.example", "NOTIFIERS": [*entries, EMAIL]}
    assert [message.id for message in check_notifiers()] == ["agentui.E024"]
    settings.AGENTUI = {}
    assert check_notifiers() == []


def test_an_address_that_cannot_be_written_to_does_not_stop_the_others(
    notify: Any, decider: Any, user: Any, django_user_model: Any
) -> None:
    bad = django_user_model.objects.create_user("al", "a@b.example\nBcc: x@y.example", "x")
    bad.is_staff = True
    bad.save()
    bad.user_permissions.set(Permission.objects.filter(codename="change_effect"))
    notify(EMAIL)
    waiting(user)
    send_due()
    send_due()
    assert [letter.to for letter in mail.outbox] == [["joan@example.com"]]


def test_a_signature_that_is_no_ascii_is_wrong_and_no_error() -> None:
    now = str(int(timezone.now().timestamp()))
    assert verify(SECRET, now, b"{}", "sha256=é\ud800") is False
