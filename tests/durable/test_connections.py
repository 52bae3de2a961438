"""Three hundred pages that come, follow a run and vanish: the database's connections come back."""

from __future__ import annotations

import asyncio
import json
import random
import uuid

import pytest
from django.db import connection
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage

from agentui import actions
from agentui.models import Run
from agentui.testing.sockets import sign_in

from .processes import process, wait_for
from .web import Web, free_port

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres, pytest.mark.slow]

CLIENTS, AT_ONCE = 300, 25


def sessions() -> int:
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            return int(cursor.fetchone()[0])
    finally:
        connection.close()  # Also in the threads from which it is asked.


async def come_and_vanish(web: Web, threads: list[str], limit: asyncio.Semaphore) -> bool:
    async with limit:
        headers = {"Cookie": web.cookies, "Origin": f"http://127.0.0.1:{web.port}"}
        try:
            socket = await connect(
                f"ws://127.0.0.1:{web.port}/ws/agentui/",
                additional_headers=headers,
                open_timeout=30,
            )
        except InvalidMessage:
            return False  # A server under such a load lets some wait too long.
        command = {"type": "subscribe", "thread": random.choice(threads)}
        await socket.send(json.dumps({"id": str(uuid.uuid4()), **command}))
        for _ in range(random.randrange(6)):
            await socket.recv()
        # No closing handshake: the page is gone, in the middle of whatever it was sent.
        socket.transport.abort()
        return True


def test_the_connections_return_to_the_base_line(user, say, tmp_path):
    port = free_port()
    web = Web(port)
    web.key = sign_in(user)
    server = ["-m", "daphne", "-b", "127.0.0.1", "-p", str(port), "tests.durable.asgi:application"]
    with process(server, tmp_path / "web.log", DATABASE_THREADS=3) as daphne:

        def log() -> str:
            return (tmp_path / "web.log").read_text()[-4000:]

        web.wait(log)
        runs = [say("long").run for _ in range(4)]
        wait_for(lambda: Run.objects.filter(status="running").count() == 4, note=log)
        threads = [str(run.thread_id) for run in runs]
        limit = asyncio.Semaphore(1)
        asyncio.run(come_and_vanish(web, threads, limit))
        # Three threads of ours, and the one in which Channels looks the user up.
        base = max(sessions(), 4)
        most = 0

        async def all_of_them() -> None:
            nonlocal most
            limit = asyncio.Semaphore(AT_ONCE)
            clients = [
                asyncio.create_task(come_and_vanish(web, threads, limit)) for _ in range(CLIENTS)
            ]
            while not all(client.done() for client in clients):
                most = max(most, await asyncio.to_thread(sessions))
                await asyncio.sleep(0.05)
            assert sum(client.result() for client in clients) > 0.8 * CLIENTS

        asyncio.run(all_of_them())
        assert most <= base + 2, most
        wait_for(lambda: sessions() <= base, note=lambda: f"{sessions()} of {base}; {log()}")
        assert daphne.poll() is None
        for run in runs:
            actions.cancel_run(user, run.pk)
        wait_for(lambda: not Run.objects.active().exists(), note=log)
    connection.close()
