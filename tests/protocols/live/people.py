"""What people do meanwhile, through the REST API of a live site."""

from __future__ import annotations

from typing import Any

import httpx


def person(site: dict[str, Any], name: str) -> httpx.Client:
    """The REST API as this person uses it, with a token."""
    token = site["people"][name]["token"]
    return httpx.Client(
        base_url=f"{site['url']}/agentui/api/", headers={"Authorization": f"Bearer {token}"}
    )


def decide(site: dict[str, Any], approval: str, verdict: str, reason: str = "") -> None:
    """Staff decide."""
    with person(site, "grace") as staff:
        body = {"verdict": verdict, "reason": reason}
        answer = staff.post(f"approvals/{approval}/decide/", json=body)
        assert answer.status_code == 200, answer.text
