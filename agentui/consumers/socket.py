"""The socket: translates frames to actions, and the feed to frames. Decides nothing."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections import deque
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from ..conf import app_settings
from ..core.clean import TooDeep
from ..core.client_json import read_json
from ..exceptions import (
    AgentUIError,
    InternalError,
    InvalidInput,
    MalformedFrame,
    NotFound,
    NotSignedIn,
    Throttled,
    TooLarge,
    UnknownCommand,
)
from ..runtime import background, publish
from ..runtime.database import DATABASE_ERRORS, in_database
from ..runtime.feed import Cursor, Feed
from ..runtime.listening import Listener
from .access import Connection, current_user, thread_frame, threads_left
from .commands import COMMANDS
from .window import Window

logger = logging.getLogger("agentui")

PROTOCOL = 1

#: Close codes of our own: a page does not try again after these.
CLOSE_NOT_SIGNED_IN = 4401
#: A page does come back after this one, with its cursor.
CLOSE_TOO_SLOW = 4408

_MAX_SUBSCRIPTIONS = 20
_AUTH_CHECK_SECONDS = 15.0


class AgentConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """One socket of one user. Any number of threads may be followed on it."""

    #: No channel of its own: nothing is sent to one socket, and it lives on without the layer.
    channel_layer_alias = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.connection = Connection()
        self._feeds: dict[uuid.UUID, asyncio.Task[None]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._times: deque[float] = deque()
        self._window = Window(app_settings.SOCKET_WINDOW_BYTES, app_settings.SOCKET_SILENCE_SECONDS)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Called for everything that reaches this socket.

        Not the base class's: that one visits a database thread for every message. What a client or a
        group calls a message never becomes a method's name.
        """
        match message["type"]:
            case "websocket.connect":
                await self.websocket_connect(message)
            case "websocket.receive":
                await self.websocket_receive(message)
            case "websocket.disconnect":
                await self.websocket_disconnect(message)
            case _:
                pass

    async def connect(self) -> None:
        """Called when somebody opens a socket. Without a user it is closed at once, with a reason."""
        background.start()
        user = self.scope.get("user")
        await self.accept()
        if user is None or not user.is_authenticated or not user.is_active:
            await self._refuse(NotSignedIn())
            await self.close(CLOSE_NOT_SIGNED_IN)
            return
        self.connection.session_key = self.scope["session"].session_key
        self.connection.user = user
        await self._send(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "user": str(user.pk),
                "limits": {
                    "frame_bytes": app_settings.MAX_FRAME_BYTES,
                    # A page that has received half of it says so, with a ping.
                    "window_bytes": app_settings.SOCKET_WINDOW_BYTES,
                    "message_chars": app_settings.MAX_MESSAGE_CHARS,
                    "attachment_bytes": app_settings.MAX_ATTACHMENT_BYTES,
                    "attachment_types": list(app_settings.ALLOWED_ATTACHMENT_TYPES),
                },
            }
        )
        self._tasks = [
            asyncio.create_task(self._follow_threads(user.pk), name="agentui-threads"),
            asyncio.create_task(self._watch_sign_in(), name="agentui-sign-in"),
        ]

    async def disconnect(self, code: int) -> None:
        """Called when the socket is closed. Short, and safe to cancel: the runs go on without it."""
        tasks = [*self._tasks, *self._feeds.values()]
        for task in tasks:
            task.cancel()
        self._feeds.clear()
        self._tasks.clear()

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        await self.disconnect(message.get("code", 1006))
        raise StopConsumer

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Called with each frame. Whatever is in it, the socket lives on."""
        command: dict[str, Any] = {}
        self._window.heard()
        try:
            command = self._read(text_data, bytes_data)
            self._throttle()
            await self._carry_out(command)
        except AgentUIError as error:
            await self._refuse(error, command.get("id"))
            if isinstance(error, NotSignedIn):
                await self.close(CLOSE_NOT_SIGNED_IN)
        except TooDeep as error:
            await self._refuse(InvalidInput(f"Something in it is {error}."), command.get("id"))
        except Exception:
            logger.exception("A command failed: %s", command.get("type"))
            await self._refuse(InternalError(), command.get("id"))

    # Commands

    def _read(self, text: str | None, data: bytes | None) -> dict[str, Any]:
        raw = text if text is not None else data or b""
        size = len(raw.encode("utf-8", "surrogatepass")) if isinstance(raw, str) else len(raw)
        if size > app_settings.MAX_FRAME_BYTES:
            raise TooLarge(
                f"A frame may have {app_settings.MAX_FRAME_BYTES:,} bytes; this one has {size:,}."
            )
        try:
            command = read_json(raw)
        except ValueError:
            raise MalformedFrame from None
        if not isinstance(command, dict):
            raise MalformedFrame
        if not isinstance(command.get("id", ""), str) or len(command.get("id", "")) > 100:
            del command["id"]
            raise MalformedFrame("A command's id must be a string of at most 100 characters.")
        return command

    def _throttle(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._times and self._times[0] < now - 60:
            self._times.popleft()
        if len(self._times) >= app_settings.COMMANDS_PER_MINUTE:
            raise Throttled
        self._times.append(now)

    async def _carry_out(self, command: dict[str, Any]) -> None:
        kind = command.get("type")
        match kind:
            case "ping":
                await self._send({"type": "pong", "id": command.get("id")})
            case "subscribe":
                await self._subscribe(command)
            case "unsubscribe":
                self._unsubscribe(command)
                await self._acknowledge(command, {})
            case str() if kind in COMMANDS:
                answer = await in_database(COMMANDS[kind], self.connection, command)
                await self._acknowledge(command, answer)
            case _:
                raise UnknownCommand(f"There is no command {str(kind)[:50]!r}.")

    async def _subscribe(self, command: dict[str, Any]) -> None:
        thread_id = _thread_id(command)
        user = await in_database(current_user, self.connection, thread_id)
        self._unsubscribe(command)
        if len(self._feeds) >= _MAX_SUBSCRIPTIONS:
            raise Throttled(f"One socket follows at most {_MAX_SUBSCRIPTIONS} threads.")
        await self._acknowledge(command, {"thread": str(thread_id)})
        cursor = Cursor.from_json(command.get("after"))
        self._feeds[thread_id] = asyncio.create_task(
            self._follow(thread_id, user, cursor), name="agentui-subscription"
        )

    def _unsubscribe(self, command: dict[str, Any]) -> None:
        if task := self._feeds.pop(_thread_id(command), None):
            task.cancel()

    # Frames

    async def _follow(self, thread_id: uuid.UUID, user: Any, cursor: Cursor) -> None:
        try:
            async with Feed(thread_id, user, cursor) as feed:
                async for frame in feed:
                    await self._window.wait()
                    await self._send(frame)
        except TimeoutError:
            # It reads too slowly, or not at all. When it comes back, it has its cursor.
            await self.close(CLOSE_TOO_SLOW)
        except AgentUIError as error:
            await self._refuse(error)
        except asyncio.CancelledError:
            raise
        except Exception:
            # The page sees the socket close and comes back with its cursor.
            logger.exception("A feed failed")
            await self.close(1011)

    async def _follow_threads(self, user_id: Any) -> None:
        """Tell the page when any of the user's threads changed, for its list."""
        # By thread, so that a page that reads slowly is told the last of each, once.
        changed: dict[str, str] = {}
        wake = asyncio.Event()

        def hear(hint: dict[str, Any]) -> None:
            if hint.get("kind") in ("changes", "deleted"):
                changed[hint["thread"]] = hint["kind"]
                wake.set()

        try:
            async with Listener(publish.user_group(user_id), hear, lambda: None):
                while True:
                    await wake.wait()
                    wake.clear()
                    while changed:
                        await self._window.wait()
                        thread = next(iter(changed))
                        await self._tell_thread(user_id, thread, changed.pop(thread))
        except TimeoutError:
            await self.close(CLOSE_TOO_SLOW)

    async def _tell_thread(self, user_id: Any, thread: str, kind: str) -> None:
        if kind == "deleted":
            await self._send({"type": "thread_deleted", "thread_id": thread})
            return
        try:
            frame = await in_database(thread_frame, user_id, thread)
        except DATABASE_ERRORS as error:
            logger.warning("A page was not told of a change: %s", type(error).__name__)
            return
        if frame is not None:
            await self._send(frame)

    async def _watch_sign_in(self) -> None:
        """Close the socket soon after its user has signed out or been deactivated, and end what it
        hears of threads that have changed hands."""
        while True:
            await asyncio.sleep(_AUTH_CHECK_SECONDS)
            followed = [pk for pk, task in self._feeds.items() if not task.done()]
            try:
                mine = await in_database(threads_left, self.connection, followed)
                for pk in set(followed) - mine:
                    if (task := self._feeds.pop(pk, None)) is not None:
                        task.cancel()
                        await self._send({"type": "thread_deleted", "thread_id": str(pk)})
            except DATABASE_ERRORS as error:
                logger.warning("A sign-in could not be looked at: %s", type(error).__name__)
            except (NotSignedIn, NotFound) as error:
                await self._refuse(error)
                await self.close(CLOSE_NOT_SIGNED_IN)
                return

    async def _acknowledge(self, command: dict[str, Any], answer: dict[str, Any]) -> None:
        await self._send({"type": "ack", "id": command.get("id"), **answer})

    async def _refuse(self, error: AgentUIError, command_id: Any = None) -> None:
        frame = {"type": "error", **error.to_json()}
        if command_id is not None:
            frame["id"] = command_id
        await self._send(frame)

    async def _send(self, frame: dict[str, Any]) -> None:
        text = json.dumps(frame, ensure_ascii=False, allow_nan=False)
        self._window.sent(len(text))
        await self.send(text_data=text)


def _thread_id(command: dict[str, Any]) -> uuid.UUID:
    try:
        return uuid.UUID(str(command.get("thread")))
    except ValueError:
        raise NotFound from None
