"""Files that people sent, for the staff who read their messages."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_GET

from ..actions.attachments import download
from ..core.parts import FilePart
from ..exceptions import NotFound
from ..models import Attachment, Message
from .base import ReadOnlyAdmin


class WithFiles(ReadOnlyAdmin):
    """A page with messages: whoever may see it saves the files of those messages, and no others.

    Under the page's own address, so that there is one permission: that of the page.
    """

    def shows_file(self, obj: Any, pk: uuid.UUID) -> bool:
        """Is this file in a message that this row's page shows?"""
        raise NotImplementedError

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_GET(self.file_view))
        return [
            path("<path:object_id>/files/<uuid:pk>/", view, name=_name(self.model)),
            *super().get_urls(),
        ]

    def file_view(self, request: HttpRequest, object_id: str, pk: uuid.UUID) -> Any:
        """The file as a download; never shown as a page of this site."""
        obj = self.get_object(request, unquote(object_id))
        if obj is None:
            raise Http404
        if not self.has_view_permission(request, obj):
            raise PermissionDenied
        attachment = Attachment.objects.filter(pk=pk).first()
        if attachment is None or not self.shows_file(obj, pk):
            raise Http404
        try:
            return download(attachment)
        except NotFound:
            raise Http404 from None


def file_url(site: AdminSite, page: Model, file: FilePart) -> str:
    """Where this row's page offers the file; empty for one that was not uploaded."""
    if file.source_type != "attachment":
        return ""
    try:
        return reverse(f"{site.name}:{_name(type(page))}", args=[page.pk, uuid.UUID(file.data)])
    except ValueError:
        return ""


def _name(model: type[Model]) -> str:
    return f"{model._meta.app_label}_{model._meta.model_name}_file"


def is_in(messages: Iterable[Message], pk: uuid.UUID) -> bool:
    """Is this upload in one of the messages?"""
    return any(
        (part["type"], part.get("source_type"), part.get("data")) == ("file", "attachment", str(pk))
        for message in messages
        for part in message.parts
    )
