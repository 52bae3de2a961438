"""The one list of checks: what `make test` and CI run.

    scripts/check.py          everything
    scripts/check.py --lint   only the checks that run no test

Every check runs even when an earlier one failed; the closing table says what ran, what failed, and
what was skipped and why. AGENTUI_REQUIRE=browser,postgres,redis turns a part that was not
exercised into a failure.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hatch_build import NODE_REQUIREMENT, FrontendBuildError, node_command  # noqa: E402
from tests.environment import (  # noqa: E402
    find_chromium,
    postgres_answers,
    redis_answers,
    required_parts,
)

FRONTEND = ROOT / "agentui" / "frontend"
NEXT_VENV = ROOT / ".venv-next"
NEXT_DJANGO = "django>=6.1,<6.2"
# What is run again elsewhere: not the browser, nor the stories that bring processes of their own.
_AGAIN = "not browser and not flow"
# A file's tests stay together and in their order; see tests/conftest.py for why order matters.
_SIDE_BY_SIDE = [
    "-n",
    "auto",
    "--maxprocesses",
    "4",
    "--dist",
    "loadfile",
    "--no-loadscope-reorder",
]
# Where the newest Python and Django could make a difference: all but real clients and the demo site.
_NEXT = [
    f"tests/{name}"
    for name in (
        "adapters",
        "admin",
        "agents_tests",
        "api",
        "core",
        "doors",
        "durable",
        "notices",
        "protocols",
        "runtime",
    )
]


@dataclass
class Checks:
    """Runs checks one after the other and remembers how each went."""

    lines: list[tuple[str, str, str]] = field(default_factory=list)
    executed: Counter[str] = field(default_factory=Counter)

    def run(
        self,
        name: str,
        command: list[str | Path],
        *,
        cwd: Path = ROOT,
        env: dict[str, str] | None = None,
    ) -> bool:
        print(f"\n=== {name}", flush=True)
        started = time.monotonic()
        done = subprocess.run(
            [str(part) for part in command], cwd=cwd, env={**os.environ, **(env or {})}, check=False
        )
        passed = done.returncode == 0
        took = f"{time.monotonic() - started:.0f} s"
        self.lines.append(("ok" if passed else "FAILED", name, took))
        return passed

    def pytest(
        self, name: str, python: str | Path, *arguments: str, env: dict[str, str] | None = None
    ) -> None:
        with tempfile.NamedTemporaryFile(suffix=".json") as report:
            env = {**(env or {}), "AGENTUI_TEST_REPORT": report.name}
            self.run(name, [python, "-m", "pytest", *_SIDE_BY_SIDE, *arguments], env=env)
            counts = Counter(json.loads(report.read() or "{}"))
        if env.get("AGENTUI_TEST_DATABASE") == "postgres":
            counts["postgres"] += counts["all"]
        if env.get("AGENTUI_TEST_CHANNEL_LAYER") == "redis":
            counts["redis"] += counts["all"]
        self.executed += counts

    def skip(self, name: str, reason: str) -> None:
        self.lines.append(("skipped", name, reason))

    def fail(self, name: str, reason: str) -> None:
        self.lines.append(("FAILED", name, reason))

    def close(self) -> int:
        """Print the table; 0 when nothing failed."""
        print("\n=== summary")
        for outcome, name, note in self.lines:
            print(f"  {outcome:8} {name}  ({note})")
        failed = sum(outcome == "FAILED" for outcome, _, _ in self.lines)
        print(f"{failed} failed\n" if failed else "all checks passed\n", flush=True)
        return 1 if failed else 0


def lint(checks: Checks) -> None:
    python = [sys.executable, "-m"]
    checks.run("ruff check", [*python, "ruff", "check", "."])
    checks.run("ruff format", [*python, "ruff", "format", "--check", "."])
    checks.run("mypy", [*python, "mypy"])
    checks.run("import-linter", [Path(sys.executable).with_name("lint-imports"), "--no-logo"])
    checks.run(
        "migrations are complete",
        [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
        env={"AGENTUI_DEMO_VAR": str(ROOT / "build" / "check")},
    )
    try:
        node = node_command("node")
    except FrontendBuildError:
        checks.fail("front end", f"no Node: pip install '{NODE_REQUIREMENT}'")
        return
    modules = FRONTEND / "node_modules"
    checks.run("tsc", [*node, modules / "typescript" / "bin" / "tsc", "--noEmit"], cwd=FRONTEND)
    checks.run("vitest", [*node, modules / "vitest" / "vitest.mjs", "run"], cwd=FRONTEND)


def test(checks: Checks) -> None:
    ensure_chromium()
    if find_chromium() is None:
        checks.skip("browser tests", "no Chromium; install it or set AGENTUI_CHROMIUM")

    has_postgres, has_redis = postgres_answers(), redis_answers()
    if has_postgres or has_redis:
        env = {}
        names = []
        if has_postgres:
            env["AGENTUI_TEST_DATABASE"] = "postgres"
            names.append("PostgreSQL")
        if has_redis:
            env["AGENTUI_TEST_CHANNEL_LAYER"] = "redis"
            names.append("Redis")
        name = f"pytest on {' and '.join(names)}"
        env["AGENTUI_TEST_ONLY"] = "database"
        checks.pytest(name, sys.executable, "-m", _AGAIN, env=env)
    if not has_postgres:
        checks.skip("pytest on PostgreSQL", "no server answers; see PGHOST and PGPORT")
    if not has_redis:
        checks.skip("pytest on Redis", "no server answers; see REDIS_URL")

    python = next_python(checks)
    if python is not None:
        checks.pytest("pytest on the newest Python and Django", python, "-m", _AGAIN, *_NEXT)

    checks.pytest("pytest on SQLite and memory, with browser", sys.executable)

    for part in sorted(required_parts()):
        if not checks.executed[part]:
            checks.fail(f"required: {part}", "no test exercised it")


def ensure_chromium() -> None:
    """Install Chromium from the system's packages where that is possible and needed."""
    if find_chromium() or os.environ.get("AGENTUI_CHROMIUM") or not shutil.which("apt-get"):
        return
    if os.geteuid() != 0:
        return
    print("\n=== installing Chromium from the system's packages", flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-qq"], ["install", "-qq", "-y", "chromium"]):
        subprocess.run(
            ["apt-get", *arguments],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=False,
        )


def next_python(checks: Checks) -> Path | None:
    """A second environment with the newest supported Django, made when it is missing or stale."""
    name = "pytest on the newest Python and Django"
    interpreter = find_next_interpreter()
    if interpreter is None:
        checks.skip(name, "no Python 3.12 or newer found")
        return None
    python = NEXT_VENV / "bin" / "python"
    stamp = NEXT_VENV / ".agentui-installed"
    wanted = hashlib.sha256(
        f"{interpreter} {NEXT_DJANGO}".encode() + (ROOT / "pyproject.toml").read_bytes()
    ).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"\n=== setting up {NEXT_VENV.name} with {NEXT_DJANGO}", flush=True)
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet"]
    commands: list[list[str | Path]] = [
        [interpreter, "-m", "venv", "--clear", NEXT_VENV],
        [*pip, "--upgrade", "pip>=25"],
        [*pip, "--editable", ".[dev]", NEXT_DJANGO],
    ]
    for command in commands:
        if subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode:
            checks.fail(name, f"could not be set up: {' '.join(map(str, command[1:]))}")
            return None
    stamp.write_text(wanted)
    return python


def find_next_interpreter() -> str | None:
    """A Python that runs Django 6.1: on the path, or one that pyenv keeps off it."""
    candidates = [f"python3.{minor}" for minor in (13, 14, 12)]
    if pyenv := shutil.which("pyenv"):
        # pyenv puts a shim for every version on the path, but only the chosen one starts.
        root = subprocess.run([pyenv, "root"], capture_output=True, text=True, check=False).stdout
        folders = [path for path in Path(root.strip()).glob("versions/3.*") if path.is_dir()]
        folders.sort(key=lambda path: [int(n) for n in path.name.split(".") if n.isdigit()])
        candidates += [str(folder / "bin" / "python3") for folder in reversed(folders)]
    test = "import sys, venv, ensurepip; sys.exit(not (3, 12) <= sys.version_info < (3, 15))"
    for candidate in candidates:
        try:
            done = subprocess.run([candidate, "-c", test], capture_output=True, check=False)
        except OSError:
            continue
        if done.returncode == 0:
            return candidate
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lint", action="store_true", help="only the checks that run no test")
    only_lint = parser.parse_args().lint
    checks = Checks()
    lint(checks)
    if not only_lint:
        test(checks)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
