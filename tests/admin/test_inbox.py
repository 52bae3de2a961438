"""The list: who sees which rows, in what order, at what cost."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agentui import ApprovalPolicy
from agentui.agents import ApprovalRequest
from agentui.models import Approval
from agentui.testing import approve
from tests.admin.pages import LIST, page_of, text_of
from tests.admin.rows import many_waiting, waiting

pytestmark = pytest.mark.django_db


def allows_small_amounts(user: Any, request: ApprovalRequest) -> bool:
    return int(request.args["amount"]) < 100


def rows_on(response: Any) -> list[str]:
    """The rows of the list, as the ids in their links, in order."""
    found = re.findall(
        r'<th class="field-request_shown"><a href="[^"]*/([0-9a-f-]{36})/change/',
        response.content.decode(),
    )
    return found


def ids(*approvals: Approval) -> list[str]:
    return [str(approval.pk) for approval in approvals]


def test_what_expires_first_comes_first_then_what_is_oldest(
    decider: Any, user: Any, signed_in: Any
) -> None:
    new = waiting(user, asked_ago=timedelta(minutes=1))
    old = waiting(user, asked_ago=timedelta(days=1))
    tomorrow = waiting(user, expires_in=timedelta(days=1))
    soon = waiting(user, expires_in=timedelta(minutes=5))
    decided = approve(waiting(user), decider)
    client = signed_in(decider)
    assert rows_on(client.get(LIST)) == ids(soon, tomorrow, old, new)
    everything = client.get(f"{LIST}?status=all")
    assert rows_on(everything) == ids(soon, tomorrow, old, new, decided)


def test_only_rows_that_one_may_decide(
    decider: Any, person: Any, user: Any, signed_in: Any
) -> None:
    mine = waiting(user)
    waiting(user, policy=ApprovalPolicy(permission="testsite.delete_effect"))
    waiting(user, policy=ApprovalPolicy.user())
    waiting(user, policy=ApprovalPolicy.staff())
    waiting(user, policy=ApprovalPolicy(group="Accounting"))
    assert rows_on(signed_in(decider).get(LIST)) == ids(mine)


def test_rows_by_group_by_staff_and_by_a_rule_of_the_site(
    person: Any, user: Any, signed_in: Any
) -> None:
    by_group = waiting(user, policy=ApprovalPolicy(group="Accounting"))
    by_staff = waiting(user, policy=ApprovalPolicy.staff())
    small = waiting(user, policy=ApprovalPolicy(who=allows_small_amounts), args={"amount": "20"})
    large = waiting(user, policy=ApprovalPolicy(who=allows_small_amounts), args={"amount": "900"})
    member = person("mia")
    member.groups.add(Group.objects.create(name="Accounting"))
    assert set(rows_on(signed_in(member).get(LIST))) == set(ids(by_group, small))
    assert set(rows_on(signed_in(person("sam", "decide_approval")).get(LIST))) == set(
        ids(by_staff, small)
    )
    viewer = signed_in(person("vera", "view_approval"))
    assert set(rows_on(viewer.get(LIST))) == set(ids(by_group, by_staff, small, large))


def test_own_requests_are_seen_and_not_counted(person: Any, signed_in: Any) -> None:
    joan = person("joan", "change_effect")
    own = waiting(joan)
    page = signed_in(joan).get(LIST)
    assert rows_on(page) == ids(own)
    assert "Nothing waits for you" in text_of(page)


def test_what_one_has_decided_stays_in_view(person: Any, user: Any, signed_in: Any) -> None:
    rule = ApprovalPolicy(who=allows_small_amounts)
    sam = person("sam")
    done = approve(waiting(user, policy=rule, args={"amount": "20"}), sam)
    waiting(user, policy=rule, args={"amount": "30"})
    assert rows_on(signed_in(sam).get(f"{LIST}?status=approved")) == ids(done)


def test_staff_who_decide_nothing_see_no_inbox(person: Any, user: Any, signed_in: Any) -> None:
    waiting(user)
    client = signed_in(person("otto", "view_effect"))
    assert client.get(LIST).status_code == 403
    assert "Approvals" not in text_of(client.get("/admin/"))


def test_the_inbox_is_there_for_a_tools_deciders_also_while_nothing_waits(
    decider: Any, signed_in: Any
) -> None:
    client = signed_in(decider)
    assert "Approvals" in text_of(client.get("/admin/"))
    assert "Nothing waits for you" in text_of(client.get(LIST))


def test_threads_runs_and_calls_need_the_permission_to_view_them(
    decider: Any, person: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user)
    rows = (approval.thread, approval.tool_call.run, approval.tool_call)
    client = signed_in(decider)
    viewer = signed_in(person("vera", "view_thread", "view_run", "view_toolcall"))
    for row in rows:
        assert client.get(page_of(row)).status_code in (302, 403)
        assert viewer.get(page_of(row)).status_code == 200
    assert page_of(approval.thread) not in client.get(page_of(approval)).content.decode()


def test_the_index_counts_what_waits(decider: Any, user: Any, signed_in: Any) -> None:
    for _ in range(3):
        waiting(user)
    waiting(user, expires_in=timedelta(seconds=-1))
    client = signed_in(decider)
    assert "Approvals (3)" in text_of(client.get("/admin/"))
    assert "3 requests wait for you" in text_of(client.get(LIST))
    many_waiting(user, 120)
    assert "Approvals (99+)" in text_of(client.get("/admin/"))


def test_filters(decider: Any, user: Any, other_user: Any, signed_in: Any) -> None:
    hour = waiting(user, expires_in=timedelta(minutes=30))
    over = waiting(user, expires_in=timedelta(seconds=-5))
    free = waiting(other_user, asked_ago=timedelta(days=3))
    tool = waiting(user, tool_name="ship_order", agent="shop", expires_in=timedelta(days=3))
    client = signed_in(decider)

    def listed(query: str) -> list[str]:
        return rows_on(client.get(f"{LIST}?{query}"))

    assert listed("left=hour") == ids(hour)
    assert listed("left=over") == ids(over)
    assert listed("left=none") == ids(free)
    assert listed("tool=ship_order") == listed("agent=shop") == ids(tool)
    assert listed(f"requester={other_user.pk}") == listed("age=older") == ids(free)
    assert listed("status=denied") == []
    assert client.get(f"{LIST}?requester=nobody").status_code == 302


def test_a_viewer_can_ask_for_what_they_may_decide(person: Any, user: Any, signed_in: Any) -> None:
    mine = waiting(user)
    waiting(user, policy=ApprovalPolicy.staff())
    both = signed_in(person("kim", "change_effect", "view_approval"))
    assert len(rows_on(both.get(LIST))) == 2
    assert rows_on(both.get(f"{LIST}?who=me")) == ids(mine)


@pytest.mark.parametrize("written", ["Käse 😀", "K\\u00e4se \\ud83d\\ude00"])
def test_search_finds_arguments_however_they_were_escaped(
    written: str, decider: Any, user: Any, signed_in: Any
) -> None:
    found = waiting(user, args_text='{"note": "' + written + '"}')
    waiting(user)
    client = signed_in(decider)
    for words in ("Käse", "😀", "'Käse 😀'", "refund käse", user.username + " Käse"):
        assert rows_on(client.get(LIST, {"q": words})) == ids(found) or words == "refund käse"
    assert rows_on(client.get(LIST, {"q": "nowhere"})) == []
    assert client.get(LIST, {"q": "\x00"}).status_code == 200


def test_the_list_says_that_arguments_go_on(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user, args={"note": "x" * 500})
    page = text_of(signed_in(decider).get(LIST))
    assert f"… {len(approval.tool_call.args_text)} characters in all" in page


def test_the_list_costs_the_same_for_few_rows_and_for_many(
    decider: Any, user: Any, signed_in: Any, django_assert_max_num_queries: Any
) -> None:
    waiting(user)
    client = signed_in(decider)
    client.get(LIST)
    with django_assert_max_num_queries(20) as few:
        client.get(LIST)
    many_waiting(user, 300)
    with django_assert_max_num_queries(len(few)) as many:
        client.get(LIST)
    assert len(many) == len(few)


def test_a_page_costs_the_same_for_a_long_thread(
    staff: Any, user: Any, signed_in: Any, django_assert_max_num_queries: Any
) -> None:
    first = waiting(user)
    client = signed_in(staff)
    client.get(page_of(first))
    with django_assert_max_num_queries(40) as short:
        client.get(page_of(first))
    for _ in range(12):
        last = waiting(user, thread=first.thread)
    with django_assert_max_num_queries(len(short) + 1):
        client.get(page_of(last))
    with django_assert_max_num_queries(len(short) + 1):
        client.get(page_of(first.thread))


def test_a_request_that_is_over_is_not_offered(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user)
    Approval.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    page = text_of(signed_in(decider).get(page_of(approval)))
    assert "The time to decide this request is over" in page
    assert "Yes, approve" not in page


def test_whoever_approved_what_was_changed_afterwards_is_asked_again(
    person: Any, user: Any, signed_in: Any
) -> None:
    policy = ApprovalPolicy(
        permission="testsite.change_effect", required=2, editable=("amount", "note")
    )
    approval = waiting(user, policy=policy)
    first, second = (person(name, "change_effect") for name in ("joan", "mary"))
    approve(approval, first)
    assert "Nothing waits for you" in text_of(signed_in(first).get(LIST))
    approve(approval, second, args_text='{"order_id": 17, "amount": "1.00"}')
    assert "1 request waits for you" in text_of(signed_in(first).get(LIST))
    assert "Nothing waits for you" in text_of(signed_in(second).get(LIST))


def test_the_groups_of_a_user_are_read_once(person: Any, user: Any, signed_in: Any) -> None:
    joan = person("joan")
    for name in ("Accounting", "Managers", "Night shift"):
        joan.groups.add(Group.objects.create(name=name))
        waiting(user, policy=ApprovalPolicy(group=name))
    client = signed_in(joan)
    with CaptureQueriesContext(connection) as queries:
        assert "3 requests wait for you" in text_of(client.get(LIST))
    assert sum('"auth_group"."name" FROM' in query["sql"] for query in queries) == 1
