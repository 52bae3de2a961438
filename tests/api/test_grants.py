"""Standing answers and recorded outcomes through the API."""

from __future__ import annotations

from typing import Any

from agentui.models import CallRecord, Grant, ToolCall
from tests.api.conftest import Api


def grant_of(giver: Any, **fields: Any) -> Grant:
    return Grant.objects.create(agent="shop", tool_name="refund", granted_by=giver, **fields)


def test_i_see_what_i_gave_and_what_is_about_my_calls(
    api: Api, other_api: Api, user: Any, other_user: Any
) -> None:
    given, about = grant_of(user), grant_of(other_user, user=user)
    grant_of(other_user)
    first = api.get("grants/", limit=1).data
    assert [row["id"] for row in first["grants"]] == [str(about.pk)]
    assert first["grants"][0]["may_revoke"] is False
    second = api.get("grants/", limit=1, cursor=first["next"]).data
    assert [row["id"] for row in second["grants"]] == [str(given.pk)]
    assert (second["grants"][0]["may_revoke"], second["next"]) == (True, None)
    assert len(other_api.get("grants/").data["grants"]) == 2


def test_revoke(api: Api, other_api: Api, user: Any, other_user: Any) -> None:
    grant = grant_of(other_user, user=user)
    refused = api.post(f"grants/{grant.pk}/revoke/", {})
    assert (refused.status_code, refused.data["code"]) == (403, "not_permitted")
    row = other_api.post(f"grants/{grant.pk}/revoke/", {}).data
    assert row["revoked_at"] is not None
    assert row["may_revoke"] is False
    assert other_api.post(f"grants/{grant.pk}/revoke/", {}).data == row


def test_record_an_outcome(api: Api, staff_api: Api, paused: Any) -> None:
    ToolCall.objects.filter(pk=paused.refund.pk).update(status="interrupted")
    path = f"tool-calls/{paused.refund.pk}/outcome/"
    assert api.post(path, {"finding": "done"}).status_code == 404
    assert staff_api.post(path, {"finding": "maybe"}).status_code == 400
    answer = staff_api.post(path, {"finding": "done", "result": 7, "note": "I looked."})
    assert (answer.status_code, answer.data["finding"]) == (200, "done")
    assert (answer.data["tool_call"]["status"], answer.data["tool_call"]["result"]) == (
        "complete",
        7,
    )
    again = staff_api.post(path, {"finding": "done"})
    assert (again.status_code, again.data["code"]) == (409, "illegal_state")
    assert CallRecord.objects.get().door == "api"
