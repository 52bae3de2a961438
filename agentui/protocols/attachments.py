"""Files that a client uploads before sending a message. Sync.

They lie where the chat page's own lie (:mod:`agentui.actions.attachments`), and are read by their owner
only, as a download. The server fetches nothing by an address: an address in a message is one of these,
or is refused.
"""

from __future__ import annotations

import base64
import uuid
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth import get_user_model
from django.core import signing
from django.urls import NoReverseMatch, reverse

from ..actions.attachments import check_size, get_attachment, upload_attachment
from ..actions.file_types import sniffed
from ..conf import app_settings
from ..exceptions import InvalidInput, NotFound, NotPermitted
from .items import Row

_SALT = "agentui.attachments"


def new_upload(user: Any) -> tuple[str, str]:
    """The key of a file that is to come, and a token that lets its bytes in for a quarter of an hour."""
    key = uuid.uuid4().hex
    return key, signing.dumps({"user": str(user.pk), "key": key}, salt=_SALT)


def store_upload(token: str, data: bytes) -> str:
    """Keep the bytes for which the token was made, once; returns their type.

    Raises :class:`NotPermitted`, :class:`Conflict`, :class:`TooLarge`, :class:`InvalidInput`.
    """
    try:
        allowed = signing.loads(
            token, salt=_SALT, max_age=timedelta(seconds=app_settings.UPLOAD_SECONDS)
        )
    except signing.BadSignature:
        raise NotPermitted("This upload address is not valid any more. Ask for another.") from None
    user = get_user_model()._default_manager.filter(pk=allowed["user"], is_active=True).first()
    if user is None:
        raise NotPermitted("This upload address is not valid any more. Ask for another.")
    return upload_attachment(user, data, pk=uuid.UUID(allowed["key"])).mime_type


def read_upload(user: Any, key: str) -> tuple[bytes, str]:
    """A file of this user's, and its type; raises :class:`NotFound` for anything else."""
    attachment = get_attachment(user, key)
    data = attachment.read()
    if data is None:
        raise NotFound
    return data, attachment.mime_type


def with_attachments(user: Any, parts: list[Row]) -> list[Row]:
    """The parts of a message with the files that are named by their address put in.

    Files that came with the message are looked at like uploads. Raises :class:`InvalidInput` for an
    address that is not an upload of this user's.
    """
    return [_resolved(user, part) if part["type"] == "file" else part for part in parts]


def allowed_type(data: bytes) -> str:
    """What the bytes are, if that is kept here. Raises :class:`InvalidInput`, :class:`TooLarge`."""
    check_size(len(data))
    found = sniffed(data)
    if found not in app_settings.ALLOWED_ATTACHMENT_TYPES:
        raise InvalidInput(f"Files like this one ({found}) are not accepted here.")
    return found


def address_of(attachment_id: str) -> str:
    """Where its owner reads a file; a path of this site."""
    try:
        return reverse("agentui:api-attachment-content", kwargs={"pk": attachment_id})
    except NoReverseMatch:
        return f"attachment:{attachment_id}"


def _resolved(user: Any, part: Row) -> Row:
    named = {"filename": part["filename"]} if part.get("filename") else {}
    if "url" in part:
        try:
            data, mime_type = read_upload(user, _key_in(part["url"]))
        except NotFound:
            raise InvalidInput(
                "A file must come with the message or be uploaded before; "
                "the server fetches no addresses."
            ) from None
    else:
        data = base64.b64decode(part["data"])
        mime_type = allowed_type(data)
    text = base64.b64encode(data).decode()
    return {"type": "file", "data": text, "mime_type": mime_type, **named}


def _key_in(url: str) -> str:
    """The last step of the address, or the one before where the address is :func:`address_of`'s."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""  # No address at all, so none of ours.
    return path.rstrip("/").removesuffix("/content").rpartition("/")[2]
