"""The real npm clients of the AI SDK and of assistant-ui, called from the tests."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from hatch_build import node_command
from tests import npm

HERE = Path(__file__).parent


def install() -> None:
    """Install what the clients need."""
    npm.install(HERE)


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
