"""Files: uploaded by multipart, read as a download by whoever uploaded them."""

from __future__ import annotations

import uuid
from typing import Any

from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from .. import actions
from ..actions.attachments import check_size, download
from ..exceptions import InvalidInput
from ..models import Attachment
from ..runtime.rows import Row
from .base import AgentView

_EXTRA_BYTES = 64 * 1024
"""What a form may have around its file."""


class Attachments(AgentView):
    """A new file, in the field ``file``. It is sent later, by its id in a message's part."""

    parser_classes = [MultiPartParser]

    def post(self, request: Request) -> Response:
        # Before anything is read: Django would write a body of any size to the disk.
        check_size(_length(request) - _EXTRA_BYTES)
        file: Any = request.FILES.get("file")
        if file is None:
            raise InvalidInput("file: give one file as multipart/form-data.")
        check_size(file.size)
        attachment = actions.upload_attachment(
            request.user,
            file.read(),
            filename=file.name or "",
            mime_type=file.content_type or "",
        )
        return Response(attachment_row(attachment), status=201)


class OneAttachment(AgentView):
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        return Response(attachment_row(actions.get_attachment(request.user, pk)))

    def delete(self, request: Request, pk: uuid.UUID) -> Response:
        actions.delete_attachment(request.user, pk)
        return Response(status=204)


class Content(AgentView):
    """The bytes, to their owner. A browser saves them; it never shows them as a page of the site.

    An ``<img>`` may still show what is an image: its type is one that was checked, and is not guessed.
    """

    def get(self, request: Request, pk: uuid.UUID) -> Any:
        return download(actions.get_attachment(request.user, pk))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        if response.status_code == 200:
            # It never changes. The browser keeps it for this person and asks after a day.
            response["Cache-Control"] = "private, max-age=86400, immutable"
            response["Vary"] = "Cookie, Authorization"
        return response


def _length(request: Request) -> int:
    """What the request says of its length; 0 for what is no number, as Django reads it."""
    try:
        return int(request.headers.get("Content-Length") or 0)
    except ValueError:
        return 0


def attachment_row(attachment: Attachment) -> Row:
    return {
        "id": str(attachment.pk),
        "thread": str(attachment.thread_id) if attachment.thread_id else None,
        "filename": attachment.filename,
        "mime_type": attachment.mime_type,
        "size": attachment.size,
        "created_at": attachment.created_at.isoformat(),
    }
