from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from asgiref.sync import sync_to_async
from channels.security.websocket import AllowedHostsOriginValidator
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connections

from ..routing import websocket_application
from ..runtime.database import in_database

Frame = dict[str, Any]


class Socket:
    """A page's socket in a test. Frames that nobody asked for are kept in ``frames``."""

    def __init__(self, communicator: WebsocketCommunicator) -> None:
        self.communicator = communicator
        self.frames: list[Frame] = []

    async def next(self, seconds: float = 20) -> Frame:
        """The next frame the server sends."""
        frame: Frame = json.loads(await self.communicator.receive_from(timeout=seconds))
        self.frames.append(frame)
        return frame

    async def until(self, wanted: Callable[[Frame], bool] | str, seconds: float = 20) -> Frame:
        """The next frame of this type, or for which ``wanted`` is true."""
        test = wanted if callable(wanted) else lambda frame: frame["type"] == wanted
        async with asyncio.timeout(seconds):
            while True:
                frame = await self.next(seconds)
                if test(frame):
                    return frame

    async def command(self, kind: str, **fields: Any) -> Frame:
        """Send a command with a new id and return its answer: an ``ack`` or an ``error``."""
        command_id = fields.pop("id", None) or str(uuid.uuid4())
        await self.send_text(json.dumps({"id": command_id, "type": kind, **fields}))
        return await self.until(
            lambda frame: (
                frame["type"] in ("ack", "error", "pong") and frame.get("id") == command_id
            )
        )

    async def send_text(self, text: str) -> None:
        """Send these characters as they are."""
        await self.communicator.send_input({"type": "websocket.receive", "text": text})


@asynccontextmanager
async def open_socket(user: Any = None, *, origin: str | None = None) -> AsyncIterator[Socket]:
    """A socket of a browser in which ``user`` is signed in; ``hello`` has been received.

    ``origin`` is that of the page, this site's own if not said; an empty one is not sent.
    """
    headers = [(b"host", b"testserver")]
    if origin != "":
        headers.append((b"origin", (origin or "http://testserver").encode()))
    if user is not None:
        key = await in_database(sign_in, user)
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={key}".encode()))
    # Made here: the validator keeps the ALLOWED_HOSTS of its making, and what was imported with the
    # first test module was made before Django's test environment let "testserver" in.
    application = AllowedHostsOriginValidator(websocket_application.application)
    communicator = WebsocketCommunicator(application, "/ws/agentui/", headers)
    connected, code = await communicator.connect()
    if not connected:
        raise ConnectionRefusedError(
            f"The socket was not let in (code {code}). The page's host has to be in ALLOWED_HOSTS, "
            f"which is {settings.ALLOWED_HOSTS}."
        )
    socket = Socket(communicator)
    if user is not None:
        await socket.until("hello")
    try:
        yield socket
    finally:
        await communicator.disconnect()
        # Channels' test communicator leaves the connection open that its middleware used.
        await sync_to_async(connections.close_all)()


def sign_in(user: Any) -> str:
    """A new session of this user; returns its key."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = user._meta.pk.value_to_string(user)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    key: str = session.session_key
    return key
