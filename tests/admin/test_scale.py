"""Ten thousand requests that wait: the list reads by index, and asks as often as for ten."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.admin.pages import LIST, act, confirm, text_of
from tests.admin.rows import many_waiting, waiting

MANY = 10_000


def plan_of(sql: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + sql)
        return "\n".join(str(row[0]) for row in cursor.fetchall())


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.django_db
def test_the_list_of_ten_thousand(decider: Any, user: Any, signed_in: Any) -> None:
    waiting(user)
    client = signed_in(decider)
    client.get(LIST)
    with CaptureQueriesContext(connection) as few:
        client.get(LIST)
    many_waiting(user, MANY)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as many:
        page = client.get(LIST)
    assert f"{MANY + 1:,}".replace(",", "") in text_of(page).replace(",", "")
    assert len(many) == len(few)
    rows = next(q["sql"] for q in many.captured_queries if "LIMIT 50" in q["sql"])
    # The order of the list is the order of the index: nothing is sorted, and 50 rows are read.
    assert "agentui_approval_pending" in plan_of(rows)
    # What is only counted is not looked into.
    counting = [q["sql"] for q in many.captured_queries if "COUNT(" in q["sql"]]
    assert counting
    assert not [sql for sql in counting if "agentui_toolcall" in sql]
    assert 'policy" ->' not in "".join(q["sql"] for q in many.captured_queries)


@pytest.mark.django_db(transaction=True)
def test_each_of_many_costs_a_fixed_number_of_queries(
    decider: Any, user: Any, signed_in: Any
) -> None:
    client = signed_in(decider)
    counts = []
    for number in (1, 5, 25):
        rows = many_waiting(user, number)
        shown = act(client, "approve_selected", rows)
        with CaptureQueriesContext(connection) as queries:
            confirm(client, shown)
        counts.append(len(queries))
    each, rest = divmod(counts[2] - counts[1], 20)
    assert (each <= 19, rest) == (True, 0), counts
