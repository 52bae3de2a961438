"""Two React pages, built by Vite: one with CopilotKit, one with assistant-ui."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from hatch_build import node_command

HERE = Path(__file__).parent
BUILD = HERE / "build"
_MODULES = HERE / "node_modules"
_INSTALLED = _MODULES / ".agentui-installed"
_BUILT = BUILD / ".agentui-built"


def built_pages() -> Path:
    """The folder with the built pages: installed and built once for each state of the sources."""
    lock = _digest([HERE / "package-lock.json"])
    if not _is_stamped(_INSTALLED, lock):
        _run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
        _INSTALLED.write_text(lock)
    sources = [*HERE.glob("*.html"), *HERE.glob("*.js"), *HERE.glob("src/*")]
    wanted = _digest([HERE / "package-lock.json", *sorted(sources)])
    if not _is_stamped(_BUILT, wanted):
        _run("node", str(_MODULES / "vite" / "bin" / "vite.js"), "build", "--logLevel", "error")
        _BUILT.write_text(wanted)
    return BUILD


def _run(name: str, *arguments: str) -> None:
    done = subprocess.run(
        [*node_command(name), *arguments],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]


def _is_stamped(stamp: Path, wanted: str) -> bool:
    return stamp.exists() and stamp.read_text() == wanted


def _digest(files: list[Path]) -> str:
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
