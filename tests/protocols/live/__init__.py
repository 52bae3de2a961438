"""A site in a process of its own, for real clients: ``with live_site() as site``."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


@contextmanager
def live_site(*arguments: str) -> Iterator[dict[str, Any]]:
    """Its ``url``, and ``people``: for ada, bob and grace (staff) a ``token`` and the headers that a
    browser of theirs sends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.protocols.live", *arguments],
        cwd=ROOT,
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
