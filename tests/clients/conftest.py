from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.protocols.live import live_site

from . import Driver


@pytest.fixture(scope="session")
def site() -> Iterator[dict[str, Any]]:
    """A site in a process of its own, with the agent ``helper``."""
    with live_site() as site:
        yield site


@pytest.fixture(scope="session")
def drivers() -> Iterator[Callable[..., Driver]]:
    """The Node processes of the clients: each package is loaded once."""
    started: dict[tuple[str, ...], Driver] = {}

    def driver(*name: str) -> Driver:
        return started.get(name) or started.setdefault(name, Driver(*name))

    yield driver
    for each in started.values():
        each.close()


@pytest.fixture(params=["1.0", "0.0.59"])
def generation(request: pytest.FixtureRequest) -> str:
    """The version of @ag-ui/client; the older one is what CopilotKit brings along."""
    return str(request.param)


@pytest.fixture
def agui(
    site: dict[str, Any], generation: str, drivers: Callable[..., Driver]
) -> Callable[..., Any]:
    """Let ada's AG-UI client take these steps; returns what it has seen."""

    def drive(*steps: dict[str, Any], person: str = "ada", **options: Any) -> Any:
        headers = site["people"][person]["headers"]
        given = {"headers": headers, "agent": "helper", "steps": steps, **options}
        return drivers("agui", generation)({**site, **given})

    return drive


@pytest.fixture
def copilotkit(site: dict[str, Any], drivers: Callable[..., Driver]) -> Callable[..., Any]:
    """Let ada's CopilotKit take these steps; returns what it has seen."""

    def drive(*steps: dict[str, Any], person: str = "ada", **options: Any) -> Any:
        headers = site["people"][person]["headers"]
        given = {"headers": headers, "agent": "helper", "steps": steps, **options}
        return drivers("copilotkit")({**site, **given})

    return drive
