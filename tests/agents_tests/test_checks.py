"""Each system check: when it speaks, what it says to do, and when it is silent."""

from __future__ import annotations

import importlib.util
import uuid
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from django.core.checks import CheckMessage, run_checks
from django.db import connections
from django.test import override_settings

from agentui import Agent, ApprovalPolicy, tool
from agentui.adapters import (
    ChatModelAdapter,
    ModelRequest,
    ScriptedAdapter,
    register_scripted,
    unregister_scripted,
)
from agentui.agents import registry
from agentui.checks import (
    check_agents,
    check_channel_layer,
    check_database,
    check_launcher,
    check_settings,
    check_shared_agents,
)
from agentui.core.events import MessageFinish, StreamEvent
from agentui.runtime.launchers import Launcher


class Elsewhere(Launcher):
    """Runs agents in another process."""

    is_out_of_process = True

    def launch(self, run_id: uuid.UUID) -> None:
        raise AssertionError("never launched")

    def stop(self, run_id: uuid.UUID) -> None:
        raise AssertionError("never stopped")


@pytest.fixture(autouse=True)
def _only_the_agents_of_the_test() -> Any:
    with registry.temporary():
        for agent in registry.everything():
            registry.unregister(agent)
        yield


@tool
def ping(text: str) -> str:
    return text


def only(messages: list[CheckMessage], id_: str) -> CheckMessage:
    """The one message there is."""
    assert [message.id for message in messages] == [id_]
    assert messages[0].hint
    return messages[0]


def test_a_sound_agent() -> None:
    Agent("echo", model=ScriptedAdapter(), tools=[ping])
    assert check_agents() == []


def test_they_are_registered() -> None:
    Agent("echo", model="a:b")
    Agent("echo", model="a:b")
    assert "agentui.E001" in {message.id for message in run_checks(tags=["agentui"])}


def test_e001_two_agents_of_one_name() -> None:
    one = Agent("echo", model=ScriptedAdapter())
    two = Agent("echo", model=ScriptedAdapter())
    message = only(check_agents(), "agentui.E001")
    assert one.place in message.msg
    assert two.place in message.msg


def test_e002_two_tools_of_one_name() -> None:
    other = tool(name="ping")(lambda_like)
    Agent("echo", model=ScriptedAdapter(), tools=[ping, other])
    message = only(check_agents(), "agentui.E002")
    assert ping.place in message.msg
    assert other.place in message.msg


def lambda_like(text: str) -> None: ...


class Nameless(ChatModelAdapter):
    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamEvent, None]:
        yield MessageFinish(finish_reason="stop")


@pytest.mark.parametrize(
    ("model", "text", "hint"),
    [
        ("gpt-5", "'gpt-5', which names no model", 'Write "provider:model".'),
        ("openai:", "names no model", 'Write "provider:model".'),
        ("opneai:gpt-5", "'opneai:gpt-5'", 'Did you mean "openai:gpt-5"?'),
        ("scripted:no-such-script", "scripted:no-such-script", "no-such-script"),
        (object(), "a model of the type object", "ChatModelAdapter"),
        (Nameless(), "Nameless, that has no name", 'name = "house:model"'),
        (Nameless, "the class Nameless", "Give an instance: Nameless()."),
    ],
)
def test_w003_a_model_that_cannot_be_asked(model: Any, text: str, hint: str) -> None:
    Agent("echo", model=model)
    message = only(check_agents(), "agentui.W003")
    assert text in message.msg
    assert hint in str(message.hint)


@pytest.mark.parametrize(
    "model", ["openai:gpt-5", "google-gla:gemini", "gateway/openai:x", "my:own"]
)
def test_models_that_may_be_asked(model: str) -> None:
    Agent("echo", model=model)
    assert check_agents() == []


def test_w003_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "pydantic_ai" else real(name)
    )
    Agent("echo", model="openai:gpt-5")
    assert "agentui[models]" in str(only(check_agents(), "agentui.W003").hint)


def test_a_registered_script_is_known() -> None:
    register_scripted("here", ScriptedAdapter())
    try:
        Agent("echo", model="scripted:here")
        assert check_agents() == []
    finally:
        unregister_scripted("here")


def test_e004_a_rule_that_is_gone() -> None:
    policy = ApprovalPolicy(who="tests.agents_tests.rules:gone")
    Agent("echo", model=ScriptedAdapter(), tools=[tool(approval=policy)(lambda_like)])
    assert (
        "tests.agents_tests.rules:gone does not exist" in only(check_agents(), "agentui.E004").msg
    )


@pytest.mark.parametrize(
    ("permission", "hint"),
    [
        ("auth.chnge_group", "'auth.change_group'"),
        ("nowhere.do_it", "Add ('do_it', ...) to Meta.permissions of a model of the app 'nowhere'"),
    ],
)
def test_w005_a_permission_that_is_not_there(permission: str, hint: str) -> None:
    policy = ApprovalPolicy(permission=permission)
    Agent("echo", model=ScriptedAdapter(), tools=[tool(approval=policy)(lambda_like)])
    assert hint in str(only(check_agents(), "agentui.W005").hint)


@pytest.mark.parametrize("permission", ["auth.change_group", "agentui.decide_approval"])
def test_permissions_of_models_are_known(permission: str) -> None:
    policy = ApprovalPolicy(permission=permission)
    Agent("echo", model=ScriptedAdapter(), tools=[tool(approval=policy)(lambda_like)])
    assert check_agents() == []


def test_w006_a_docstring_of_something_else() -> None:
    @tool
    def search(query: str) -> None:
        """Search.

        Args:
            querry: What for.
        """

    Agent("echo", model=ScriptedAdapter(), tools=[search])
    Agent("second", model=ScriptedAdapter(), tools=[search])
    message = only(check_agents(), "agentui.W006")
    assert "describes querry" in message.msg
    assert message.hint == "It takes query."


# --- settings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ({}, []),
        ({"LAUNCHER": "in_process", "MAX_FRAME_BYTES": 1000, "LEASE_SECONDS": 0.5}, []),
        ({"ALLOWED_ATTACHMENT_TYPES": ["image/png"]}, []),
        ([], ["agentui.E010"]),
        ({"LEASE_SECONDS": "soon"}, ["agentui.E010"]),
        ({"DATABASE_THREADS": -1}, ["agentui.E010"]),
        ({"ALLOWED_ATTACHMENT_TYPES": 7}, ["agentui.E010"]),
        ({"ALLOWED_ATTACHMENT_TYPES": "image/png"}, ["agentui.E010"]),
        ({"API_RATES": {"read": None, "send": "5/minute"}}, []),
        ({"API_RATES": {"read": "5"}}, ["agentui.E010"]),
        ({"AUTHENTICATION": ["no.such.function"]}, ["agentui.E010"]),
        ({"LAUNCHR": "in_process"}, ["agentui.W011"]),
        ({"zzz": 1, 7: 2}, ["agentui.W011", "agentui.W011"]),
    ],
)
def test_settings(value: Any, ids: list[str]) -> None:
    with override_settings(AGENTUI=value):
        messages = check_settings()
    assert [message.id for message in messages] == ids
    assert all(message.hint for message in messages)


def test_w011_says_what_was_meant() -> None:
    with override_settings(AGENTUI={"launcher": "in_process"}):
        assert only(check_settings(), "agentui.W011").hint == "Did you mean 'LAUNCHER'?"


@pytest.mark.parametrize("launcher", ["in_process", "immediate", f"{__name__}.Elsewhere"])
def test_launchers_that_exist(launcher: str) -> None:
    with override_settings(AGENTUI={"LAUNCHER": launcher}):
        assert check_launcher() == []


@pytest.mark.parametrize("launcher", ["in-process", "no.such.Launcher", f"{__name__}.Nothing", ""])
def test_e012_a_launcher_that_does_not_exist(launcher: str) -> None:
    with override_settings(AGENTUI={"LAUNCHER": launcher}):
        assert repr(launcher) in only(check_launcher(), "agentui.E012").msg


IN_MEMORY = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
REDIS = {"default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer"}}


@pytest.mark.parametrize(
    ("layers", "launcher", "expected"),
    [
        (IN_MEMORY, "in_process", None),
        (REDIS, "in_process", None),
        (REDIS, f"{__name__}.Elsewhere", None),
        (IN_MEMORY, f"{__name__}.Elsewhere", "agentui.E014"),
        ({}, "in_process", "agentui.W013"),
        (None, "in_process", "agentui.W013"),
        ({"other": {}}, "in_process", "agentui.W013"),
        (IN_MEMORY, "no.such.Launcher", None),
    ],
)
def test_channel_layers(layers: Any, launcher: str, expected: str | None) -> None:
    with override_settings(CHANNEL_LAYERS=layers, AGENTUI={"LAUNCHER": launcher}):
        messages = check_channel_layer()
    if expected is None:
        assert messages == []
    else:
        only(messages, expected)


@pytest.mark.parametrize("check", [check_settings, check_launcher, check_channel_layer])
def test_settings_that_are_no_dict_are_said_once(check: Callable[[], list[CheckMessage]]) -> None:
    with override_settings(AGENTUI="in_process"):
        assert [m.id for m in check()] == (["agentui.E010"] if check is check_settings else [])


WAL = "PRAGMA journal_mode=WAL;"


@pytest.mark.parametrize(
    ("database", "expected"),
    [
        ({"OPTIONS": {"transaction_mode": "IMMEDIATE", "init_command": WAL}}, []),
        (
            {
                "OPTIONS": {
                    "transaction_mode": "immediate",
                    "init_command": "pragma JOURNAL_MODE = wal",
                }
            },
            [],
        ),
        ({"NAME": ":memory:", "OPTIONS": {"transaction_mode": "IMMEDIATE"}}, []),
        ({"NAME": "file:x?mode=memory&cache=shared::memory:"}, ["transaction_mode"]),
        ({"OPTIONS": {"transaction_mode": "IMMEDIATE"}}, ["journal_mode=WAL"]),
        ({"OPTIONS": {"init_command": WAL}}, ["transaction_mode"]),
        ({}, ["transaction_mode", "journal_mode=WAL"]),
        ({"ENGINE": "django.db.backends.postgresql"}, []),
    ],
)
def test_w015_sqlite(
    monkeypatch: pytest.MonkeyPatch, database: dict[str, Any], expected: list[str]
) -> None:
    base = {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}
    monkeypatch.setitem(connections.settings, "default", {**base, **database})
    messages = check_database()
    if not expected:
        assert messages == []
        return
    hint = str(only(messages, "agentui.W015").hint)
    for words in ("transaction_mode", "journal_mode=WAL"):
        assert (words in hint) == (words in expected)


@pytest.mark.parametrize(
    ("age", "ids"), [(0, []), (60, ["agentui.W016"]), (None, ["agentui.W016"])]
)
def test_w016_connections_that_stay_open(
    monkeypatch: pytest.MonkeyPatch, age: Any, ids: list[str]
) -> None:
    database = {"ENGINE": "django.db.backends.postgresql", "CONN_MAX_AGE": age}
    monkeypatch.setitem(connections.settings, "default", database)
    assert [message.id for message in check_database()] == ids


def test_an_agent_that_is_shared_by_mcp_exists() -> None:
    Agent("support", model=ScriptedAdapter())
    with override_settings(AGENTUI={"MCP_AGENTS": ["support"]}):
        assert check_shared_agents() == []
    with override_settings(AGENTUI={"MCP_AGENTS": ["suport"]}):
        message = only(check_shared_agents(), "agentui.W022")
        assert "'suport'" in message.msg
        assert message.hint == "Did you mean 'support'?"
    with override_settings(AGENTUI={"MCP_AGENTS": ["xyz"]}):
        assert (
            only(check_shared_agents(), "agentui.W022").hint == "The agents of this site: support."
        )
    with override_settings(AGENTUI={"MCP_AGENTS": "support"}):
        assert check_shared_agents() == []
        assert "a list of texts" in only(check_settings(), "agentui.E010").msg
