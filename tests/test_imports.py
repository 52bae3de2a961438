"""The layers hold: what DESIGN calls "imports go down only", and what each layer may know."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
CORE = sorted((ROOT / "agentui" / "core").rglob("*.py"))
DOORS = {"consumers", "api", "protocols", "admin", "views", "management", "checks"}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(
        "agentui",
        include_external_packages=True,
        exclude_type_checking_imports=True,
        cache_dir=None,
    )


def layers_that_import(graph: grimp.ImportGraph, package: str) -> set[str]:
    if package not in graph.modules:
        return set()
    return {name.split(".")[1] for name in graph.find_modules_that_directly_import(package)}


def test_import_linter_contracts() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_the_api_knows_rest_framework(graph: grimp.ImportGraph) -> None:
    assert layers_that_import(graph, "rest_framework") <= {"api"}


def test_only_the_doors_and_the_runtime_know_channels(graph: grimp.ImportGraph) -> None:
    assert layers_that_import(graph, "channels") <= {*DOORS, "runtime", "routing", "testing"}


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_core_reads_no_clock(path: Path) -> None:
    """Times come into core as values; import-linter already keeps `time` out."""
    calls = [
        node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)
    ]
    names = {func.attr for func in calls if isinstance(func, ast.Attribute)}
    assert not names & {"now", "utcnow", "today"}


def test_importing_agentui_loads_no_django() -> None:
    code = "import agentui, sys; print([n for n in sys.modules if n.split('.')[0] == 'django'])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_exported_names_are_no_submodules() -> None:
    """A lazy export with the name of a submodule would be shadowed by the module."""
    import agentui

    folder = ROOT / "agentui"
    modules = {path.stem for path in folder.iterdir()} - {"__init__"}
    assert not set(agentui.__all__) & modules
