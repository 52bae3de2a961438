"""What this endpoint keeps to know a repeated request again, and for how long."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import AsyncClient
from django.utils import timezone

from agentui.models import ClientCommand, Message
from agentui.runtime.database import in_database
from agentui.runtime.recovery import clean_up
from agentui.testing import Say

pytestmark = pytest.mark.django_db(transaction=True)

URL = "/agentui/protocols/openai/v1/chat/completions"
BODY = {"model": "tester", "messages": [{"role": "user", "content": "Go"}]}


@pytest.fixture(autouse=True)
def _site(settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.protocols.urls"


async def test_answers_to_requests_are_forgotten_after_a_day(user, running, script):
    script(*([Say("Done.")] for _ in range(2)))
    client = AsyncClient()
    await client.aforce_login(user)

    async def ask() -> int:
        answer = await client.post(
            URL,
            json.dumps(BODY),
            content_type="application/json",
            headers={"Idempotency-Key": "once"},
        )
        assert answer.status_code == 200
        return await Message.objects.filter(role="user").acount()

    assert (await ask(), await ask()) == (1, 1)
    await in_database(clean_up)
    assert await ask() == 1
    rows = ClientCommand.objects.filter(user=user)
    assert await rows.acount() == 1
    await rows.aupdate(created_at=timezone.now() - timedelta(hours=25))
    await in_database(clean_up)
    assert await rows.acount() == 0
    assert await ask() == 2
