"""The page on the API is true: it names every endpoint, field, filter, code and rate."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agentui import exceptions
from agentui.api import forms, queries
from agentui.api.urls import urlpatterns
from agentui.conf import app_settings

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rest.md").read_text()

#: Never said by the API: of the socket, of a run, of a tool, or the base of others.
ELSEWHERE = {
    "error", "unknown_command", "malformed_frame", "model_error", "invalid_arguments", "fenced",
    "internal", "needs_asgi", "missing_package",
}  # fmt: skip


def test_every_endpoint_with_its_methods() -> None:
    served = {
        f"`{method.upper()} {str(pattern.pattern).replace('<uuid:pk>', '{id}')}`"
        for pattern in urlpatterns
        if pattern.name != "api-unknown"
        for method in ("get", "post", "patch", "delete")
        if hasattr(pattern.callback.cls, method)  # type: ignore[union-attr]
    }
    assert set(re.findall(r"^\| (`[A-Z]+ [^`]*`)", PAGE, re.MULTILINE)) == served


@pytest.mark.parametrize(
    "form",
    [
        form
        for form in vars(forms).values()
        if isinstance(form, type) and hasattr(form, "model_fields")
    ]
    + [queries.ThreadQuery, queries.MessageQuery, queries.ApprovalQuery],
)
def test_every_field(form: type) -> None:
    for name in form.model_fields:  # type: ignore[attr-defined]
        assert f"`{name}`" in PAGE or f"`?{name}`" in PAGE


def test_every_code_with_its_status() -> None:
    rows = re.findall(r"^\| ([\d, ]+) \| (.*) \|$", PAGE, re.MULTILINE)
    named = {code: status for status, codes in rows for code in re.findall(r"`(\w+)`", codes)}
    refusals = [
        error
        for error in vars(exceptions).values()
        if isinstance(error, type) and issubclass(error, exceptions.AgentUIError)
    ]
    for error in refusals:
        assert error.code in ELSEWHERE or named[error.code] == str(error.status)


def test_every_rate() -> None:
    for name, rate in app_settings.API_RATES.items():
        assert f"`{name}`" in PAGE
        assert str(rate).split("/")[0] in PAGE
