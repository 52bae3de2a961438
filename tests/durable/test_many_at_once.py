"""A thousand decisions on one approval: one execution, the others get a clear answer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from agentui.models import Approval, Decision, Run, ToolCall
from tests.models import Effect

from .processes import ROOT, end, environment, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres, pytest.mark.slow]

PROCESSES, THREADS, EACH = 4, 10, 25
_DECIDERS = (sys.executable, "-m", "tests.durable.deciders")


def test_a_thousand_decisions_at_once_are_one_execution(nursery, say, user):
    servers = nursery(RECOVERY_INTERVAL=0.2)
    server = servers.server()
    say("question")
    wait_for(lambda: Run.objects.filter(status="requires_action").exists())
    for number in range(THREADS):
        get_user_model().objects.create_superuser(f"staff{number}", password="x")
    approval = Approval.objects.get(tool_name="refund")
    ready = [
        subprocess.Popen(
            [*_DECIDERS, str(approval.pk), str(THREADS), str(EACH)],
            cwd=ROOT,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    connection.close()
    for process in ready:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in ready:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers: Counter[str] = Counter()
    for process in ready:
        answers.update(json.loads(process.communicate(timeout=120)[0]))
    wait_for(lambda: ToolCall.objects.get(tool_name="refund").finished_at)
    end(server)
    verdict = Decision.objects.get(approval=approval).verdict
    assert answers.total() == PROCESSES * THREADS * EACH == 1000
    assert set(answers) == {"decided", "already_decided"}, answers
    assert answers["decided"] == 1
    call = ToolCall.objects.get(tool_name="refund")
    assert call.status == {"approve": "complete", "deny": "denied"}[verdict]
    done = Effect.objects.filter(key=call.idempotency_key).count()
    assert done == (verdict == "approve")
