"""Two staff members at the same moment: one wins, one is told so, and it happens once."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection

from agentui.models import Approval, Decision, Message, ToolCall
from tests.admin.pages import answer, text_of
from tests.admin.rows import waiting


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "verdicts", [("approve", "approve"), ("deny", "deny"), ("approve", "deny")]
)
def test_two_staff_decide_at_once(
    verdicts: tuple[str, str], person: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    clients = [signed_in(person(name, "change_effect")) for name in ("joan", "max")]
    start = threading.Barrier(2)
    answers: list[Any] = []

    def decide(client: Any, verdict: str) -> None:
        try:
            start.wait()
            answers.append(answer(client, approval, verdict, reason="because"))
        finally:
            connection.close()

    threads = [
        threading.Thread(target=decide, args=pair) for pair in zip(clients, verdicts, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(response.status_code for response in answers) == [302, 409]
    loser = next(response for response in answers if response.status_code == 409)
    assert "Already decided: " in text_of(loser)
    decision = Decision.objects.get()
    status = {"approve": "approved", "deny": "denied"}[decision.verdict]
    assert Approval.objects.get().status == ToolCall.objects.get().status == status
    assert Message.objects.count() == 2
