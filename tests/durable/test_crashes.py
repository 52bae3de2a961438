"""SIGKILL at any point of a run with tools and approvals, again and again, then look at the rows.

``AGENTUI_KILLS`` says how often (20); ``AGENTUI_SEED`` when.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from agentui import actions
from agentui.models import Approval, Run
from agentui.testing import approve, deny

from . import agents  # noqa: F401  registers the agent
from .processes import Nursery, end, is_alive, wait_for
from .promises import check_all

pytestmark = pytest.mark.django_db(transaction=True)

KILLS = int(os.environ.get("AGENTUI_KILLS", "20"))
SEED = int(os.environ.get("AGENTUI_SEED", "0")) or random.randrange(1_000_000)
OPEN_AT_ONCE = 6
FAST = {"LEASE_SECONDS": 0.4, "RECOVERY_INTERVAL": 0.1, "MAX_WORKERS_LOST": 10_000}


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    connection.close()
    nursery = Nursery(tmp_path / "server.log", **FAST)
    yield nursery
    nursery.close()


def test_nothing_is_lost_and_nothing_done_twice_though_the_server_is_killed(
    user, staff, nursery, capsys
):
    chance = random.Random(SEED)
    sent = kills = 0
    begun = time.monotonic()
    while kills < KILLS:
        server = nursery.server()
        until = time.monotonic() + chance.uniform(0.2, 1.6)
        while time.monotonic() < until:
            while Run.objects.exclude(status__in=("complete", "incomplete")).count() < OPEN_AT_ONCE:
                sent += 1
                say(user, f"question {sent}")
            decide(user, staff, chance)
            time.sleep(0.01)
        end(server, signal.SIGKILL)
        wait_for(lambda pid=server: not is_alive(pid))
        kills += 1
    server = nursery.server()

    def is_quiet() -> bool:
        decide(user, staff, chance)
        return not Run.objects.exclude(status__in=("complete", "incomplete")).exists()

    wait_for(is_quiet, seconds=60, note=lambda: (SEED, nursery.log.read_text()[-4000:]))
    end(server)
    outcomes = check_all()
    with capsys.disabled():
        print(
            f"\n{connection.vendor}, seed {SEED}: {kills} kills in {time.monotonic() - begun:.0f} s, "
            f"{sent} questions, {Run.objects.filter(attempt__gt=3).count()} runs taken up more than "
            f"three times; {dict(sorted(outcomes.items()))}"
        )


def say(user, text: str) -> None:
    actions.send_message(user, agent="stayer", parts=[{"type": "text", "text": text}])


def decide(user, staff, chance: random.Random) -> None:
    for approval in Approval.objects.pending().select_related("tool_call"):
        who = user if approval.tool_name == "mail_if_asked" else staff
        if chance.random() < 0.8:
            approve(approval, who)
        else:
            deny(approval, who, "no")
