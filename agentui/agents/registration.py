"""Which agents the site has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING

from agentui.exceptions import UnknownAgent

if TYPE_CHECKING:
    from .agent import Agent


class Registry:
    """Agents by name. Safe to use from any thread.

    A name that two agents claim belongs to neither, until one of them is renamed: a thread must not
    fall to the wrong one because modules were imported in another order.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._agents: dict[str, list[Agent]] = {}

    def register(self, agent: Agent) -> None:
        """Called by every new agent. The same place again (a reloaded module) replaces."""
        with self._lock:
            others = [a for a in self._agents.get(agent.name, []) if a.place != agent.place]
            self._agents[agent.name] = [*others, agent]

    def unregister(self, agent: Agent) -> None:
        with self._lock:
            left = [a for a in self._agents.get(agent.name, []) if a is not agent]
            if left:
                self._agents[agent.name] = left
            else:
                self._agents.pop(agent.name, None)

    def get(self, name: str) -> Agent:
        """The one agent of this name. Raises :class:`agentui.exceptions.UnknownAgent`."""
        with self._lock:
            found = self._agents.get(name, [])
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownAgent(
                f"This site has {len(found)} agents of that name, so none is used; "
                "manage.py check says where they are."
            )
        raise UnknownAgent()

    def all(self) -> tuple[Agent, ...]:
        """Every agent whose name is its own, by name."""
        with self._lock:
            return tuple(found[0] for _, found in sorted(self._agents.items()) if len(found) == 1)

    def duplicates(self) -> dict[str, tuple[Agent, ...]]:
        """The names that several agents claim, for the system check."""
        with self._lock:
            return {name: tuple(a) for name, a in self._agents.items() if len(a) > 1}

    def everything(self) -> tuple[Agent, ...]:
        """All agents, those with a contested name too."""
        with self._lock:
            return tuple(agent for found in self._agents.values() for agent in found)

    @contextmanager
    def temporary(self, *agents: Agent) -> Iterator[None]:
        """For tests: within the block these agents have their names to themselves.

        What was registered before, and nothing that was added within, is there again afterwards.
        """
        with self._lock:
            before = {name: list(found) for name, found in self._agents.items()}
            for agent in agents:
                self._agents[agent.name] = [agent]
                before[agent.name] = [a for a in before.get(agent.name, []) if a is not agent]
        try:
            yield
        finally:
            with self._lock:
                self._agents = {name: found for name, found in before.items() if found}


registry = Registry()

NO_AGENT = "This site has no agent yet: no app in INSTALLED_APPS has an agents.py that makes one."


def autodiscover() -> None:
    """Import the ``agents`` module of every installed app, as the admin does with ``admin``."""
    from importlib import import_module

    from django.apps import apps
    from django.utils.module_loading import module_has_submodule

    for config in apps.get_app_configs():
        # Our own package of that name is this one, not a site's.
        if config.name == __name__.partition(".")[0]:
            continue
        if module_has_submodule(config.module, "agents"):
            import_module(f"{config.name}.agents")
