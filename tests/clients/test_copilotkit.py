"""The real @copilotkit/core against a server process: Django is its runtime."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = [pytest.mark.flow, pytest.mark.slow]

RUN = {"run": {}}


def contents(seen: dict[str, Any], role: str) -> list[str]:
    return [m["content"] for m in seen["messages"] if m["role"] == role and m.get("content")]


def check(seen: dict[str, Any]) -> None:
    """Nothing failed, and another browser that opens the thread shows the same."""
    assert seen["errors"] == []

    def told(messages: list[dict[str, Any]]) -> Any:
        shown = [message for message in messages if message["role"] != "activity"]
        return [
            (m["role"], m.get("content") or "", m.get("toolCalls") or [], m.get("toolCallId"))
            for m in shown
        ]

    assert told(seen["afterReload"]) == told(seen["messages"])


@pytest.fixture(params=["rest", "single"])
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_text_and_threads(copilotkit, transport):
    seen = copilotkit({"say": "hello"}, RUN, transport=transport)
    assert "helper" in seen["agents"]
    assert contents(seen, "assistant") == ["You said: hello"]
    [thread] = [thread for thread in seen["threads"] if thread["id"] == seen["thread"]]
    assert (thread["name"], thread["archived"]) == ("hello", False)
    check(seen)


def test_a_tool_of_the_server(copilotkit):
    seen = copilotkit({"say": "add"}, RUN)
    assert contents(seen, "tool") == ["5"]
    check(seen)


def test_a_tool_of_the_page_is_run_once_and_followed_up(copilotkit, transport):
    seen = copilotkit({"say": "page"}, RUN, transport=transport)
    assert seen["tools"] == [
        ["start", "get_place", {"precise": True}],
        ["end", "get_place", '{"city":"Oslo","precise":true}'],
    ]
    assert "Oslo" in contents(seen, "assistant")[-1]
    check(seen)


def test_two_tools_of_the_page_at_once(copilotkit):
    seen = copilotkit({"say": "pages"}, RUN)
    assert [kind for kind, *_ in seen["tools"]] == ["start", "end", "start", "end"]
    assert contents(seen, "assistant")[-1].startswith("Result:")
    check(seen)


@pytest.mark.parametrize(("answer", "said"), [("approve", "deployed x"), ("deny", "Denied")])
def test_an_approval(copilotkit, answer, said):
    seen = copilotkit({"say": "deploy x"}, RUN, {"run": {"answer": answer}})
    [told] = contents(seen, "tool")
    assert said in told
    assert seen["interrupts"] == []
    check(seen)


def test_a_reload_brings_the_question_back(copilotkit):
    seen = copilotkit({"say": "deploy x"}, RUN)
    assert [i["id"] for i in seen["interruptsAfterReload"]] == [i["id"] for i in seen["interrupts"]]
    seen = copilotkit({"say": "deploy y"}, RUN, {"reload": None}, {"run": {"answer": "approve"}})
    assert contents(seen, "tool") == ["deployed y"]
    check(seen)


def test_a_reload_in_the_middle(copilotkit):
    seen = copilotkit({"say": "slow"}, {"begin": None}, {"reload": None})
    assert "".join(contents(seen, "assistant")) == "".join(f"w{n} " for n in range(20))
    check(seen)


def test_staff_decide_while_the_page_follows(copilotkit, site):
    """``properties`` of the provider become forwardedProps."""
    seen = copilotkit({"say": "refund x"}, RUN)
    assert contents(seen, "tool") == []
    assert seen["interrupts"] == []
    decide = {"decide": {"person": "grace", "verdict": "approve"}}
    later = copilotkit(decide, {"sleep": 500}, {"reload": None}, thread=seen["thread"])
    assert contents(later, "tool") == ['{"refunded":"x"}']


def test_a_stop(copilotkit, transport):
    seen = copilotkit(
        {"say": "slow"}, {"run": {"stopAfter": 400}}, {"sleep": 500}, transport=transport
    )
    assert seen["errors"] == []
    text = "".join(m.get("content") or "" for m in seen["afterReload"] if m["role"] == "assistant")
    assert text.startswith("w0 ")
    assert "w19" not in text


def test_an_error(copilotkit):
    seen = copilotkit({"say": "fail"}, RUN)
    assert [error["code"] for error in seen["errors"]] == ["agent_run_error_event"]
    assert seen["errors"][0]["message"] == "The model is away."
