"""The npm projects that tests drive: installed and built once for each state of their sources.

Test processes that run side by side share the result; the first one makes it, the others wait.
"""

from __future__ import annotations

import fcntl
import hashlib
import subprocess
from collections.abc import Iterable
from pathlib import Path

from hatch_build import node_command


def install(project: Path) -> None:
    """Install exactly what the project's lock file says."""
    lock = project / "package-lock.json"
    arguments = ("ci", "--no-audit", "--no-fund", "--ignore-scripts")
    make_once(project / "node_modules" / ".agentui-installed", [lock], "npm", *arguments)


def make_once(stamp: Path, sources: Iterable[Path], program: str, *arguments: str) -> None:
    """Run ``node`` or ``npm`` in the project unless ``stamp`` says it was done for these sources.

    Raises ``AssertionError`` with what the program printed.
    """
    project = stamp.parent.parent
    with (project / "package-lock.json").open("rb") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        digest = hashlib.sha256(b"\0".join(file.read_bytes() for file in sources)).hexdigest()
        if stamp.exists() and stamp.read_text() == digest:
            return
        done = subprocess.run(
            [*node_command(program), *arguments],
            cwd=project,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
        stamp.write_text(digest)
