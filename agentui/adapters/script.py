"""The steps of a script: small values that say what a scripted model does next."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from agentui.core.events import FinishReason, StreamEvent
from agentui.core.values import Json

#: Roughly how models cut text: a word or the first letters of it, with the space before.
_TOKENS = re.compile(r"\s?\w{1,5}|\s?[^\w\s]|\s+")
_ARGUMENT_PIECE = 7


@dataclass(frozen=True, slots=True)
class Say:
    """Text of the answer. A tuple of strings is streamed as exactly these pieces."""

    text: str | tuple[str, ...]
    provider_metadata: dict[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Think:
    """Reasoning. A tuple of strings is streamed as exactly these pieces."""

    text: str | tuple[str, ...]
    provider_metadata: dict[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. ``args`` is an object, the raw text of one, or a tuple of exact pieces of text.

    Without ``id`` the call gets one that is unique in its message. ``is_whole=False`` breaks off
    before the arguments are declared finished.
    """

    tool_name: str
    args: dict[str, Json] | str | tuple[str, ...] = field(default_factory=dict)
    id: str | None = None
    is_whole: bool = True
    provider_metadata: dict[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Fail:
    """The stream breaks here: with a ``ModelError`` of this message, or with ``error`` itself."""

    message: str = "The model failed."
    code: str = "model_error"
    retryable: bool = False
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Finish:
    """The message ends here, for this reason."""

    reason: FinishReason = "stop"
    usage: dict[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause of this many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Event:
    """Any event of the stream, as it is."""

    event: StreamEvent


class Gate:
    """Holds a stream at one point until a test opens it.

    A test and the run it watches may live in different threads and event loops, so this looks at a
    plain flag every few milliseconds instead of being woken through a loop.
    """

    _INTERVAL = 0.005

    def __init__(self) -> None:
        self._reached = threading.Event()
        self._opened = threading.Event()

    def open(self) -> None:
        """Let the stream go on, now and each time it comes here again."""
        self._opened.set()

    @property
    def is_reached(self) -> bool:
        """True once a stream has come here."""
        return self._reached.is_set()

    async def reached(self, timeout: float = 10.0) -> None:  # noqa: ASYNC109
        """Wait until a stream has come here. Raises ``TimeoutError``."""
        async with asyncio.timeout(timeout):
            while not self._reached.is_set():  # noqa: ASYNC110
                await asyncio.sleep(self._INTERVAL)

    def wait_reached(self, timeout: float = 10.0) -> None:
        """:meth:`reached` for tests without an event loop. Raises ``TimeoutError``."""
        if not self._reached.wait(timeout):
            raise TimeoutError("No stream reached the gate.")

    async def pass_through(self) -> None:
        """Called by the stream: says that it is here, and waits for :meth:`open`."""
        self._reached.set()
        while not self._opened.is_set():  # noqa: ASYNC110
            await asyncio.sleep(self._INTERVAL)


ScriptStep: TypeAlias = Say | Think | Call | Fail | Finish | Wait | Gate | Event


def pieces_of(step: Say | Think | Call) -> Iterator[str]:
    """The step's text in the pieces it is streamed in; joined they are the text again."""
    if isinstance(step, Call):
        args = step.args
        if isinstance(args, dict):
            args = json.dumps(args, ensure_ascii=False)
        if isinstance(args, str):
            yield from (
                args[at : at + _ARGUMENT_PIECE] for at in range(0, len(args), _ARGUMENT_PIECE)
            )
            return
        yield from args
        return
    yield from step.text if isinstance(step.text, tuple) else _TOKENS.findall(step.text)
