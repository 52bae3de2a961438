"""Runs the demo site: migrations, demo data, then one server process. Called by `make demo`."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args().port
    if not _is_free(port):
        print(f"Port {port} is taken; try `make demo PORT={port + 1}`.", file=sys.stderr)
        return 1

    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
    from django.core.management import execute_from_command_line as manage

    manage(["manage.py", "migrate", "--verbosity", "0"])
    manage(["manage.py", "demo_data"])
    print(
        f"\n  Chat:   http://{HOST}:{port}/\n  Admin:  http://{HOST}:{port}/admin/\n  Stop:   Ctrl-C\n",
        flush=True,
    )
    # Exec, so that a signal to this process reaches the server.
    daphne = [sys.executable, "-m", "daphne", "-b", HOST, "-p", str(port)]
    os.execv(sys.executable, [*daphne, "project.asgi:application"])  # noqa: S606


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


if __name__ == "__main__":
    sys.exit(main())
