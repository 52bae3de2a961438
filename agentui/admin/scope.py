"""What the user of a request may decide, worked out once for the request."""

from __future__ import annotations

from django.http import HttpRequest

from ..actions.inbox import Scope, scope_of


def scope(request: HttpRequest) -> Scope:
    known: Scope | None = getattr(request, "_agentui_scope", None)
    if known is None:
        known = scope_of(request.user)
        request._agentui_scope = known  # type: ignore[attr-defined]
    return known
