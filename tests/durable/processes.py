"""Real processes on the database of a test: servers that are forked and killed, workers, web."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]


def environment(**agentui: Any) -> dict[str, str]:
    """What another process needs to be one of this test's site."""
    layer = settings.CHANNEL_LAYERS["default"].get("CONFIG", {})
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.durable.settings",
        "AGENTUI_DURABLE_DATABASE": str(connection.settings_dict["NAME"]),
        "AGENTUI_DURABLE_SETTINGS": json.dumps(agentui),
        "AGENTUI_DURABLE_PREFIX": str(layer.get("prefix", "")),
        "PYTHONUNBUFFERED": "1",
        # A process that hangs says where, when it is told to (SIGABRT).
        "PYTHONFAULTHANDLER": "1",
    }


class Nursery:
    """Forks servers. Each is a process of its own, ready within milliseconds."""

    def __init__(self, log: Path, **agentui: Any) -> None:
        self._log = log.open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.durable.nursery"],
            cwd=ROOT,
            env=environment(**agentui),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self.log = log
        if self._read() != "ready":
            self.close()
            raise AssertionError(log.read_text())

    def server(self) -> int:
        """The process id of a new server. It ends with this process at the latest."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return int(self._read())

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout, self._log):
            if stream is not None:
                stream.close()
        self._process.kill()
        self._process.wait(10)

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


def end(pid: int, how: int = signal.SIGKILL) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, how)


def is_alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


@contextmanager
def process(arguments: list[str], log: Path, **agentui: Any) -> Iterator[subprocess.Popen[bytes]]:
    """``python <arguments>`` as a process of the site; killed at the end."""
    with log.open("ab") as output:
        started = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment(**agentui),
            stdout=output,
            stderr=output,
        )
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
            started.wait(10)


def wait_for(look: Callable[[], Any], *, seconds: float = 30, note: Any = "") -> Any:
    """What ``look()`` answers, once it is true."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s; {note() if callable(note) else note}")
        time.sleep(0.03)
    return found
