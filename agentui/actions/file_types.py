"""What a file is, whatever its sender says.

The first bytes decide, as they do for browsers; so a page can never be made to take HTML for an
image, or the other way round.
"""

from __future__ import annotations

from collections.abc import Collection

_SIGNATURES: dict[str, tuple[bytes, ...]] = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "application/pdf": (b"%PDF-",),
}
UNKNOWN = "application/octet-stream"


def is_what_it_says(content: bytes, mime_type: str) -> bool:
    """False when the content contradicts ``mime_type``. Types without a signature are believed,
    except text, which has to be text."""
    if mime_type == "image/webp":
        return _is_webp(content)
    if mime_type.startswith("text/"):
        return _text(content) is not None
    signatures = _SIGNATURES.get(mime_type)
    return signatures is None or content.startswith(signatures)


def type_of(content: bytes, said: str, allowed: Collection[str] = ()) -> str:
    """The type of these bytes: the one that was said, where it is allowed and fits; else what the
    bytes are. Markup is never plain text."""
    found = sniffed(content)
    said = said.partition(";")[0].strip().lower()
    if (
        said in allowed
        and is_what_it_says(content, said)
        and found in (said, "text/plain", UNKNOWN)
    ):
        return said
    return found


def sniffed(content: bytes) -> str:
    """What the bytes are, without asking anybody."""
    for mime_type, signatures in _SIGNATURES.items():
        if content.startswith(signatures):
            return mime_type
    if _is_webp(content):
        return "image/webp"
    text = _text(content)
    if text is None:
        return UNKNOWN
    return "text/html" if text.lstrip("\ufeff \t\r\n").startswith("<") else "text/plain"


def _is_webp(content: bytes) -> bool:
    return content[:4] == b"RIFF" and content[8:12] == b"WEBP"


def _text(content: bytes) -> str | None:
    if b"\x00" in content:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
