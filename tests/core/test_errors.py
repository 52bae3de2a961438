"""Errors as messages carry them."""

from __future__ import annotations

from agentui.core.errors import structured, to_assistant_error
from agentui.exceptions import ModelError, ThreadBusy


def test_only_errors_made_to_be_shown_are_shown() -> None:
    assert to_assistant_error(ThreadBusy()) == {
        "code": "thread_busy",
        "message": "The agent is still working in this thread. Wait, or stop it first.",
    }
    assert to_assistant_error(ModelError("Overloaded.", code="overloaded"))["code"] == "overloaded"
    secret = to_assistant_error(RuntimeError("key sk-123 at /srv/site"))
    assert secret["code"] == "internal"
    assert "sk-123" not in str(secret)


def test_what_is_shown_can_be_stored() -> None:
    assert to_assistant_error(ModelError("a\x00b\ud83c"))["message"] == "ab\ufffd"


def test_a_severity_nobody_knows_is_left_out() -> None:
    assert structured("Slow.", severity="warning")["severity"] == "warning"
    assert "severity" not in structured("Slow.", severity="fatal")
