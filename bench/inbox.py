"""What the inbox costs with 10, 1,000 and 10,000 requests that wait, and a bulk approval of 1,500.

    AGENTUI_TEST_DATABASE=postgres python bench/inbox.py      (SQLite without the variable)

Time is the server's, from the request to the rendered page, through middleware and templates. The
database is made for the purpose and dropped.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.models import Permission  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import (  # noqa: E402
    CaptureQueriesContext,
    setup_databases,
    setup_test_environment,
    teardown_databases,
)

from agentui.agents import registry  # noqa: E402
from agentui.models import Approval  # noqa: E402
from tests.admin.pages import LIST, act, confirm, page_of, text_of  # noqa: E402
from tests.admin.rows import desk, many_waiting, waiting  # noqa: E402

REPEAT = 25
SIZES = (10, 1_000, 10_000)


def measured(ask: Callable[[], Any]) -> tuple[float, float, int]:
    """Median and slowest in milliseconds, and the number of queries."""
    ask()
    times = []
    for _ in range(REPEAT):
        start = time.perf_counter()
        ask()
        times.append((time.perf_counter() - start) * 1000)
    with CaptureQueriesContext(connection) as queries:
        ask()
    return statistics.median(times), max(times), len(queries)


def main() -> None:
    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        with registry.temporary(desk):
            _run()
    finally:
        teardown_databases(databases, verbosity=0)


def _run() -> None:
    users = get_user_model().objects
    customer = users.create_user("ada", password="x")
    staff = users.create_user("joan", password="x", is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(codename="change_effect"))
    client = Client()
    client.force_login(staff)
    one = waiting(customer)
    print(f"{connection.vendor}; median / slowest of {REPEAT}, in ms")
    print(f"{'waiting':>8}  {'list':>22}  {'search':>22}  {'request':>22}  {'REST inbox':>22}")
    for size in SIZES:
        many_waiting(customer, size - Approval.objects.count())
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        line = [f"{size:>8}"]
        for path in (LIST, f"{LIST}?q=order_id", page_of(one), "/agentui/api/approvals/waiting/"):
            median, slowest, queries = measured(lambda path=path: client.get(path))
            line.append(f"{median:7.1f} /{slowest:7.1f} ({queries:2d})")
        print("  ".join(line), flush=True)
    rows = list(Approval.objects.pending()[:1_500])
    Approval.objects.exclude(pk__in=[row.pk for row in rows]).update(status="cancelled")
    start = time.perf_counter()
    report = confirm(client, act(client, "approve_selected", rows[:1], select_across="1"))
    while "still to do" in text_of(report):
        report = confirm(client, report)
    print(f"bulk approval of {len(rows):,}: {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
