"""What happens elsewhere while a page is open, and what the site then has."""

from __future__ import annotations

import time
from typing import Any

from tests.protocols.live.people import decide, person


def pending(site: dict[str, Any], text: str) -> dict[str, Any]:
    """The approval that staff are asked for, whose arguments have this text; waits for it."""
    deadline = time.monotonic() + 20
    with person(site, "grace") as staff:
        while time.monotonic() < deadline:
            rows = staff.get("approvals/", params={"status": "pending"}).json()["approvals"]
            for row in rows:
                if text in row["args_text"]:
                    found: dict[str, Any] = row
                    return found
            time.sleep(0.1)
    raise AssertionError(f"nobody asks about {text}")


def decide_elsewhere(site: dict[str, Any], text: str, verdict: str, reason: str = "") -> None:
    decide(site, pending(site, text)["id"], verdict, reason)


def stored(site: dict[str, Any], title: str) -> dict[str, Any]:
    """The messages of ada's thread with this title, as the REST API has them."""
    with person(site, "ada") as ada:
        threads = ada.get("threads/", params={"search": title}).json()["threads"]
        assert len(threads) == 1, threads
        page: dict[str, Any] = ada.get(f"threads/{threads[0]['id']}/messages/").json()
        return page
