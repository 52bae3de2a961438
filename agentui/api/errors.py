"""Every refusal in one form: ``{"code", "message", "details"?}``, whoever refused."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions as drf
from rest_framework.response import Response

from ..exceptions import (
    AgentUIError,
    InvalidInput,
    NotFound,
    NotPermitted,
    NotSignedIn,
    Throttled,
    TooLarge,
)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an error; None for a fault of ours, which Django logs and answers with 500."""
    refusal = to_agentui_error(error)
    if refusal is None:
        return None
    return Response(refusal.to_json(), status=refusal.status, headers=_headers(error, refusal))


def to_agentui_error(error: Exception) -> AgentUIError | None:
    """What this error is in our words; None when it is none that a client should be told of."""
    match error:
        case AgentUIError():
            return error
        case Http404() | drf.NotFound():
            return NotFound()
        case drf.NotAuthenticated():
            return NotSignedIn()
        case drf.AuthenticationFailed():
            return NotSignedIn(str(error.detail))
        case drf.PermissionDenied() | PermissionDenied():
            return _not_permitted(error)
        case drf.Throttled():
            return Throttled()
        case RequestDataTooBig():
            return TooLarge()
        case drf.ParseError() | drf.ValidationError():
            return InvalidInput(_text(error.detail))
        case drf.APIException():
            return _other(error)
    return None


def _not_permitted(error: Exception) -> AgentUIError:
    refusal = NotPermitted()
    # DRF's session authentication, whichever class of it the site uses, says this by its text only.
    if str(getattr(error, "detail", "")).startswith("CSRF Failed"):
        refusal.code = "csrf_failed"
        refusal.message = (
            "This request does not carry the page's CSRF token. Reload the page, and send the "
            "token in the X-CSRFToken header."
        )
    return refusal


def _other(error: drf.APIException) -> AgentUIError:
    """Method not allowed, not acceptable, unsupported media type, or an error of the site's own."""
    refusal = AgentUIError(_text(error.detail))
    code = error.get_codes()
    refusal.code = code if isinstance(code, str) else "invalid"
    refusal.status = error.status_code
    return refusal


def _text(detail: Any) -> str:
    while isinstance(detail, list | dict) and detail:
        detail = detail[0] if isinstance(detail, list) else next(iter(detail.values()))
    return str(detail)


def _headers(error: Exception, refusal: AgentUIError) -> dict[str, str]:
    headers = {}
    if refusal.status == 401:
        # A 401 without this header is not valid HTTP; browsers open no window for "Session".
        headers["WWW-Authenticate"] = getattr(error, "auth_header", None) or "Session"
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(max(round(wait), 1))
    return headers
