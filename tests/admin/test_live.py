"""What an open page asks for while others work."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agentui.models import Approval, Message, Run, RunEvent, Thread
from agentui.testing import approve, deny
from tests.admin.pages import LIST, page_of, text_of
from tests.admin.rows import waiting

pytestmark = pytest.mark.django_db


def live_of(approval: Approval) -> str:
    return page_of(approval).replace("/change/", "/live/")


def test_the_mark_changes_with_what_the_page_shows(
    decider: Any, staff: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user, expires_in=timedelta(hours=1))
    client = signed_in(decider)
    page = client.get(page_of(approval))
    before = client.get(live_of(approval)).json()
    assert before == {"mark": page.context["live"]["mark"], "busy": False, "waiting": True}
    assert client.get(live_of(approval)).json() == before
    approve(approval, staff)
    after = client.get(live_of(approval)).json()
    assert after["mark"] != before["mark"]
    assert (after["busy"], after["waiting"]) == (True, False)


def test_the_mark_changes_when_the_time_is_over_and_when_it_escalates(
    decider: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user, expires_in=timedelta(hours=1))
    client = signed_in(decider)
    marks = [client.get(live_of(approval)).json()["mark"]]
    Approval.objects.update(escalates_at=timezone.now())
    marks.append(client.get(live_of(approval)).json()["mark"])
    Approval.objects.update(expires_at=timezone.now())
    marks.append(client.get(live_of(approval)).json()["mark"])
    assert len(set(marks)) == 3


def test_the_page_shows_what_the_agent_is_writing(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    run = approval.tool_call.run
    approve(approval, decider)
    Run.objects.filter(pk=run.pk).update(status="running", attempt=2)
    message = run.message
    message.parts = [*message.parts, {"type": "text", "text": "All "}]
    Message.objects.filter(pk=message.pk).update(
        parts=message.parts, status="running", reason="", folded_seq=0
    )
    client = signed_in(decider)
    before = client.get(live_of(approval)).json()
    events = [{"type": "text_delta", "path": [2], "text_delta": "done <b>now</b>."}]
    RunEvent.objects.create(run=run, first=1, last=1, events=events)
    assert client.get(live_of(approval)).json()["mark"] != before["mark"]
    page = client.get(page_of(approval))
    assert "All done <b>now</b>." in text_of(page)
    assert "the agent is working" in text_of(page)
    assert "<b>now</b>" not in page.content.decode()


def test_a_list_learns_what_became_of_its_rows_and_what_is_new(
    decider: Any, staff: Any, user: Any, signed_in: Any
) -> None:
    first, second = waiting(user), waiting(user)
    client = signed_in(decider)
    loaded = client.get(LIST).context["loaded_at"]
    query = {"ids": f"{first.pk},{second.pk},nonsense", "since": loaded}
    assert client.get(f"{LIST}live/", query).json() == {"closed": {}, "new": 0, "waiting": "2"}
    deny(first, staff, "no")
    waiting(user, asked_ago=timedelta(0))
    state = client.get(f"{LIST}live/", query).json()
    assert list(state["closed"]) == [str(first.pk)]
    assert "Already decided: grace denied this on" in state["closed"][str(first.pk)]
    assert (state["new"], state["waiting"]) == (1, "2")


@pytest.mark.parametrize(
    "query", [{}, {"since": "yesterday"}, {"since": "2026-13-77"}, {"ids": ","}]
)
def test_a_list_answers_whatever_it_is_asked(
    query: dict[str, str], decider: Any, user: Any, signed_in: Any
) -> None:
    waiting(user)
    state = signed_in(decider).get(f"{LIST}live/", query).json()
    assert state == {"closed": {}, "new": 0, "waiting": "1"}


def test_nobody_else_is_told(person: Any, user: Any, other_user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    client = signed_in(person("otto", "decide_approval"))
    assert client.get(live_of(approval)).status_code == 404
    hidden = client.get(f"{LIST}live/", {"ids": str(approval.pk)}).json()
    assert hidden["closed"] == {}
    approve(approval, person("joan", "change_effect"))
    assert client.get(f"{LIST}live/", {"ids": str(approval.pk)}).json()["closed"] == {}
    assert signed_in(person("vic", "view_effect")).get(f"{LIST}live/").status_code == 404
    for url in (live_of(approval), f"{LIST}live/"):
        assert "/admin/login/" in signed_in(other_user).get(url).url
        assert client.post(url).status_code == 405


def test_asking_costs_little(
    decider: Any, user: Any, signed_in: Any, django_assert_max_num_queries: Any
) -> None:
    approvals = [waiting(user) for _ in range(5)]
    client = signed_in(decider)
    client.get(f"{LIST}live/")
    with django_assert_max_num_queries(9):
        client.get(live_of(approvals[0]))
    with django_assert_max_num_queries(10):
        client.get(f"{LIST}live/", {"ids": ",".join(str(a.pk) for a in approvals)})


def test_after_a_thread_is_gone_the_decider_is_told_so(
    decider: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    client = signed_in(decider)
    url = page_of(approval).replace("/change/", "/decide/")
    Thread.objects.all().delete()
    response = client.post(url, {"verdict": "approve", "digest": approval.args_digest}, follow=True)
    assert "If its thread was deleted, it was not run. Nothing was decided." in text_of(response)
