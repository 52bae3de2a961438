"""Django 6's content security policy, for Django 5.2: the same setting, the same header."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse


def content_security(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware that sends ``SECURE_CSP`` with every answer."""
    policy = "; ".join(
        " ".join([directive, *sources]) for directive, sources in settings.SECURE_CSP.items()
    )

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy)
        return response

    return middleware
