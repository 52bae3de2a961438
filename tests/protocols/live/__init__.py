"""A site in a process of its own, for real clients: ``with live_site() as site``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


@contextmanager
def live_site(static: Path | None = None, *, server: str = "uvicorn") -> Iterator[dict[str, Any]]:
    """Its ``url``, and ``people``: for ada, bob and grace (staff) a ``token`` and the headers that a
    browser of theirs sends. ``static`` is a folder that it serves beside its own static files;
    ``server`` is uvicorn or daphne."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.protocols.live"],
        cwd=ROOT,
        env={
            **os.environ,
            "AGENTUI_SITE_STATIC": str(static or ""),
            "AGENTUI_SITE_SERVER": server,
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line, "the server did not start"
        yield json.loads(line)
    finally:
        process.terminate()
        process.wait(timeout=20)
        process.stdout.close()
