"""Many people who decide the same approval at the same moment, in one process of several.

``python -m tests.durable.deciders APPROVAL THREADS EACH`` says ``ready``, waits for a line, and prints
how often each answer came.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import django


def main(approval: str, threads: int, each: int) -> None:
    django.setup()
    import tests.durable.agents  # noqa: F401

    with ThreadPoolExecutor(threads) as pool:
        print("ready", flush=True)
        sys.stdin.readline()
        answers: Counter[str] = Counter()
        for some in pool.map(lambda number: decide(approval, number, each), range(threads)):
            answers.update(some)
    print(json.dumps(answers), flush=True)


def decide(approval: str, number: int, times: int) -> Counter[str]:
    from django.contrib.auth import get_user_model
    from django.db import connection

    from agentui import actions
    from agentui.exceptions import AgentUIError

    answers: Counter[str] = Counter()
    user = get_user_model().objects.get(username=f"staff{number}")
    for n in range(times):
        verdict = "approve" if (number + n) % 2 else "deny"
        try:
            actions.decide_approval(user, approval, verdict=verdict, door="test")
            answers["decided"] += 1
        except AgentUIError as error:
            answers[error.code] += 1
    connection.close()
    return answers


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
