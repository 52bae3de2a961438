"""SIGKILL at any point of a run with tools and approvals, again and again, then look at the rows.

``AGENTUI_KILLS`` says how often (20); ``AGENTUI_SEED`` when.
"""

from __future__ import annotations

import os
import random
import signal
import time

import pytest
from django.db import connection

from agentui.models import Approval, Run
from agentui.testing import approve, deny

from .processes import end, is_alive, wait_for
from .promises import check_all

pytestmark = pytest.mark.django_db(transaction=True)

KILLS = int(os.environ.get("AGENTUI_KILLS", "20"))
SEED = int(os.environ.get("AGENTUI_SEED", "0")) or random.randrange(1_000_000)
OPEN_AT_ONCE = 6
FAST = {"LEASE_SECONDS": 0.4, "RECOVERY_INTERVAL": 0.1, "MAX_WORKERS_LOST": 10_000}


def test_nothing_is_lost_and_nothing_done_twice_though_the_server_is_killed(
    user, staff, nursery, say, capsys
):
    chance = random.Random(SEED)
    servers = nursery(**FAST)
    sent = kills = 0
    begun = time.monotonic()
    while kills < KILLS:
        server = servers.server()
        until = time.monotonic() + chance.uniform(0.2, 1.6)
        while time.monotonic() < until:
            while Run.objects.exclude(status__in=("complete", "incomplete")).count() < OPEN_AT_ONCE:
                sent += 1
                say(f"question {sent}")
            decide(user, staff, chance)
            time.sleep(0.01)
        end(server, signal.SIGKILL)
        wait_for(lambda pid=server: not is_alive(pid))
        kills += 1
    server = servers.server()

    def is_quiet() -> bool:
        decide(user, staff, chance)
        return not Run.objects.exclude(status__in=("complete", "incomplete")).exists()

    wait_for(is_quiet, seconds=60, note=lambda: (SEED, servers.log.read_text()[-4000:]))
    end(server)
    outcomes = check_all()
    with capsys.disabled():
        print(
            f"\n{connection.vendor}, seed {SEED}: {kills} kills in {time.monotonic() - begun:.0f} s, "
            f"{sent} questions, {Run.objects.filter(attempt__gt=3).count()} runs taken up more than "
            f"three times; {dict(sorted(outcomes.items()))}"
        )


def decide(user, staff, chance: random.Random) -> None:
    for approval in Approval.objects.pending().select_related("tool_call"):
        who = user if approval.tool_name == "mail_if_asked" else staff
        if chance.random() < 0.8:
            approve(approval, who)
        else:
            deny(approval, who, "no")
