"""A rating given in assistant-ui is the rating that the chat shows and that staff find."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from agentui import actions
from agentui.models import Message
from agentui.testing import Say

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def answer(user: Any, script: Any, immediate: None, settings: Any) -> Message:
    settings.ROOT_URLCONF = "tests.protocols.urls"
    script([Say("Hello")])
    sent = actions.send_message(user, parts=[{"type": "text", "text": "Hi"}], agent="tester")
    return sent.run.message


def rate(user: Any, message: Message, **body: Any) -> Any:
    client = Client()
    client.force_login(user)
    thread = f"/agentui/protocols/assistant-cloud/tester/v1/threads/{message.thread_id}"
    path = f"{thread}/messages/{message.pk}/feedback"
    return client.post(path, json.dumps(body), content_type="application/json")


def test_it_is_kept_with_the_answer(user, answer):
    said = rate(user, answer, type="negative", comment="Too short.").json()
    assert said == {"feedback_id": str(answer.pk), "type": "negative", "comment": "Too short."}
    answer.refresh_from_db()
    assert (answer.feedback, answer.feedback_comment) == ("negative", "Too short.")


def test_a_question_is_not_rated(user, answer):
    assert rate(user, answer.parent, type="positive").json()["code"] == "illegal_state"


def test_nobody_rates_for_somebody_else(other_user, answer):
    assert rate(other_user, answer, type="positive").status_code == 404
