"""The CopilotKit cases that are about the loop; the others run in the front end's own tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentui import actions
from agentui.actions.inputs import checked_request
from agentui.models import ToolCall
from agentui.testing import Call
from tests.agents import tester

pytestmark = pytest.mark.django_db(transaction=True)

CASES = json.loads((Path(__file__).parents[1] / "cases" / "copilotkit.json").read_text())


def test_ck12_a_model_that_calls_for_ever_comes_to_its_limit(
    user: Any, script: Any, immediate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = next(case["agentui"] for case in CASES if case["id"] == "CK12")
    monkeypatch.setattr(tester, "max_roundtrips", 8)
    script(*[[Call("x", {})] for _ in range(50)])
    run = actions.send_message(
        user,
        agent="tester",
        parts=[{"type": "text", "text": "Go"}],
        request=checked_request([{"name": "x"}]),
    ).run
    assert run is not None
    for _ in range(50):
        call = ToolCall.objects.filter(run=run, finished_at=None).first()
        if call is None:
            break
        actions.submit_tool_result(user, call.pk, tab="t", result="r")
    run.refresh_from_db()
    assert [run.status, run.reason] == wanted["status"]
    assert run.roundtrips == wanted["roundtrips"]
