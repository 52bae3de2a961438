"""What a reader says of an answer, and a queued message that cannot wait."""

from __future__ import annotations

import asyncio
import uuid

import pytest
from django.contrib.auth import get_user_model

from agentui import actions
from agentui.exceptions import IllegalState, InvalidInput, NotFound
from agentui.models import Message
from agentui.runtime.database import in_database
from agentui.runtime.rows import message_row
from agentui.testing import Gate, Say, open_socket, settled

from .conftest import send

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def answered(user, script, immediate):
    script([Say("Hi.")])
    sent = actions.send_message(user, agent="tester", parts=[{"type": "text", "text": "Hello"}])
    return Message.objects.get(thread=sent.thread, role="assistant")


def test_an_answer_is_rated_and_the_rating_taken_back(user, answered):
    version = Message.objects.get(pk=answered.pk).version
    rated = actions.set_feedback(user, answered.pk, "negative", comment=" Wrong order. ")
    assert rated.version > version
    shown = message_row(Message.objects.get(pk=answered.pk))["feedback"]
    assert shown == {"rating": "negative", "comment": "Wrong order."}
    actions.set_feedback(user, answered.pk, None, comment="nothing")
    assert message_row(Message.objects.get(pk=answered.pk))["feedback"] is None


def test_only_an_answer_of_ones_own_thread_and_only_by_the_words_there_are(user, answered):
    stranger = get_user_model().objects.create_user("stranger")
    with pytest.raises(NotFound):
        actions.set_feedback(stranger, answered.pk, "positive")
    with pytest.raises(IllegalState):
        actions.set_feedback(user, answered.parent_id, "positive")
    for rating, comment in (("great", ""), ("", ""), ("positive", "x" * 2001)):
        with pytest.raises(InvalidInput):
            actions.set_feedback(user, answered.pk, rating, comment=comment)
    assert Message.objects.get(pk=answered.pk).feedback == ""


async def test_a_queued_message_is_sent_at_once_when_its_owner_says_so(user, script, running):
    gate = Gate()
    script([Say("1"), gate, Say("2")], [Say("Three it is.")], [Say("Then two.")])
    first = await send(user, "one")
    await gate.reached()
    await send(user, "two", thread_id=first.thread.pk)
    three = await send(user, "three", thread_id=first.thread.pk)
    await in_database(actions.steer_queued_message, user, three.message.pk)
    asked: list[str] = []
    for _ in range(200):
        asked = await in_database(
            lambda: [
                m.text
                for m in Message.objects.filter(
                    thread=first.thread.pk, role="user", status="complete"
                ).order_by("seq")
            ]
        )
        if len(asked) == 3:
            break
        await asyncio.sleep(0.02)
    assert asked == ["one", "three", "two"]
    run = await settled(first.run)
    assert (run.status, run.reason) == ("incomplete", "cancelled")
    with pytest.raises(IllegalState):
        await in_database(actions.steer_queued_message, user, three.message.pk)


async def test_a_message_keeps_the_id_of_the_command_that_made_it(user, script, running):
    script([Say("Hi.")])
    command = str(uuid.uuid4())
    async with open_socket(user) as page:
        parts = [{"type": "text", "text": "Hello"}]
        answer = await page.command("send_message", id=command, agent="tester", parts=parts)
        await page.command("subscribe", thread=answer["thread"])
        snapshot = await page.until("snapshot")
    assert snapshot["messages"][0]["metadata"]["command"] == command
