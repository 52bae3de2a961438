"""Files that a user uploads before sending a message. Sync.

They lie in Django's storage (the alias ``agentui`` if there is one, else ``default``), in a folder of
their owner's, under a name we make. What a file is, its bytes say, not its name or its header; only
``AGENTUI["ALLOWED_ATTACHMENT_TYPES"]`` are kept. They are read by their owner only, as a download. The
server fetches nothing by an address: an address in a message is one of these, or is refused.
"""

from __future__ import annotations

import base64
import re
import uuid
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import InvalidStorageError, storages

from ..conf import app_settings
from ..exceptions import Conflict, InvalidInput, NotFound, NotPermitted, TooLarge
from .items import Row

_SALT = "agentui.attachments"
_KEY = re.compile(r"[0-9a-f]{32}")

_MAGIC = (
    ("image/png", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("image/jpeg", re.compile(rb"\xff\xd8\xff")),
    ("image/gif", re.compile(rb"GIF8[79]a")),
    ("image/webp", re.compile(rb"RIFF....WEBP", re.DOTALL)),
    ("application/pdf", re.compile(rb"%PDF-")),
)


def new_upload(user: Any) -> tuple[str, str]:
    """The key of a file that is to come, and a token that lets its bytes in for a quarter hour."""
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
    mime_type = allowed_type(data)
    name = _name(allowed["user"], allowed["key"])
    storage = _storage()
    if storage.exists(name):
        raise Conflict("This address has been used. Ask for another.")
    storage.save(name, ContentFile(data))
    return mime_type


def read_upload(user: Any, key: str) -> tuple[bytes, str]:
    """A file of this user's, and its type; raises :class:`NotFound` for anything else."""
    if not _KEY.fullmatch(key):
        raise NotFound
    try:
        with _storage().open(_name(str(user.pk), key)) as file:
            data: bytes = file.read()
    except OSError:
        raise NotFound from None
    return data, allowed_type(data)


def with_attachments(user: Any, parts: list[Row]) -> list[Row]:
    """The parts of a message with the files that are named by their address put in.

    Files that came with the message are looked at like uploads. Raises :class:`InvalidInput` for an
    address that is not an upload of this user's.
    """
    return [_resolved(user, part) if part["type"] == "file" else part for part in parts]


def allowed_type(data: bytes) -> str:
    """What the bytes are, if that is kept here. Raises :class:`InvalidInput`, :class:`TooLarge`."""
    if len(data) > app_settings.MAX_ATTACHMENT_BYTES:
        raise TooLarge(f"A file may have {app_settings.MAX_ATTACHMENT_BYTES:,} bytes.")
    found = sniffed(data)
    if found not in app_settings.ALLOWED_ATTACHMENT_TYPES:
        raise InvalidInput(f"Files like this one ({found}) are not accepted here.")
    return found


def sniffed(data: bytes) -> str:
    """The type of these bytes; markup is never plain text."""
    for mime_type, magic in _MAGIC:
        if magic.match(data):
            return mime_type
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return "application/octet-stream"
    if "\0" in text:
        return "application/octet-stream"
    start = text.lstrip("\ufeff \t\r\n").lower()
    return "text/html" if start.startswith("<") else "text/plain"


def _resolved(user: Any, part: Row) -> Row:
    named = {"filename": part["filename"]} if part.get("filename") else {}
    if "url" in part:
        key = urlsplit(part["url"]).path.rstrip("/").rpartition("/")[2]
        try:
            data, mime_type = read_upload(user, key)
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


def _name(owner: str, key: str) -> str:
    return f"agentui/attachments/{owner}/{key}"


def _storage() -> Any:
    try:
        return storages["agentui"]
    except InvalidStorageError:
        return storages["default"]
