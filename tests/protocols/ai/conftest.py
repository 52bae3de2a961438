from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients_ai import install, run_script


@pytest.fixture(scope="session")
def site() -> Iterator[dict[str, Any]]:
    """A server in a process of its own: its address, and the headers of ada, bob and grace (staff)."""
    install()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.clients_ai.site"],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, "the server did not start"
    yield json.loads(line)
    process.terminate()
    process.wait(timeout=20)
    process.stdout.close()


class Clients:
    """Scenarios of the client scripts. All that the tests ask for are played in one process a script."""

    def __init__(self, site: dict[str, Any], wanted: dict[str, dict[str, list[Any]]]) -> None:
        self._site = site
        self._wanted = wanted
        self._seen: dict[str, dict[str, Any]] = {}

    def __call__(self, script: str, *scenario: Any) -> Any:
        """What the client saw in this scenario."""
        if script not in self._seen:
            given = {**self._site, "scenarios": self._wanted[script]}
            self._seen[script] = run_script(script, given, timeout=180)
        seen = self._seen[script][json.dumps(scenario)]
        assert "failed" not in seen, seen["failed"]
        return seen


@pytest.fixture(scope="session")
def clients(site: dict[str, Any], request: pytest.FixtureRequest) -> Clients:
    wanted: dict[str, dict[str, list[Any]]] = {}
    for item in request.session.items:
        for mark in item.iter_markers("client"):
            script, *scenario = mark.args
            wanted.setdefault(script, {})[json.dumps(scenario)] = scenario
    return Clients(site, wanted)


@pytest.fixture
def seen(clients: Clients, request: pytest.FixtureRequest) -> Any:
    """What the client saw in the scenario that the test's ``client`` mark names."""
    mark = request.node.get_closest_marker("client")
    return clients(*mark.args)


@pytest.fixture
def site_urls(settings: Any) -> None:
    """The addresses of these protocols, in this process."""
    settings.ROOT_URLCONF = "tests.urls"
