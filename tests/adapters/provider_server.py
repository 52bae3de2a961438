"""A model provider on the loopback: answers each request with the bytes it was given, real HTTP.

Each answer is a list of byte pieces, sent one by one, so a test decides where a stream is cut. The
requests are kept as they came. Nothing here knows what a provider means by its bytes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Answer:
    """``pieces`` are sent in order. ``drop`` ends the connection in the middle of the body."""

    pieces: Sequence[bytes]
    status: int = 200
    content_type: str = "text/event-stream"
    drop: bool = False
    hold: asyncio.Event | None = None
    """When given, the body stays open after the last piece until this is set or the peer leaves."""
    headers: dict[str, str] = field(default_factory=dict)


class ProviderServer:
    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answers: list[Answer] = []
        self.peer_left = asyncio.Event()
        self.port = 0
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answer(self, *pieces: bytes, **options: Any) -> None:
        """Queue one answer; the next request without an answer of its own takes it."""
        self.answers.append(Answer(pieces, **options))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await _read_request(reader):
                self.received.append(request)
                if not await self._respond(reader, writer):
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            self.peer_left.set()
        finally:
            writer.close()

    async def _respond(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        if not self.answers:
            self.answer(b'{"error": {"message": "no answer was queued"}}', status=500)
        answer = self.answers.pop(0)
        head = [f"HTTP/1.1 {answer.status} X", f"content-type: {answer.content_type}"]
        head += [f"{name}: {value}" for name, value in answer.headers.items()]
        head += ["transfer-encoding: chunked", "connection: keep-alive", "", ""]
        writer.write("\r\n".join(head).encode())
        for piece in answer.pieces:
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()
            await asyncio.sleep(0)
        if answer.hold is not None:
            await self._hold(reader, answer.hold)
        if answer.drop:
            writer.transport.abort()
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    async def _hold(self, reader: asyncio.StreamReader, hold: asyncio.Event) -> None:
        held = asyncio.ensure_future(hold.wait())
        closed = asyncio.ensure_future(reader.read(1))
        done, pending = await asyncio.wait({held, closed}, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        if closed in done:
            self.peer_left.set()


async def _read_request(reader: asyncio.StreamReader) -> Received | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(first.split(" ")[1], headers, json.loads(body) if body else None)


@asynccontextmanager
async def provider_server() -> AsyncIterator[ProviderServer]:
    provider = ProviderServer()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        provider._tasks.add(task)
        try:
            await provider.serve(reader, writer)
        except asyncio.CancelledError:
            pass  # Only ever from below; a cancelled task would make asyncio.streams complain.
        finally:
            provider._tasks.discard(task)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    provider.port = server.sockets[0].getsockname()[1]
    try:
        yield provider
    finally:
        server.close()
        for task in list(provider._tasks):
            task.cancel()
        await asyncio.gather(*provider._tasks, return_exceptions=True)
