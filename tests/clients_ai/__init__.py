"""The real npm clients of the AI SDK and of assistant-ui, called from the tests."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

from hatch_build import node_command

HERE = Path(__file__).parent
_STAMP = HERE / "node_modules" / ".agentui-installed"


def install() -> None:
    """Install exactly what the lock file says, once for each state of it."""
    wanted = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    if _STAMP.exists() and _STAMP.read_text() == wanted:
        return
    command = [*node_command("npm"), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True, timeout=300)
    _STAMP.write_text(wanted)


def run_script(name: str, given: Any, *, timeout: float = 60) -> Any:
    """Run ``name``.mjs with ``given`` on its standard input; what it prints, as JSON."""
    done = subprocess.run(
        [*node_command("node"), f"{name}.mjs"],
        cwd=HERE,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:] or done.stdout[-4000:]
    return json.loads(done.stdout)
