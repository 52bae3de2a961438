"""Files as clients send them. Sync; reads only files this user has given us before."""

from __future__ import annotations

import base64
import binascii
from typing import Any
from urllib.parse import unquote_to_bytes

from ..actions.attachments import clean_name
from ..exceptions import InvalidInput
from .items import Row


def file_from_url(url: Any, media_type: Any = None, filename: Any = None) -> Row:
    """A file part from a ``data:`` address.

    Another address is kept as it is, for :func:`with_attachments` to find among the user's own
    uploads, or to refuse: the server fetches nothing that a client names.
    """
    if not isinstance(url, str):
        raise InvalidInput("A file needs a url.")
    named: Row = {}
    if isinstance(filename, str) and (name := clean_name(filename)):
        named["filename"] = name
    if not url.startswith("data:"):
        return {"type": "file", "url": url, **named}
    header, found, data = url[len("data:") :].partition(",")
    if not found:
        raise InvalidInput("A file's data address has no data.")
    kind, *options = header.split(";")
    try:
        raw = (
            base64.b64decode(data, validate=True) if "base64" in options else unquote_to_bytes(data)
        )
    except (binascii.Error, ValueError):
        raise InvalidInput("A file's data must be base64.") from None
    mime_type = kind or (media_type if isinstance(media_type, str) else "") or "text/plain"
    text = base64.b64encode(raw).decode()
    return {"type": "file", "data": text, "mime_type": mime_type, **named}
