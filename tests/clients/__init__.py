"""The real npm clients of AG-UI (both generations) and CopilotKit, called from the tests."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

from hatch_build import node_command

HERE = Path(__file__).parent
_MARK = "SEEN "
_STAMP = HERE / "node_modules" / ".agentui-installed"


def install() -> None:
    """Install exactly what the lock file says, once for each state of it."""
    wanted = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    if _STAMP.exists() and _STAMP.read_text() == wanted:
        return
    command = [*node_command("npm"), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True, timeout=300)
    _STAMP.write_text(wanted)


class Driver:
    """A script that goes on: what is written to it as a line it does, and answers with a line."""

    def __init__(self, name: str, *arguments: str) -> None:
        install()
        self._process = subprocess.Popen(
            [*node_command("node"), f"{name}.mjs", *arguments],
            cwd=HERE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, given: Any) -> Any:
        """What the script has seen. Raises ``AssertionError`` with its error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        while line := self._process.stdout.readline():
            # What packages print on their own comes in between.
            if line.startswith(_MARK):
                seen = json.loads(line.removeprefix(_MARK))
                assert "failed" not in seen, seen["failed"]
                return seen
        raise AssertionError("the script ended")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=10)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
