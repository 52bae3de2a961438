"""Two React pages, built by Vite: one with CopilotKit, one with assistant-ui."""

from __future__ import annotations

from pathlib import Path

from tests import npm

HERE = Path(__file__).parent
BUILD = HERE / "build"


def built_pages() -> Path:
    """The folder with the built pages."""
    npm.install(HERE)
    sources = [HERE / "package-lock.json", *sorted(HERE.glob("*.html")), *sorted(HERE.glob("*.js"))]
    sources += sorted(HERE.glob("src/*"))
    vite = HERE / "node_modules" / "vite" / "bin" / "vite.js"
    npm.make_once(
        BUILD / ".agentui-built", sources, "node", str(vite), "build", "--logLevel", "error"
    )
    return BUILD
