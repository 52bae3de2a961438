"""Files that a person uploads and then sends with a message.

What a file is, its bytes say; only ``AGENTUI["ALLOWED_ATTACHMENT_TYPES"]`` are kept. It is read by its
owner, and by staff who may read the message it is in. The server never fetches an address that a
client names.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction
from django.http import FileResponse

from ..conf import app_settings
from ..core.clean import clean
from ..exceptions import Conflict, InvalidInput, NotFound, TooLarge
from ..models import Attachment, Thread
from .file_types import type_of
from .lookups import signed_in


def upload_attachment(
    user: Any,
    content: bytes,
    *,
    filename: str = "",
    mime_type: str = "",
    pk: uuid.UUID | None = None,
) -> Attachment:
    """Keep a file until it is sent. ``mime_type`` is what the sender takes it for.

    Raises :class:`TooLarge`, :class:`InvalidInput` for a type that is not kept here or for bytes
    that contradict it, and :class:`Conflict` where ``pk`` has been used.
    """
    signed_in(user)
    check_size(len(content))
    found = type_of(content, mime_type, app_settings.ALLOWED_ATTACHMENT_TYPES)
    if found not in app_settings.ALLOWED_ATTACHMENT_TYPES:
        raise InvalidInput(f"Files like this one ({found}) are not accepted here.")
    attachment = Attachment(
        owner=user, mime_type=found, filename=clean_name(filename), size=len(content)
    )
    attachment.pk = pk or attachment.pk
    try:
        with transaction.atomic():
            # The row first: two uploads under one key never write to one name.
            attachment.save(force_insert=True)
            attachment.file.save("", ContentFile(content), save=False)
            attachment.save(update_fields=["file"])
    except IntegrityError:
        raise Conflict("This address has been used. Ask for another.") from None
    return attachment


def get_attachment(user: Any, attachment_id: Any) -> Attachment:
    """A file of this user's. Raises :class:`NotFound` for anything else."""
    try:
        pk = uuid.UUID(str(attachment_id))
    except ValueError:
        raise NotFound from None
    found = Attachment.objects.of(signed_in(user)).filter(pk=pk).first()
    if found is None:
        raise NotFound
    return found


def delete_attachment(user: Any, attachment_id: Any) -> None:
    """Take back a file that was not sent."""
    attachment = get_attachment(user, attachment_id)
    if not Attachment.objects.unsent().filter(pk=attachment.pk).delete()[0]:
        raise Conflict("This file has been sent with a message.")


def attach(user: Any, thread: Thread, parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts as a row keeps them: uploads that they name belong to the thread from now on.

    Raises :class:`InvalidInput` for an upload that is not the user's, or is in another thread.
    """
    return [_attached(user, thread, part) if "attachment" in part else part for part in parts]


def download(attachment: Attachment) -> FileResponse:
    """The bytes as an answer that a browser saves and never shows as a page of the site.

    The caller has checked who may have it. Raises :class:`NotFound` when the storage no longer has
    it.
    """
    try:
        file = attachment.file.open()
    except OSError:
        raise NotFound from None
    # FileResponse escapes the name; it is the sender's.
    response = FileResponse(
        file,
        as_attachment=True,
        filename=attachment.filename or str(attachment.pk),
        content_type=attachment.mime_type,
    )
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def check_size(size: int) -> None:
    """Raises :class:`TooLarge`."""
    if size > app_settings.MAX_ATTACHMENT_BYTES:
        raise TooLarge(f"A file may have {app_settings.MAX_ATTACHMENT_BYTES:,} bytes.")


def clean_name(filename: str) -> str:
    """A file's name in one line, without folders."""
    return " ".join(clean(_without_folders(filename)).split())[-200:]


def _without_folders(filename: str) -> str:
    # No expression that looks for the last slash: on a long name without one it would take its square.
    return filename.replace("\\", "/").rpartition("/")[2]


def _attached(user: Any, thread: Thread, part: dict[str, Any]) -> dict[str, Any]:
    try:
        attachment = get_attachment(user, part["attachment"])
    except NotFound:
        raise InvalidInput("A file of this message was not uploaded, or is not yours.") from None
    mine = Attachment.objects.filter(pk=attachment.pk)
    if not mine.filter(thread=thread).exists() and not mine.unsent().update(thread=thread):
        raise InvalidInput("A file of this message was sent in another chat. Upload it again.")
    stored = {
        "type": "file",
        "data": str(attachment.pk),
        "mime_type": attachment.mime_type,
        "source_type": "attachment",
    }
    return {**stored, "filename": attachment.filename} if attachment.filename else stored
