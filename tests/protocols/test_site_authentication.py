"""The protocols let in whom the site's own API lets in, by the classes of REST framework."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed

from agentui.protocols.tokens import make_token
from agentui.runtime.database import in_database

pytestmark = pytest.mark.django_db(transaction=True)

MODELS = "/agentui/protocols/openai/v1/models"
STOP = "/agentui/protocols/ag-ui/tester/stop"
BODY = '{"threadId": "t"}'


class KeyAuthentication(BaseAuthentication):
    """``Authorization: Key ada``; and a cookie, which a browser sends by itself."""

    def authenticate(self, request: Any) -> Any:
        scheme, _, name = request.headers.get("Authorization", "").partition(" ")
        name = name if scheme == "Key" else request.COOKIES.get("key", "")
        if not name:
            return None
        user = User.objects.filter(username=name).first()
        if user is None:
            raise AuthenticationFailed("No such key.")
        return user, None


@pytest.fixture(autouse=True)
def _site(settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.protocols.urls"
    settings.REST_FRAMEWORK = {
        "DEFAULT_AUTHENTICATION_CLASSES": [
            "rest_framework.authentication.SessionAuthentication",
            "rest_framework.authentication.BasicAuthentication",
            "tests.protocols.test_site_authentication.KeyAuthentication",
        ]
    }
    settings.AGENTUI = {
        "AUTHENTICATION": [
            "agentui.protocols.tokens.user_of_token",
            "agentui.api.authentication.user_of_rest_framework",
        ]
    }


async def ask(path: str = MODELS, cookie: str = "", **headers: str) -> int:
    client = AsyncClient(enforce_csrf_checks=True)
    if cookie:
        client.cookies["key"] = cookie
    if path == STOP:
        answer = await client.post(path, BODY, content_type="application/json", headers=headers)
    else:
        answer = await client.get(path, headers=headers)
    return answer.status_code


async def test_a_token_of_the_site_is_a_token_here(user):
    assert await ask(Authorization=f"Key {user.username}") == 200
    assert await ask(STOP, Authorization=f"Key {user.username}") == 200, "needs no CSRF token"
    ours, _ = await in_database(make_token, user)
    assert await ask(Authorization=f"Bearer {ours}") == 200


@pytest.mark.parametrize("header", ["Key nobody", "Bearer x", "Key", "Basic YWRhOnNlY3JldA=="])
async def test_what_the_site_does_not_know_is_let_in_nowhere(user, header):
    await in_database(user.set_password, "secret")
    await in_database(user.save)
    assert await ask(Authorization=header) == 401


async def test_what_a_browser_sends_by_itself_lets_nobody_in(user):
    assert await ask(cookie=user.username) == 401
    assert await ask(STOP, cookie=user.username) == 401


async def test_somebody_who_was_switched_off_stays_outside(user):
    user.is_active = False
    await in_database(user.save)
    assert await ask(Authorization=f"Key {user.username}") == 401


async def test_a_session_still_needs_its_csrf_token(user):
    client = AsyncClient(enforce_csrf_checks=True)
    await client.aforce_login(user)
    sent = {"content_type": "application/json", "headers": {"Authorization": "Other x"}}
    assert (await client.post(STOP, BODY, **sent)).status_code == 403
