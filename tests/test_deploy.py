"""What docs/deploy.md and compose.yaml say exists, and the two say the same."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands
from django.utils.module_loading import import_string

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "deploy.md").read_text()
NGINX = re.search(r"```nginx\n(.*?)```", PAGE, re.DOTALL)[1]  # type: ignore[index]


class _Loader(yaml.SafeLoader):
    """YAML with the tags of Compose."""


for _tag in ("!reset", "!override"):
    _Loader.add_constructor(
        _tag,
        lambda loader, node: (
            loader.construct_mapping(node, deep=True)
            if isinstance(node, yaml.MappingNode)
            else loader.construct_sequence(node, deep=True)
        ),
    )


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load((ROOT / "compose.yaml").read_text(), _Loader)
    return loaded


def ours(compose: dict[str, Any]) -> list[dict[str, Any]]:
    """The services that run this code."""
    return [one for one in compose["services"].values() if "build" in one or "extends" in one]


def test_every_command_is_one_of_ours(compose: dict[str, Any]) -> None:
    said = " && ".join(service["command"] for service in ours(compose))
    known = {*get_commands(), "procrastinate"}
    commands = re.findall(r"manage\.py (\w+)", said)
    assert {"migrate", "demo_data", "agentui_recover", "procrastinate"} <= set(commands) <= known
    assert "daphne" in said
    for application in re.findall(r"[\w.]+:application", said):
        assert import_string(application.replace(":", "."))


def test_every_variable_is_read_by_the_demo(compose: dict[str, Any]) -> None:
    settings = (ROOT / "project" / "settings.py").read_text()
    for name in compose["services"]["web"]["environment"]:
        assert f'"{name}"' in settings, name


def test_what_is_installed_can_be(compose: dict[str, Any]) -> None:
    extras = re.search(
        r'"\.\[([\w,-]+)\]"', compose["services"]["web"]["build"]["dockerfile_inline"]
    )
    project = (ROOT / "pyproject.toml").read_text()
    assert extras
    for extra in extras[1].split(","):
        assert re.search(rf"^{extra} = \[", project, re.MULTILINE), extra


def test_what_a_service_waits_for_is_there(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert service.get("extends", {}).get("service", "web") in services


def test_nginx_is_told_the_same_in_both(compose: dict[str, Any]) -> None:
    example = compose["configs"]["nginx"]["content"].replace("$$", "$")
    assert _directives(example.replace("http://web:8000", "http://app")) == _directives(
        NGINX[NGINX.index("server {\n    listen") :]
    )


@pytest.mark.skipif(shutil.which("nginx") is None, reason="no nginx on this machine")
def test_nginx_takes_it(tmp_path: Path) -> None:
    file = tmp_path / "nginx.conf"
    file.write_text(f"pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}} http {{ {NGINX} }}")
    done = subprocess.run(["nginx", "-t", "-c", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _directives(text: str) -> list[str]:
    return [" ".join(line.split("#")[0].split()) for line in text.splitlines() if line.strip()]
