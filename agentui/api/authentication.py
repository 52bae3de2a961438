"""The users of requests that carry no session: the same functions that the protocols ask, and the
other way round, the classes of the site's own API for the protocols."""

from __future__ import annotations

from inspect import isawaitable
from typing import Any

from asgiref.sync import async_to_sync
from django.http import HttpRequest
from django.utils.module_loading import import_string
from rest_framework.authentication import (
    BaseAuthentication,
    BasicAuthentication,
    RemoteUserAuthentication,
    SessionAuthentication,
)
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.settings import api_settings

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


#: What a browser sends by itself, once a person has typed it in.
_BY_ITSELF = ("basic", "digest", "negotiate", "ntlm")


_NO_TOKENS = (
    HookAuthentication,
    BasicAuthentication,
    SessionAuthentication,
    RemoteUserAuthentication,
)


def user_of_rest_framework(request: HttpRequest) -> Any:
    """The user whom Django REST framework's ``DEFAULT_AUTHENTICATION_CLASSES`` know by the header
    ``Authorization``: its tokens, a JWT, whatever the site has put there.

    For ``AGENTUI["AUTHENTICATION"]``, so that the protocols let in whom the site's own API lets in.
    Without the header nobody is asked: a cookie, a session, a password that a browser sends by itself
    would need a CSRF token. Raises :class:`NotSignedIn` for what a class refuses. Sync.
    """
    scheme = request.headers.get("Authorization", "").partition(" ")[0].lower()
    if not scheme or scheme in _BY_ITSELF:
        return None
    classes: Any = api_settings.DEFAULT_AUTHENTICATION_CLASSES
    for made in classes:
        if issubclass(made, _NO_TOKENS):
            continue
        try:
            found = made().authenticate(Request(request))
        except APIException as refusal:
            raise NotSignedIn(str(refusal.detail)) from None
        if found is not None:
            return found[0]
    return None


def _answer(user: Any) -> Any:
    async def wait() -> Any:
        return await user

    return async_to_sync(wait)() if isawaitable(user) else user
