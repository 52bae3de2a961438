"""The users of requests that carry no session: the same functions that the protocols ask."""

from __future__ import annotations

from inspect import isawaitable
from typing import Any

from asgiref.sync import async_to_sync
from django.utils.module_loading import import_string
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from ..conf import app_settings
from ..exceptions import NotSignedIn


class HookAuthentication(BaseAuthentication):
    """``AGENTUI["AUTHENTICATION"]``: functions ``(request) -> user | None``, asked in order.

    A request that one of them knows needs no CSRF token, because no browser sends by itself what
    they look at.
    """

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """Called before the session is looked at. Raises :class:`NotSignedIn`."""
        for path in app_settings.AUTHENTICATION:
            user = _answer(import_string(path)(request._request))
            if user is not None:
                if not user.is_active:
                    raise NotSignedIn
                return user, None
        return None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _answer(user: Any) -> Any:
    async def wait() -> Any:
        return await user

    return async_to_sync(wait)() if isawaitable(user) else user
