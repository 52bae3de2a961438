"""Attachments as the cloud client uploads them: it asks for an address, then puts the bytes there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from ...conf import app_settings
from ...exceptions import AgentUIError, MethodNotAllowed, TooLarge
from ...runtime.database import in_database
from .. import aui
from ..attachments import new_upload, read_upload, store_upload
from ..http import error_response, protocol_view, read_json

_SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
}


@protocol_view("POST")
async def presigned_upload(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """An address for one upload, and the address at which its owner reads it."""
    await read_json(request)
    key, token = new_upload(user)
    ends = datetime.now(UTC) + timedelta(seconds=app_settings.UPLOAD_SECONDS)
    return JsonResponse(
        {
            "success": True,
            "signedUrl": _url(request, "upload", agent, token=token),
            "expiresAt": aui.timestamp(ends),
            "publicUrl": _url(request, "file", agent, key=key),
            "key": key,
        }
    )


@protocol_view("POST")
async def presigned_download(request: HttpRequest, user: Any, agent: str) -> HttpResponseBase:
    """The address of a file, again: it is read with the session or a token, and needs no signature."""
    body = await read_json(request)
    key = str(body.get("key") or str(body.get("url")).rstrip("/").rpartition("/")[2])
    await in_database(read_upload, user, key)
    ends = datetime.now(UTC) + timedelta(seconds=app_settings.UPLOAD_SECONDS)
    address = {"signedUrl": _url(request, "file", agent, key=key), "key": key}
    return JsonResponse({**address, "expiresAt": aui.timestamp(ends)})


@csrf_exempt
async def upload(request: HttpRequest, agent: str, token: str) -> HttpResponseBase:
    """Take the bytes. The address itself is the permission: the client sends nothing else along."""
    try:
        if request.method != "PUT":
            raise MethodNotAllowed
        limit = app_settings.MAX_ATTACHMENT_BYTES
        data = request.read(limit + 1)
        if len(data) > limit:
            raise TooLarge(f"A file may have {limit:,} bytes.")
        await in_database(store_upload, token, data)
    except AgentUIError as error:
        return error_response(error)
    return HttpResponse(status=200)


@protocol_view("GET")
async def file(request: HttpRequest, user: Any, agent: str, key: str) -> HttpResponseBase:
    """A file, to its owner, as a download: nothing a person uploads is shown as a page of the site."""
    data, mime_type = await in_database(read_upload, user, key)
    response = HttpResponse(data, content_type=mime_type)
    name = f"{key}{_SUFFIXES.get(mime_type, '')}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["Cache-Control"] = "private, max-age=3600"
    return response


def _url(request: HttpRequest, name: str, agent: str, **values: str) -> str:
    prefix = request.resolver_match.view_name.rpartition(":")[0] if request.resolver_match else ""
    full = f"{prefix}:cloud_{name}" if prefix else f"cloud_{name}"
    return request.build_absolute_uri(reverse(full, kwargs={"agent": agent, **values}))
