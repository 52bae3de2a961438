"""A process that is ready to become the server, again and again: it forks one when it is told to.

``python -m tests.durable.nursery`` prints the process id of a new server for every line it reads. A
server carries out runs as any ASGI process does, until it is killed; SIGTERM ends it in good order.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
from contextlib import suppress

import django

_PR_SET_PDEATHSIG = 1


def main() -> None:
    django.setup()
    import tests.durable.agents  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)
    nursery = os.getpid()
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _die_with(nursery)
            asyncio.run(serve())
            os._exit(0)
        print(pid, flush=True)


def _die_with(nursery: int) -> None:
    """A test that fails leaves no server behind (Linux only)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != nursery:
        os._exit(0)  # It had ended before this one could be tied to it.


async def serve() -> None:
    from agentui.runtime import background
    from agentui.runtime.launchers import get_launcher

    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    get_launcher()
    background.start()
    await ended.wait()
    await background.shut_down()
    await background.stop()


if __name__ == "__main__":
    main()
