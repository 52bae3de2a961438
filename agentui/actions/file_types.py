"""Whether a file is of the type its sender says.

The first bytes decide, as they do for browsers; so a page can never be made to take HTML for an
image, or the other way round.
"""

from __future__ import annotations

_SIGNATURES: dict[str, tuple[bytes, ...]] = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "application/pdf": (b"%PDF-",),
}


def is_what_it_says(content: bytes, mime_type: str) -> bool:
    """False when the content contradicts ``mime_type``. Types without a signature are believed,
    except text, which has to be text."""
    if mime_type == "image/webp":
        return content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    if mime_type.startswith("text/"):
        return _is_text(content)
    signatures = _SIGNATURES.get(mime_type)
    return signatures is None or content.startswith(signatures)


def _is_text(content: bytes) -> bool:
    if b"\x00" in content:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
