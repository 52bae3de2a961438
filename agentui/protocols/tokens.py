"""Tokens for clients that send no cookies: a JWT (RFC 7519, HS256), as assistant-ui's cloud client needs.

For that client it is made by a request that has the session's cookie and CSRF token, and lives ten
minutes; the client asks for the next one by itself. For scripts and other servers
``manage.py agentui_token`` makes one that lives as long as it is told to. The key is derived from
``SECRET_KEY`` for this purpose alone (``SECRET_KEY_FALLBACKS`` are accepted). The token carries a digest
of the user's session hash, so a changed password ends it, and a user who is deactivated is refused.
Django signs nothing in this form; these few lines need no further package. ``alg`` is never read:
there is only one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.encoding import force_bytes

from ..conf import app_settings
from ..exceptions import NotSignedIn

_PURPOSE = "agentui.protocols.tokens"
_HEADER = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').rstrip(b"=").decode()


def make_token(user: Any, *, seconds: int | None = None) -> tuple[str, int]:
    """A token for this user, and the second at which it ends: after ``seconds``, or else after
    ``CLOUD_TOKEN_SECONDS``."""
    expires = int(time.time()) + (app_settings.CLOUD_TOKEN_SECONDS if seconds is None else seconds)
    claims = {"sub": str(user.pk), "exp": expires, "aud": "agentui", "auth": _session_digest(user)}
    body = f"{_HEADER}.{_encoded(json.dumps(claims).encode())}"
    return f"{body}.{_signature(body, settings.SECRET_KEY)}", expires


def user_of_token(request: HttpRequest) -> Any:
    """The user of a token of ours in ``Authorization: Bearer``; None when there is none.

    For ``AGENTUI["AUTHENTICATION"]``. Raises :class:`NotSignedIn` for one of ours that is over
    or forged; a Bearer of another form is left to others. Sync.
    """
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.startswith(_HEADER + "."):
        return None
    claims = _claims(token)
    if claims is None or claims.get("aud") != "agentui":
        # Made by somebody else with the same header; or by nobody.
        return None
    if not isinstance(claims.get("exp"), int) or claims["exp"] <= time.time():
        raise NotSignedIn("The token has expired. Ask for another.")
    users = get_user_model()
    user = users._default_manager.filter(pk=claims["sub"]).first()
    if user is None or not user.is_active:
        raise NotSignedIn
    if not constant_time_compare(str(claims.get("auth")), _session_digest(user)):
        raise NotSignedIn
    return user


def _claims(token: str) -> dict[str, Any] | None:
    body, _, signature = token.rpartition(".")
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if not any(constant_time_compare(signature, _signature(body, key)) for key in keys):
        return None
    try:
        text = body.partition(".")[2]
        claims = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (binascii.Error, ValueError):
        return None
    return claims if isinstance(claims, dict) else None


def _signature(body: str, secret: str | bytes) -> str:
    key = hashlib.sha256(f"{_PURPOSE}\n".encode() + force_bytes(secret)).digest()
    return _encoded(hmac.new(key, body.encode(), hashlib.sha256).digest())


def _session_digest(user: Any) -> str:
    return salted_hmac(_PURPOSE, user.get_session_auth_hash(), algorithm="sha256").hexdigest()[:16]


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
