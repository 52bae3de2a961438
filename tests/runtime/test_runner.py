"""The runs of one process: which work is broken off, and which must not be."""

from __future__ import annotations

import pytest

from agentui import actions
from agentui.models import ToolCall
from agentui.runtime.database import in_database
from agentui.runtime.runner import runner
from agentui.testing import Call, Gate, Say, settled

from .conftest import send

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_run_taken_up_again_here_is_not_taken_for_its_last_attempt(user, script, running):
    """A quick answer of a browser resumes the run before the process has looked at it again."""
    gate = Gate()
    script([Call("ask", {"question": "?"})], [gate, Say("Thanks.")])
    sent = await send(user)
    await settled(sent.run)
    call = await in_database(ToolCall.objects.get)
    await in_database(actions.submit_tool_result, user, call.pk, tab="t", result="yes")
    await gate.reached()
    runner().abandon(sent.run.pk, 1)
    gate.open()
    run = await settled(sent.run)
    assert (run.status, run.attempt) == ("complete", 2)
