"""The real npm clients of AG-UI (both generations) and CopilotKit, called from the tests."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from hatch_build import node_command
from tests import npm

HERE = Path(__file__).parent
_MARK = "SEEN "


def install() -> None:
    """Install what the clients need."""
    npm.install(HERE)


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
