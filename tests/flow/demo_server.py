"""The demo site as real processes: started, killed and started again by a test."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from tests.environment import POSTGRES, REDIS_URL

ROOT = Path(__file__).resolve().parents[2]


class DemoServer:
    """One server process of the demo site, with a folder and a database of its own."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        self._environment = {
            **{
                k: v
                for k, v in os.environ.items()
                if not k.startswith(("OPENAI_", "AGENTUI_DEMO_"))
            },
            "AGENTUI_DEMO_VAR": str(folder),
            "DJANGO_SETTINGS_MODULE": "project.settings",
            "PYTHONUNBUFFERED": "1",
            **environment,
        }
        self._process: subprocess.Popen[bytes] | None = None

    def manage(self, *arguments: str) -> str:
        """What ``manage.py`` prints for these arguments."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def prepare(self) -> None:
        """Migrations and demo data."""
        self.manage("migrate", "--verbosity", "0")
        self.manage("demo_data")

    def start(self) -> None:
        """Start the server and return when it answers."""
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p", str(self.port)),
                    "project.asgi:application",
                ],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise AssertionError(self.log())
            try:
                with urlopen(f"{self.url}/admin/login/", timeout=5):
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("The server does not answer.\n" + self.log())

    def another(self) -> DemoServer:
        """A second server process of the same site: the same database and channel layer."""
        return DemoServer(self.folder, self._environment)

    @contextmanager
    def worker(self) -> Iterator[None]:
        """A worker process of the site's task engine."""
        with (self.folder / "worker.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "procrastinate", "worker", "-q", "agentui"],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        try:
            yield
        finally:
            process.terminate()
            process.wait(30)

    def kill(self) -> None:
        """End the process as a power cut would."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(10)

    def log(self) -> str:
        """What the server wrote."""
        path = self.folder / "server.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def query(self, expression: str) -> str:
        """The value of a Python expression in the site's shell, models imported."""
        code = (
            f"from project.shop.models import *; from agentui.models import *; print({expression})"
        )
        return self.manage("shell", "-v", "0", "-c", code).strip().splitlines()[-1]

    def wait_for(self, expression: str, value: str, seconds: float = 30) -> None:
        """Until :meth:`query` of this expression is ``value``."""
        deadline = time.monotonic() + seconds
        while (found := self.query(expression)) != value:
            assert time.monotonic() < deadline, f"{expression} is {found}\n{self.log()[-3000:]}"


@contextmanager
def demo_server(
    folder: Path,
    *,
    database: str,
    layer: str,
    settings: str = "project.settings",
    launcher: str = "in_process",
) -> Iterator[DemoServer]:
    """A prepared and started site on ``sqlite`` or ``postgres``, ``memory`` or ``redis``."""
    environment = {"DJANGO_SETTINGS_MODULE": settings, "AGENTUI_DEMO_LAUNCHER": launcher}
    if layer == "redis":
        environment["REDIS_URL"] = REDIS_URL
    with _database(database, folder) as where:
        environment["AGENTUI_DEMO_DATABASE"] = where
        server = DemoServer(folder, environment)
        server.prepare()
        try:
            server.start()
            yield server
        finally:
            server.kill()


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield str(folder / "demo.sqlite3")
        return
    import psycopg

    name = f"agentui_flow_{uuid.uuid4().hex[:10]}"
    where = {
        "host": POSTGRES["HOST"],
        "port": POSTGRES["PORT"],
        "user": POSTGRES["USER"],
        "password": POSTGRES["PASSWORD"],
    }
    with psycopg.connect(**where, dbname="postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            secret = f":{where['password']}" if where["password"] else ""
            yield f"postgres://{where['user']}{secret}@{where['host']}:{where['port']}/{name}"
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
