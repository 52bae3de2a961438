"""Files that people sent: staff who read the message save its files, and nobody else."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.core.files.base import ContentFile

from agentui.models import Approval, Attachment
from tests.admin.pages import page_of
from tests.admin.rows import waiting

pytestmark = pytest.mark.django_db

NAME = 'cup "of" <tea>.png'


@pytest.fixture
def with_file(user: Any) -> Approval:
    """A request for approval; the message that led to it came with a file."""
    approval = waiting(user)
    send(user, approval, "broken", NAME)
    return approval


def send(user: Any, approval: Approval, content: str, name: str = "other.png") -> Attachment:
    """A file in the message that the call answers."""
    attachment = Attachment(
        owner=user, thread=approval.thread, mime_type="image/png", filename=name, size=len(content)
    )
    attachment.file.save("", ContentFile(content.encode()), save=False)
    attachment.save()
    question = approval.tool_call.message.parent
    question.parts = [
        *question.parts,
        {
            "type": "file",
            "data": str(attachment.pk),
            "mime_type": "image/png",
            "source_type": "attachment",
            "filename": name,
        },
    ]
    question.save()
    return attachment


def links(response: Any) -> list[str]:
    found = re.findall(r'class="agentui-file" href="([^"]*)"', response.content.decode())
    return [html.unescape(link) for link in found]


@pytest.mark.parametrize("page", ["approval", "thread"])
def test_it_is_saved_from_the_page_that_shows_its_message(
    with_file: Approval, person: Any, signed_in: Any, page: str
) -> None:
    codename = {"approval": "change_effect", "thread": "view_thread"}[page]
    browser = signed_in(person("joan", codename))
    row = with_file if page == "approval" else with_file.thread
    (link,) = links(browser.get(page_of(row)))
    answer = browser.get(link)
    assert b"".join(answer.streaming_content) == b"broken"
    assert answer["Content-Disposition"].startswith("attachment;")
    assert (answer["X-Content-Type-Options"], answer["Content-Type"]) == ("nosniff", "image/png")
    assert browser.post(link).status_code == 405


def test_whoever_does_not_see_the_page_gets_no_file(
    with_file: Approval, person: Any, signed_in: Any, client: Any, user: Any
) -> None:
    """Neither staff without the permission, nor its owner through the admin, nor nobody."""
    file = Attachment.objects.get()
    of_approval = page_of(with_file).replace("change/", f"files/{file.pk}/")
    of_thread = page_of(with_file.thread).replace("change/", f"files/{file.pk}/")
    for browser in (signed_in(person("max")), signed_in(user), client):
        assert browser.get(of_approval).status_code in (302, 403, 404)
        assert browser.get(of_thread).status_code in (302, 403, 404)
    decider = signed_in(person("joan", "change_effect"))
    assert decider.get(of_thread).status_code == 403
    assert b"".join(decider.get(of_approval).streaming_content) == b"broken"


def test_a_page_gives_the_files_of_its_own_messages_only(
    with_file: Approval, person: Any, signed_in: Any, user: Any
) -> None:
    other = send(user, waiting(user), "not yours to see")
    unsent = Attachment.objects.create(owner=user, mime_type="image/png", size=1, file="none")
    browser = signed_in(person("joan", "change_effect", "view_thread"))
    for row in (with_file, with_file.thread):
        for attachment in (other, unsent):
            address = page_of(row).replace("change/", f"files/{attachment.pk}/")
            assert browser.get(address).status_code == 404


def test_a_file_that_the_storage_lost_is_not_there(
    with_file: Approval, person: Any, signed_in: Any
) -> None:
    file = Attachment.objects.get()
    file.file.storage.delete(file.file.name)
    browser = signed_in(person("joan", "view_thread"))
    (link,) = links(browser.get(page_of(with_file.thread)))
    assert browser.get(link).status_code == 404
