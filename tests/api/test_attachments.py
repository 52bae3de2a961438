"""Files: what is taken, who reads them and how, and what becomes of them in a message."""

from __future__ import annotations

import base64
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from agentui import actions
from agentui.adapters import Say
from agentui.core.parts import FilePart, TextPart
from agentui.exceptions import InvalidInput, NotFound
from agentui.models import Attachment, Message
from agentui.runtime.recovery import clean_up
from agentui.testing import ScriptedAdapter

from .conftest import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Any) -> Any:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def upload(
    client: Any, content: bytes = PNG, name: str = "cup.png", kind: str = "image/png"
) -> Any:
    return client.post(
        f"{ROOT}attachments/", {"file": SimpleUploadedFile(name, content, content_type=kind)}
    )


def content_of(client: Any, pk: str) -> Any:
    return client.get(f"{ROOT}attachments/{pk}/content/")


def stored(files: Any) -> list[Any]:
    return [path for path in files.rglob("*") if path.is_file()]


def test_its_owner_reads_it_as_a_download_and_nobody_else_at_all(user, other_user, client):
    client.force_login(user)
    row = upload(client).json()
    assert row["mime_type"] == "image/png"
    answer = content_of(client, row["id"])
    assert b"".join(answer.streaming_content) == PNG
    assert answer["Content-Disposition"] == 'attachment; filename="cup.png"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer["Content-Security-Policy"]
    assert answer["Cache-Control"].startswith("private")
    client.force_login(other_user)
    assert content_of(client, row["id"]).status_code == 404
    assert client.get(f"{ROOT}attachments/{row['id']}/").status_code == 404
    assert client.delete(f"{ROOT}attachments/{row['id']}/").status_code == 404
    client.logout()
    assert content_of(client, row["id"]).status_code in (401, 403)
    assert upload(client).status_code in (401, 403)


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (SVG, "a.svg", "image/svg+xml"),
        (SVG, "a.png", "image/png"),
        (b"<html><script>alert(1)</script>", "a.txt", "text/plain"),
        (b"\x00\x01\x02", "a.bin", "application/octet-stream"),
        (b"MZ\x00\x00", "a.png", "image/png"),
        (b"%PDF-1.7", "a.pdf", "application/pdf"),
    ],
)
def test_what_is_not_on_the_list_is_refused_whatever_it_calls_itself(
    user, client, files, content, name, kind
):
    client.force_login(user)
    answer = upload(client, content, name, kind)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert stored(files) == []
    assert not Attachment.objects.exists()


def test_a_file_that_is_too_large_is_refused(user, client, settings):
    client.force_login(user)
    settings.AGENTUI = {**settings.AGENTUI, "MAX_ATTACHMENT_BYTES": 1000}
    answer = upload(client, b"x" * 1001, "a.txt", "text/plain")
    assert answer.status_code == 413
    assert upload(client, b"x" * 200_000, "a.txt", "text/plain").status_code == 413
    assert upload(client, b"x" * 1000, "a.txt", "text/plain").status_code == 201


def test_a_site_may_take_more_types(user, client, settings):
    client.force_login(user)
    types = ("text/csv", "application/pdf", "application/json")
    settings.AGENTUI = {**settings.AGENTUI, "ALLOWED_ATTACHMENT_TYPES": types}
    assert upload(client, b"a,b", "a.csv", "text/csv").json()["mime_type"] == "text/csv"
    assert upload(client, b"%PDF-1.7", "a.pdf", "").json()["mime_type"] == "application/pdf"
    assert upload(client, b"{}", "a.json", "application/json").status_code == 201
    assert upload(client, b"<b>", "a.json", "application/json").status_code == 400
    assert upload(client, b"%PDF-1.7", "a.csv", "text/csv").json()["mime_type"] == "application/pdf"


def test_a_name_is_only_a_name(user, client, files):
    client.force_login(user)
    name = '../../etc/"pass\r\nwd.png'
    row = upload(client, name=name).json()
    assert "/" not in row["filename"]
    assert "\n" not in row["filename"]
    answer = content_of(client, row["id"])
    assert "\n" not in answer["Content-Disposition"]
    answer.close()
    (path,) = stored(files)
    assert re.fullmatch(r"[0-9a-f]{32}", path.name)


def test_csrf_is_asked_for(user, client):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user)
    assert upload(strict).status_code == 403


def test_a_message_names_it_and_the_model_gets_its_bytes(user, client, settings, shop):
    settings.AGENTUI = {**settings.AGENTUI, "LAUNCHER": "immediate"}
    model = ScriptedAdapter([[Say("A cup.")], [Say("Still a cup.")]])
    shop.model = model
    client.force_login(user)
    pk = upload(client).json()["id"]
    parts = [{"type": "file", "attachment": pk}, {"type": "text", "text": "What is it?"}]
    sent = actions.send_message(user, agent="shop", parts=parts)
    assert Message.objects.get(pk=sent.message.pk).parts[0] == {
        "type": "file",
        "data": pk,
        "mime_type": "image/png",
        "source_type": "attachment",
        "filename": "cup.png",
    }
    file, _ = model.requests[0].messages[0].parts
    assert isinstance(file, FilePart)
    assert base64.b64decode(file.data) == PNG
    assert file.source_type is None
    assert client.delete(f"{ROOT}attachments/{pk}/").status_code == 409
    # Its bytes are gone: the model is told so, and the thread goes on.
    attachment = Attachment.objects.get()
    attachment.file.storage.delete(attachment.file.name)
    actions.send_message(
        user, thread_id=sent.thread.pk, parts=[{"type": "text", "text": "And now?"}]
    )
    assert isinstance(model.requests[1].messages[0].parts[0], TextPart)
    assert "no longer kept" in model.requests[1].messages[0].parts[0].text
    assert content_of(client, pk).status_code == 404


def test_only_ones_own_uploads_can_be_sent_and_in_one_thread(user, other_user, client):
    client.force_login(user)
    parts = [{"type": "file", "attachment": upload(client).json()["id"]}]
    with pytest.raises(InvalidInput):
        actions.send_message(other_user, agent="shop", parts=parts)
    sent = actions.send_message(user, agent="shop", parts=parts)
    with pytest.raises(InvalidInput):
        actions.send_message(user, agent="shop", parts=parts)
    for odd in ("", "x", "../x", "https://evil.example/a.png"):
        with pytest.raises(InvalidInput):
            actions.send_message(user, agent="shop", parts=[{"type": "file", "attachment": odd}])
    assert Attachment.objects.get().thread_id == sent.thread.pk


def test_it_goes_with_its_thread_and_one_that_was_never_sent_after_a_day(user, client, files):
    client.force_login(user)
    sent, kept, old = (upload(client).json()["id"] for _ in range(3))
    thread = actions.send_message(
        user, agent="shop", parts=[{"type": "file", "attachment": sent}]
    ).thread
    assert len(stored(files)) == 3
    actions.delete_thread(user, thread.pk)
    assert len(stored(files)) == 2
    Attachment.objects.filter(pk=old).update(created_at=timezone.now() - timedelta(days=2))
    clean_up()
    assert str(Attachment.objects.get().pk) == kept
    assert len(stored(files)) == 1
    assert client.delete(f"{ROOT}attachments/{kept}/").status_code == 204
    assert stored(files) == []
    with pytest.raises(NotFound):
        actions.get_attachment(user, kept)


@pytest.mark.parametrize("length", ["abc", "1e9", "²"])
def test_a_length_that_is_no_number_is_invalid(api, length):
    answer = api.client.post("/agentui/api/attachments/", {}, headers={"Content-Length": length})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
