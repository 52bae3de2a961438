"""assistant-ui's runtimes, the real hooks, against a real server process."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.flow
Seen = dict[str, Any]


def text(message: Seen) -> str:
    return "".join(part["text"] for part in message["content"] if part["type"] == "text")


def call_of(message: Seen) -> Seen:
    (call,) = [part for part in message["content"] if part["type"] == "tool-call"]
    return call


def roles(seen: Seen) -> list[str]:
    return [message["role"] for message in seen["messages"]]


def check_ended(seen: Seen, words: str, *, posts: int) -> None:
    last = seen["messages"][-1]
    assert words in text(last), last
    assert last["status"]["type"] == "complete"
    assert (seen["posts"], seen["errors"], roles(seen)) == (posts, [], ["user", "assistant"])


# Text, tools of the server, tools of the page, errors


@pytest.mark.client("assistant_ui", "say", "data_stream", "hello")
def test_data_stream_text(seen):
    check_ended(seen, "You said: hello", posts=1)


@pytest.mark.client("assistant_ui", "say", "data_stream", "add")
def test_data_stream_server_tool(seen):
    check_ended(seen, "Result: 5", posts=1)
    assert call_of(seen["messages"][-1])["result"] == 5


@pytest.mark.client("assistant_ui", "say", "data_stream", "page")
def test_data_stream_page_tool(seen):
    check_ended(seen, 'Result: {"city": "Oslo"}', posts=2)
    assert seen["ran"] == 1


@pytest.mark.client("assistant_ui", "say", "data_stream", "fail")
def test_data_stream_error(seen):
    last = seen["messages"][-1]
    assert last["status"]["error"]["message"] == "The model is away."
    assert text(last) == "So far so"


@pytest.mark.client("assistant_ui", "say", "chat", "add")
def test_chat_runtime_server_tool(seen):
    check_ended(seen, "Result: 5", posts=1)
    assert call_of(seen["messages"][-1])["result"] == 5


@pytest.mark.client("assistant_ui", "say", "chat", "page")
def test_chat_runtime_page_tool(seen):
    check_ended(seen, 'Result: {"city": "Oslo"}', posts=2)
    assert seen["ran"] == 1


@pytest.mark.client("assistant_ui", "say", "chat", "bad_page")
def test_chat_runtime_never_begins_a_page_tool_that_was_refused(seen):
    check_ended(seen, "not valid", posts=1)
    assert seen["ran"] == 0


@pytest.mark.client("assistant_ui", "say", "chat", "fail")
def test_chat_runtime_error(seen):
    assert seen["errors"] == ["The model is away."]


@pytest.mark.client("assistant_ui", "say", "transport", "add")
def test_transport_over_the_data_stream(seen):
    check_ended(seen, "Result: 5", posts=1)
    assert call_of(seen["messages"][-1])["args"] == {"a": 2, "b": 3}


@pytest.mark.client(
    "assistant_ui", "say", "transport", "hello", {"protocol": "assistant-transport"}
)
def test_transport_over_its_own_stream(seen):
    check_ended(seen, "You said: hello", posts=1)


@pytest.mark.client("assistant_ui", "say", "transport", "page")
def test_transport_page_tool(seen):
    check_ended(seen, 'Result: {"city": "Oslo"}', posts=2)
    assert call_of(seen["messages"][-1])["args"] == {"precise": True}
    assert seen["ran"] == 1


@pytest.mark.client("assistant_ui", "say", "transport", "fail")
def test_transport_error_is_part_of_the_state(seen):
    assert seen["messages"][-1]["status"] == {
        "type": "incomplete",
        "reason": "error",
        "error": {"code": "model_error", "message": "The model is away."},
    }


@pytest.mark.client("assistant_ui", "say", "ag_ui", "hello")
def test_ag_ui_text(seen):
    check_ended(seen, "You said: hello", posts=1)


def check_over_ag_ui(seen: Seen, words: str, *, posts: int) -> Seen:
    """What was said before a call and what followed are messages of their own; returns the call."""
    assert roles(seen) == ["user", "assistant", "assistant"]
    assert words in text(seen["messages"][-1])
    assert (seen["posts"], seen["errors"]) == (posts, [])
    assert seen["messages"][-1]["status"]["type"] == "complete"
    return call_of(seen["messages"][1])


@pytest.mark.client("assistant_ui", "say", "ag_ui", "add")
def test_ag_ui_server_tool(seen):
    assert check_over_ag_ui(seen, "Result: 5", posts=1)["result"] == 5


@pytest.mark.client("assistant_ui", "say", "ag_ui", "page")
def test_ag_ui_page_tool(seen):
    check_over_ag_ui(seen, 'Result: {"city": "Oslo"}', posts=2)
    assert seen["ran"] == 1


@pytest.mark.client("assistant_ui", "say", "ag_ui", "fail")
def test_ag_ui_error(seen):
    assert seen["messages"][-1]["status"]["reason"] == "error"
    assert text(seen["messages"][-1]) == "So far so"


@pytest.mark.parametrize("kind", ["data_stream", "transport", "ag_ui"])
@pytest.mark.client("assistant_ui", "twice", "ag_ui")
@pytest.mark.client("assistant_ui", "twice", "data_stream")
@pytest.mark.client("assistant_ui", "twice", "transport")
def test_the_second_message_follows_the_first(clients, kind):
    seen = clients("assistant_ui", "twice", kind)
    assert roles(seen) == ["user", "assistant"] * 2
    assert text(seen["messages"][-1]) == "hello | history"


# Approvals


@pytest.mark.client("assistant_ui", "approval", "chat", True, "ok")
def test_chat_runtime_approval(seen):
    assert seen["asked"]["approval"]["descriptor"]["mayDecide"] is True
    check_ended(seen, "Result: deployed rocket", posts=2)
    assert call_of(seen["messages"][-1])["result"] == "deployed rocket"


@pytest.mark.client("assistant_ui", "approval", "chat", False, "no way")
def test_chat_runtime_denial(seen):
    check_ended(seen, "no way", posts=2)
    call = call_of(seen["messages"][-1])
    assert (call["isError"], call["approval"]["approved"]) == (True, False)


@pytest.mark.client("assistant_ui", "approval", "ag_ui", True, "ok")
def test_ag_ui_approval(seen):
    """With ``?approvals=tool_call`` its own buttons decide."""
    call = check_over_ag_ui(seen, "Result: deployed rocket", posts=2)
    assert (call["approval"]["approved"], call["result"]) == (True, "deployed rocket")


@pytest.mark.client("assistant_ui", "approval", "ag_ui", False, "no way")
def test_ag_ui_denial(seen):
    assert check_over_ag_ui(seen, "no way", posts=2)["approval"]["approved"] is False


@pytest.mark.parametrize(
    ("verdict", "words"), [("approve", "refunded shoes"), ("deny", "no budget")]
)
@pytest.mark.client("assistant_ui", "ag_ui_elsewhere", "approve", "")
@pytest.mark.client("assistant_ui", "ag_ui_elsewhere", "deny", "no budget")
def test_ag_ui_decided_elsewhere_while_the_page_follows(clients, verdict, words):
    reason = "" if verdict == "approve" else words
    check_ended(clients("assistant_ui", "ag_ui_elsewhere", verdict, reason), words, posts=1)


@pytest.mark.client("assistant_ui", "ag_ui_question_after_reload", True, "ok")
def test_ag_ui_question_after_a_reload(seen):
    check_over_ag_ui(seen, "Result: deployed rocket", posts=3)


@pytest.mark.client("assistant_ui", "approval_by_rest", "approve", "ok")
def test_data_stream_approval_over_rest(seen):
    assert seen["asked"]["approval"]["mayDecide"] is True
    check_ended(seen, "Result: deployed rocket", posts=2)
    outcomes = [data for data in seen["messages"][-1]["data"] if data["type"] == "tool-result"]
    assert [outcome["result"] for outcome in outcomes] == ["deployed rocket"]


@pytest.mark.client("assistant_ui", "approval_in_the_body", False, "too risky")
def test_data_stream_denial_in_the_body(seen):
    check_ended(seen, "too risky", posts=2)


@pytest.mark.client("assistant_ui", "approval_kept_to_itself")
def test_data_stream_decision_that_the_server_was_not_told_ends_the_asking(seen):
    assert seen["posts"] == 2
    assert "none has reached the server" in seen["messages"][-1]["status"]["error"]["message"]


@pytest.mark.client("assistant_ui", "transport_approval", True, "ok")
def test_transport_approval_is_a_command(seen):
    assert [option["kind"] for option in seen["asked"]["approval"]["options"]] == [
        "allow-once",
        "reject-once",
    ]
    check_ended(seen, "Result: deployed rocket", posts=2)
    assert call_of(seen["messages"][-1])["approval"]["approved"] is True


@pytest.mark.client("assistant_ui", "transport_approval", False, "too risky")
def test_transport_denial_is_a_command(seen):
    check_ended(seen, "too risky", posts=2)
    assert call_of(seen["messages"][-1])["isError"] is True


@pytest.mark.client("assistant_ui", "transport_elsewhere", "approve", "")
def test_transport_decided_elsewhere(seen):
    assert seen["asked"]["approval"]["mayDecide"] is False
    check_ended(seen, "Result: refunded shoes", posts=1)


# State that the page and the agent share

AFTER = {"plan": ["look"], "note": "ab"}


@pytest.mark.parametrize("protocol", ["data-stream", "assistant-transport"])
@pytest.mark.client("assistant_ui", "say", "transport", "plan", {"protocol": "data-stream"})
@pytest.mark.client("assistant_ui", "say", "transport", "plan", {"protocol": "assistant-transport"})
def test_transport_state_that_the_model_writes(clients, protocol):
    seen = clients("assistant_ui", "say", "transport", "plan", {"protocol": protocol})
    assert seen["state"]["agentState"] == AFTER
    assert call_of(seen["messages"][-1])["result"] == AFTER


@pytest.mark.client("assistant_ui", "say", "transport", "fill")
def test_transport_state_that_a_tool_writes(seen):
    assert seen["state"]["agentState"] == {"form": {"city": "Oslo"}}


@pytest.mark.client("assistant_ui", "say", "data_stream", "plan")
def test_data_stream_state(seen):
    assert seen["messages"][-1]["state"] == AFTER
    assert call_of(seen["messages"][-1])["result"] == AFTER


@pytest.mark.client("assistant_ui", "state_over_two_answers")
def test_data_stream_state_is_there_in_the_next_answer(seen):
    assert seen["messages"][-1]["state"] == AFTER


@pytest.mark.client("assistant_ui", "say", "ag_ui", "plan")
def test_ag_ui_state(seen):
    assert seen["state"] == AFTER


# Coming back, stopping, branching


@pytest.mark.client("assistant_ui", "transport_reload")
def test_transport_reload_in_the_middle(seen):
    assert 0 < len(seen["before"]) < 40
    check_ended(seen, "w39 ", posts=2)
    assert [part["text"] for part in seen["messages"][-1]["content"]] == [
        "w0 w1 w2 ",
        *(f"w{n} " for n in range(40)),
    ]


@pytest.mark.client("assistant_ui", "ag_ui_reload")
def test_ag_ui_reload_in_the_middle(seen):
    texts = [text(message) for message in seen["messages"]]
    assert texts == ["slow", "w0 w1 w2 ", *(f"w{n} " for n in range(40))]
    assert (seen["posts"], seen["errors"]) == (2, [])


@pytest.mark.parametrize("kind", ["chat", "data_stream", "transport", "ag_ui"])
@pytest.mark.client("assistant_ui", "stop", "ag_ui")
@pytest.mark.client("assistant_ui", "stop", "chat")
@pytest.mark.client("assistant_ui", "stop", "data_stream")
@pytest.mark.client("assistant_ui", "stop", "transport")
def test_stop(clients, kind):
    seen = clients("assistant_ui", "stop", kind)
    last = seen["messages"][-1]
    # The chat runtime has no word for it; the AI SDK's own message has it in its metadata.
    status = "complete" if kind == "chat" else "incomplete"
    assert (seen["stopped"], last["status"]["type"]) == (200, status)
    assert "w39" not in text(last)


@pytest.mark.parametrize("kind", ["data_stream", "chat"])
@pytest.mark.client("assistant_ui", "regenerate", "data_stream")
@pytest.mark.client("assistant_ui", "regenerate", "chat")
def test_another_answer(clients, kind):
    seen = clients("assistant_ui", "regenerate", kind)
    assert roles(seen) == ["user", "assistant"]
    assert seen["messages"][-1]["id"] != seen["first"]


@pytest.mark.parametrize("kind", ["data_stream", "chat", "transport"])
@pytest.mark.client("assistant_ui", "edit", "data_stream")
@pytest.mark.client("assistant_ui", "edit", "chat")
@pytest.mark.client("assistant_ui", "edit", "transport")
def test_an_edit_begins_a_branch_that_knows_nothing_of_the_old_one(clients, kind):
    seen = clients("assistant_ui", "edit", kind)
    assert text(seen["messages"][-1]) == "history"
