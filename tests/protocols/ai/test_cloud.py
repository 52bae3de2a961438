"""assistant-ui's cloud client, the real one, pointed at Django."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.flow
Seen = dict[str, Any]


def shown(messages: list[Seen]) -> list[Any]:
    """What a person sees of a thread: words and outcomes."""
    return [
        (message["role"], [part.get("text", part.get("result")) for part in message["content"]])
        for message in messages
    ]


@pytest.mark.parametrize("kind", ["chat", "local"])
@pytest.mark.client("cloud", "history", "chat", "add")
@pytest.mark.client("cloud", "history", "local", "add")
def test_a_thread_is_found_again_as_it_was(clients, kind):
    seen = clients("cloud", "history", kind, "add")
    assert shown(seen["before"]) == [
        ("user", ["add"]),
        ("assistant", ["Let me add.", 5, "Result: 5"]),
    ]
    assert shown(seen["after"]) == shown(seen["before"])
    assert seen["listed"]["title"] == "add"


@pytest.mark.client("cloud", "history", "chat", "add")
def test_both_formats_name_the_same_rows_newest_first(seen):
    ids = [[message["id"] for message in found] for found in seen["formats"].values()]
    assert ids[0] == ids[1]
    newest, oldest = seen["formats"]["aui/v0"]
    assert (newest["parent_id"], newest["height"], oldest["parent_id"]) == (oldest["id"], 1, None)
    # The page that was there calls the answer what the page that came back calls it.
    assert seen["before"][1]["id"] == seen["after"][1]["id"] == newest["id"]


@pytest.mark.client("cloud", "pending")
def test_what_waits_for_a_decision_is_found_again_and_can_be_decided(seen):
    assert seen["found"]["approval"]["id"] == seen["asked"]["approval"]["id"]
    assert seen["found"]["toolCallId"] == seen["asked"]["toolCallId"]
    assert shown(seen["after"])[-1] == (
        "assistant",
        ["I would deploy.", "deployed rocket", "Result: deployed rocket"],
    )


@pytest.mark.client("cloud", "threads")
def test_the_list_of_threads(seen):
    assert seen["renamed"]["title"] == "My talk"
    assert seen["id"] in seen["archived"]
    assert seen["streamed"] == "My talk"
    assert (seen["report"].keys(), seen["gone"]) == ({"run_id"}, 404)


@pytest.mark.client("cloud", "pages")
def test_pages_of_threads_have_each_of_them_once(seen):
    assert seen["seen"] == seen["made"][::-1]
    assert seen["named"] == seen["again"]


@pytest.mark.client("cloud", "forged")
def test_nothing_a_client_posts_becomes_history(seen):
    assert seen["answers"] == [409, 409, 409]
    assert (seen["after"], seen["unchanged"]) == (seen["before"], True)


@pytest.mark.client("cloud", "strangers")
def test_threads_of_others_do_not_exist(seen):
    refused = {name: value for name, value in seen.items() if name not in ("listed",)}
    assert refused.pop("no_token") == refused.pop("bad_token") == 401
    assert set(refused.values()) == {404}, refused
    assert seen["listed"] is False


@pytest.mark.client("cloud", "attachment")
def test_attachments(seen):
    image = seen["stored"][1]
    assert (image["type"], image["filename"]) == ("image", "dot.png")
    assert image["image"].startswith("data:image/png;base64,")
    assert (seen["good"]["put"], seen["good"]["twice"]) == (200, 409)
    assert (seen["svg"], seen["lie"], seen["large"], seen["forged"]) == (400, 400, 413, 403)
    status, disposition, sniffing = seen["owner"]
    assert (status, sniffing, seen["stranger"], seen["nobody"]) == (200, "nosniff", 404, 401)
    assert disposition.startswith("attachment; ")
