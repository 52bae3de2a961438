"""What a client may send, checked once for every door.

Roles, statuses, owners, parents and ids of rows are never taken from a client; only what is listed
here is.
"""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    TypeAdapter,
    ValidationError,
)

from ..conf import app_settings
from ..core.clean import TooDeep, clean
from ..exceptions import EmptyMessage, InvalidInput, TooLarge
from ..runtime.store import RunRequest
from .file_types import is_what_it_says
from .page_tools import checked_tools
from .validation import first_problem


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class TextInput(_Strict):
    type: Literal["text"]
    text: str


class FileInput(_Strict):
    type: Literal["file"]
    data: str
    mime_type: str = Field(max_length=100)
    filename: str | None = Field(default=None, max_length=200)


class UploadInput(BaseModel):
    """A file that was uploaded before. Its name and type are those of the upload."""

    model_config = ConfigDict(extra="ignore", strict=True)

    type: Literal["file"]
    attachment: str = Field(max_length=64)


class ContextInput(BaseModel):
    """Something the page says about itself for the model to know."""

    model_config = ConfigDict(extra="ignore")

    description: str = Field(max_length=1000)
    value: str = Field(max_length=20_000)


def _kind(part: Any) -> Any:
    """Which form a part has to have. Errors then speak of that form only."""
    kind = part.get("type") if isinstance(part, dict) else None
    return "upload" if kind == "file" and "attachment" in part else kind


_AnyFile = Annotated[FileInput, Tag("file")] | Annotated[UploadInput, Tag("upload")]
_TYPE = Discriminator(
    _kind,
    custom_error_type="part_type",
    custom_error_message='a part is an object with "type": "text" or "type": "file"',
)
_PARTS = TypeAdapter(
    Annotated[
        list[Annotated[Annotated[TextInput, Tag("text")] | _AnyFile, _TYPE]],
        Field(max_length=50),
    ]
)
_CONTEXT = TypeAdapter(Annotated[list[ContextInput], Field(max_length=50)])


def checked_parts(parts: Any) -> list[dict[str, Any]]:
    """The parts of a user's message, cleaned. Uploads are still named by ``attachment``.

    Raises :class:`EmptyMessage`, :class:`TooLarge` or :class:`InvalidInput`.
    """
    taken = _validated(_PARTS, parts, "parts")
    stored: list[dict[str, Any]] = []
    size = 0
    for part in taken:
        if isinstance(part, TextInput):
            text = clean(part.text)
            size += len(text)
            if text.strip():
                stored.append({"type": "text", "text": text})
        elif isinstance(part, UploadInput):
            stored.append({"type": "file", "attachment": part.attachment})
        else:
            stored.append(_file(part))
    if not stored:
        raise EmptyMessage
    if size > app_settings.MAX_MESSAGE_CHARS:
        raise TooLarge(
            f"A message may have {app_settings.MAX_MESSAGE_CHARS:,} characters; "
            f"this one has {size:,}."
        )
    return stored


def checked_request(tools: Any = None, context: Any = None, run_config: Any = None) -> RunRequest:
    """What the page sends along with a message. Raises :class:`InvalidInput`."""
    kept, refused = checked_tools([] if tools is None else tools)
    if refused:
        raise InvalidInput(f"tools.{refused[0]['name']}: {refused[0]['message']}")
    if run_config is not None and not isinstance(run_config, dict):
        raise InvalidInput("run_config must be an object.")
    try:
        return RunRequest(
            tools=kept,
            context=[
                {"description": clean(item.description), "value": clean(item.value)}
                for item in _validated(_CONTEXT, context or [], "context")
            ],
            config=clean(run_config or {}),
        )
    except TooDeep as error:
        raise InvalidInput(str(error)) from None


def title_from(parts: list[dict[str, Any]]) -> str:
    """A first title for the thread: the beginning of what was asked."""
    text = " ".join(" ".join(p["text"] for p in parts if p["type"] == "text").split())
    if len(text) <= 60:
        return text
    return text[:60].rsplit(" ", 1)[0].rstrip(",.;:") + "…"


def _file(part: FileInput) -> dict[str, Any]:
    if part.mime_type not in app_settings.ALLOWED_ATTACHMENT_TYPES:
        raise InvalidInput(f"Files of type {part.mime_type[:50]} are not accepted here.")
    try:
        content = base64.b64decode(part.data, validate=True)
    except (binascii.Error, ValueError):
        # Also what an address would be: the server never fetches what a client names.
        raise InvalidInput("A file's data must be base64.") from None
    if not is_what_it_says(content, part.mime_type):
        raise InvalidInput(f"This file is not {part.mime_type}.")
    stored = {"type": "file", "data": part.data, "mime_type": part.mime_type}
    if part.filename:
        stored["filename"] = clean(part.filename)
    return stored


def _validated(adapter: TypeAdapter[Any], value: Any, name: str) -> Any:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        raise InvalidInput(first_problem(error, name)) from None
