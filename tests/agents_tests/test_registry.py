from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from agentui import Agent, human_tool, tool
from agentui.agents import Registry, ToolDefinitionError, registry
from agentui.exceptions import UnknownAgent


@tool
def ping(text: str) -> str:
    return text


def plain(number: int) -> int:
    """Double it."""
    return number * 2


@pytest.fixture(autouse=True)
def _own_registry() -> Any:
    with registry.temporary():
        yield


def test_an_agent_registers_itself() -> None:
    agent = Agent("echo", model="openai:gpt-5.2", tools=[ping, plain])
    assert registry.get("echo") is agent
    assert agent in registry.all()
    assert agent.tool("ping") is ping
    found = agent.tool("plain")
    assert found is not None
    assert found.description == "Double it."
    assert agent.tool("pong") is None
    assert "test_registry.py, line " in agent.place
    assert repr(agent) == "<Agent echo>"


def test_defaults() -> None:
    agent = Agent("order_desk", model="openai:x", tools=[human_tool("ask"), ping])
    assert agent.title == "Order desk"
    assert (agent.max_roundtrips, agent.tool_concurrency, agent.history_limit) == (8, 4, 200)
    assert agent.settings == {}
    assert agent.on_active == "queue"


@pytest.mark.parametrize("name", ["nobody", "", "echo ", "a" * 500])
def test_an_unknown_name(name: str) -> None:
    with pytest.raises(UnknownAgent) as error:
        registry.get(name)
    assert error.value.code == "unknown_agent"


def test_a_contested_name_belongs_to_nobody() -> None:
    one = Agent("echo", model="a:b")
    two = Agent("echo", model="a:b")
    with pytest.raises(UnknownAgent, match="2 agents of that name"):
        registry.get("echo")
    assert one not in registry.all()
    assert registry.duplicates()["echo"] == (one, two)
    assert one.place != two.place
    registry.unregister(one)
    assert registry.get("echo") is two
    registry.unregister(two)
    registry.unregister(two)
    with pytest.raises(UnknownAgent):
        registry.get("echo")


def test_a_reloaded_module_replaces_its_agent() -> None:
    made = [Agent("echo", model="a:b") for _ in range(3)]
    assert registry.get("echo") is made[-1]


def test_temporary_agents() -> None:
    real = Agent("echo", model="a:b")
    other = Agent("other", model="a:b")
    with registry.temporary(Agent("echo", model="c:d"), Agent("new", model="c:d")):
        assert registry.get("echo").model == "c:d"
        assert registry.get("new").model == "c:d"
        assert registry.get("other") is other
        Agent("added", model="c:d")
    assert registry.get("echo") is real
    for name in ("new", "added"):
        with pytest.raises(UnknownAgent):
            registry.get(name)


def test_temporary_agents_go_when_the_block_fails() -> None:
    with pytest.raises(ZeroDivisionError), registry.temporary(Agent("echo", model="c:d")):
        _ = 1 / 0
    with pytest.raises(UnknownAgent):
        registry.get("echo")


def test_many_threads() -> None:
    own = Registry()
    agents = [Agent(f"agent-{number}", model="a:b") for number in range(200)]

    def register(part: list[Agent]) -> None:
        for agent in part:
            own.register(agent)
            assert own.get(agent.name) is agent
            own.all()

    threads = [threading.Thread(target=register, args=(agents[n::8],)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(own.all()) == set(agents)


def test_two_tools_of_one_name_are_both_left_out() -> None:
    def other(text: str) -> str:
        return text

    second = tool(name="ping")(other)
    agent = Agent("echo", model="a:b", tools=[ping, second, plain])
    assert agent.duplicate_tools == ("ping",)
    assert agent.tool("ping") is None
    assert [t.name for t in agent.usable_tools] == ["plain"]


def test_the_same_tool_twice_is_one() -> None:
    agent = Agent("echo", model="a:b", tools=[ping, ping])
    assert agent.usable_tools == (ping,)
    assert agent.duplicate_tools == ()


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"name": ""}, "1 to 100 characters"),
        ({"name": "x" * 101}, "1 to 100 characters"),
        ({"model": ""}, "it has no model"),
        ({"on_active": "wait"}, "on_active='wait'"),
        ({"max_roundtrips": 0}, "max_roundtrips=0"),
        ({"tool_concurrency": True}, "tool_concurrency=True"),
        ({"history_limit": 1.5}, "history_limit=1.5"),
        ({"tools": [7]}, "takes a function"),
    ],
)
def test_an_agent_that_cannot_work(settings: dict[str, Any], problem: str) -> None:
    given = {"name": "echo", "model": "a:b", **settings}
    with pytest.raises(ToolDefinitionError, match=problem):
        Agent(given.pop("name"), **given)
    with pytest.raises(UnknownAgent):
        registry.get("echo")


SITE = {
    "shop/__init__.py": "",
    "shop/agents.py": "from agentui import Agent\nAgent('shop', model='scripted:x')\n",
    "broken/__init__.py": "",
    "broken/agents.py": "import a_module_that_is_not_there\n",
    "quiet/__init__.py": "",
    "run.py": """
import sys
from django.conf import settings
import django
settings.configure(
    SECRET_KEY="x",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "agentui", *sys.argv[1:]],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
)
django.setup()
from agentui.agents import registry
print([agent.name for agent in registry.all()])
""",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in SITE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(site: Path, *apps: str) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(
        [sys.executable, site / "run.py", *apps],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": f"{site}:{root}"},
    )


def test_each_apps_agents_are_found(site: Path) -> None:
    done = run(site, "quiet", "shop")
    assert done.stdout.strip() == "['shop']", done.stderr


def test_a_broken_agents_module_is_not_passed_over(site: Path) -> None:
    done = run(site, "broken")
    assert done.returncode != 0
    assert "a_module_that_is_not_there" in done.stderr
