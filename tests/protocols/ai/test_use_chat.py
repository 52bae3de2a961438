"""``useChat`` of the AI SDK, the real hook, against a real server process."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.flow


def text(message: dict[str, Any]) -> str:
    return "".join(part["text"] for part in message["parts"] if part["type"] == "text")


def call_of(message: dict[str, Any]) -> dict[str, Any]:
    (call,) = [part for part in message["parts"] if part["type"].startswith("tool-")]
    return call


def plain(message: dict[str, Any]) -> dict[str, Any]:
    """Without what differs on purpose between a page that was there and one that reads it back."""
    parts = []
    for part in message["parts"]:
        # The chunk of a file has no place for its name.
        part = {k: v for k, v in part.items() if k not in ("providerExecuted", "filename")}
        approval = {k: v for k, v in part.get("approval", {}).items() if k != "descriptor"}
        parts.append({**part, "approval": approval} if approval else part)
    return {"id": message["id"], "role": message["role"], "parts": parts}


def check_same(seen: dict[str, Any]) -> None:
    """Live and read back it is one conversation: ids, order, parts, states."""
    assert [plain(one) for one in seen["messages"]] == [plain(one) for one in seen["stored"]]


@pytest.mark.client("use_chat", "say", "hello")
def test_text_streams_in(seen):
    assert seen["status"] == "ready"
    assert text(seen["messages"][-1]) == "You said: hello"
    assert seen["messages"][-1]["metadata"]["status"] == {"type": "complete", "reason": "stop"}
    check_same(seen)


@pytest.mark.client("use_chat", "say", "think")
def test_reasoning_is_shown_apart(seen):
    kinds = [part["type"] for part in seen["messages"][-1]["parts"]]
    assert kinds == ["step-start", "reasoning", "text"]
    check_same(seen)


@pytest.mark.client("use_chat", "say", "add")
def test_a_server_tool_runs_there_and_the_client_sends_nothing_by_itself(seen):
    call = call_of(seen["messages"][-1])
    assert (call["state"], call["output"]) == ("output-available", 5)
    assert text(seen["messages"][-1]) == "Let me add.Result: 5"
    assert (seen["posts"], seen["toolCalls"]) == (1, [])
    check_same(seen)


@pytest.mark.client("use_chat", "say", "page")
def test_a_page_tool_goes_to_the_page_and_back_in_one_message(seen):
    assert [message["role"] for message in seen["messages"]] == ["user", "assistant"]
    assert call_of(seen["messages"][-1])["output"] == {"city": "Oslo"}
    assert text(seen["messages"][-1]) == 'Result: {"city": "Oslo"}'
    assert (seen["posts"], seen["toolCalls"]) == (2, ["get_place"])
    check_same(seen)


@pytest.mark.client("use_chat", "say", "bad_page")
def test_a_page_tool_with_arguments_that_do_not_fit_is_never_begun(seen):
    assert call_of(seen["messages"][-1])["state"] == "output-error"
    assert (seen["posts"], seen["toolCalls"]) == (1, [])
    check_same(seen)


@pytest.mark.client("use_chat", "approval", True, "fine")
def test_an_approval_given_in_the_chat_goes_on_in_the_same_message(seen):
    asked = call_of(seen["asked"])
    assert (asked["state"], asked["approval"]["descriptor"]["mayDecide"]) == (
        "approval-requested",
        True,
    )
    call = call_of(seen["messages"][-1])
    assert (call["state"], call["output"]) == ("output-available", "deployed rocket")
    assert seen["messages"][-1]["id"] == seen["asked"]["id"]
    assert text(seen["messages"][-1]) == "I would deploy.Result: deployed rocket"
    assert (len(seen["messages"]), seen["posts"]) == (2, 2)
    check_same(seen)


@pytest.mark.client("use_chat", "approval", False, "too risky")
def test_an_approval_denied_in_the_chat(seen):
    call = call_of(seen["messages"][-1])
    assert (call["state"], call["approval"]["reason"]) == ("output-denied", "too risky")
    assert "too risky" in text(seen["messages"][-1])
    check_same(seen)


@pytest.mark.client("use_chat", "two_tabs", False)
def test_of_two_tabs_the_first_answer_stands_and_the_second_shows_it(seen):
    """``seen`` is the second tab, whose own tool had answered Bergen."""
    assert call_of(seen["messages"][-1])["output"] == {"city": "Oslo"}
    assert text(seen["messages"][-1]) == 'Result: {"city": "Oslo"}'
    assert (seen["status"], seen["errors"], seen["posts"]) == ("ready", [], 3)
    assert [plain(one) for one in seen["first"]] == [plain(one) for one in seen["stored"]]
    check_same(seen)


@pytest.mark.client("use_chat", "two_tabs", True)
def test_two_tabs_that_answer_at_once_show_the_same(seen):
    city = call_of(seen["stored"][-1])["output"]["city"]
    assert city in ("Oslo", "Bergen")
    assert text(seen["stored"][-1]) == f'Result: {{"city": "{city}"}}'
    assert (seen["status"], seen["errors"], seen["posts"]) == ("ready", [], 3)
    assert [plain(one) for one in seen["first"]] == [plain(one) for one in seen["stored"]]
    check_same(seen)


@pytest.mark.client("use_chat", "refused")
def test_a_decision_that_is_not_this_users_is_refused_and_the_question_stays(seen):
    assert seen["status"] == "error"
    assert seen["errors"] == ["You do not have the permission to do this."]
    call = call_of(seen["messages"][-1])
    assert call["state"] == "approval-requested"
    assert call["approval"]["descriptor"]["mayDecide"] is False
    check_same(seen)


@pytest.mark.client("use_chat", "elsewhere", "approve", "")
def test_staff_approve_while_the_page_waits(seen):
    check_decided_elsewhere(seen, "output-available", "refunded shoes")


@pytest.mark.client("use_chat", "elsewhere", "deny", "no budget")
def test_staff_deny_while_the_page_waits(seen):
    check_decided_elsewhere(seen, "output-denied", "no budget")


def check_decided_elsewhere(seen: dict[str, Any], state: str, words: str) -> None:
    assert call_of(seen["asked"])["state"] == "approval-requested"
    assert call_of(seen["messages"][-1])["state"] == state
    assert words in text(seen["messages"][-1])
    assert (len(seen["messages"]), seen["posts"], seen["errors"]) == (2, 1, [])
    check_same(seen)


@pytest.mark.client("use_chat", "reload")
def test_a_reload_in_the_middle_of_an_answer(seen):
    assert [message["role"] for message in seen["before"]] == ["user"]
    assert text(seen["messages"][-1]).endswith("w39 ")
    assert len(seen["messages"]) == 2
    check_same(seen)


@pytest.mark.client("use_chat", "disconnect")
def test_a_closed_connection_does_not_stop_the_run(seen):
    assert len(text(seen["aborted"][-1])) < len(text(seen["stored"][-1]))
    assert text(seen["stored"][-1]).endswith("w39 ")


@pytest.mark.client("use_chat", "stop")
def test_stop_stops_it_and_keeps_what_was_written(seen):
    assert (seen["stopped"], seen["status"]) == (200, "ready")
    assert not text(seen["stored"][-1]).endswith("w39 ")
    assert seen["messages"][-1]["metadata"]["status"] == {
        "type": "incomplete",
        "reason": "cancelled",
    }
    check_same(seen)


@pytest.mark.client("use_chat", "say", "fail")
def test_an_error_of_the_model_is_an_error_of_the_chat(seen):
    assert (seen["status"], seen["errors"]) == ("error", ["The model is away."])
    assert text(seen["messages"][-1]) == "So far so"
    check_same(seen)


@pytest.mark.client("use_chat", "regenerate")
def test_another_answer(seen):
    assert seen["messages"][-1]["id"] != seen["first"]
    check_same(seen)


@pytest.mark.client("use_chat", "edit")
def test_an_edited_message_begins_a_branch_of_its_own(seen):
    assert text(seen["messages"][-1]) == "history"
    check_same(seen)


@pytest.mark.client("use_chat", "goes_on")
def test_a_new_message_withdraws_what_was_left_unanswered(seen):
    assert call_of(seen["stored"][1])["state"] == "output-error"
    assert text(seen["messages"][-1]) == "deploy rocket | never mind | history"


@pytest.mark.client("use_chat", "nothing_running")
def test_nothing_to_resume(seen):
    assert (seen["answer"], len(seen["messages"])) == (204, 2)


@pytest.mark.client("use_chat", "say", "plan")
def test_state_that_the_model_writes_comes_as_data(seen):
    states = [part["data"] for part in seen["data"] if part["type"] == "data-state"]
    assert states[-1] == {"plan": ["look"], "note": "ab"}
    assert call_of(seen["messages"][-1])["output"] == states[-1] == seen["state"]
    check_same(seen)


@pytest.mark.client("use_chat", "plain_text")
def test_plain_text_is_the_words_alone(seen):
    assert text(seen["messages"][-1]) == "Let me add.Result: 5"
