"""One call to the model with its stream.

adapter.stream -> clean -> accumulate -> emit, then settle. A stream that breaks before it showed
anything is begun again once; one that breaks later is kept as it is and marked.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Any

from ..adapters import ChatModelAdapter, ModelRequest
from ..conf import app_settings
from ..core.accumulator import Accumulator
from ..core.clean import SurrogateJoiner, clean
from ..core.events import (
    ErrorEvent,
    MessageFinish,
    PartFinish,
    PartStart,
    StepFinish,
    StepReset,
    StepStart,
    StreamEvent,
    TextDelta,
    ToolCallArgsFinish,
    UpdateState,
    shift,
)
from ..core.parts import Message, ToolCallPart
from ..core.settle import settle_cut, settle_roundtrip
from ..core.statuses import Reason
from ..core.values import Json
from ..exceptions import ModelError
from ..models.base import uuid7
from .emitter import Emitter

logger = logging.getLogger("agentui")

_RETRIES = 1
_LONGEST_PAUSE = 20.0
_ARGS_TOO_LONG = "The model wrote more arguments for one call than this site accepts."


@dataclass(slots=True)
class RoundtripResult:
    """The settled message, the tokens it cost, and the error if it ended with one.

    ``state`` are the operations on the thread's state that the adapter sent.
    """

    message: Message
    usage: dict[str, Any]
    error: dict[str, Any] | None = None
    state: tuple[Json, ...] = ()


async def perform_roundtrip(
    adapter: ChatModelAdapter,
    request: ModelRequest,
    message: Message,
    emitter: Emitter,
    stop: asyncio.Event,
) -> RoundtripResult:
    """Ask the model and fold its answer into ``message``. A stop ends it; what came is kept."""
    start = len(message.parts)
    for retry in range(_RETRIES + 1):
        fold = Accumulator(message)
        stream = _Stream(fold, emitter, start)
        stream.send(StepStart())
        try:
            was_stopped = await _read(adapter, request, stream, stop)
        except ModelError as error:
            stream.close()
            if error.retryable and retry < _RETRIES and not stream.has_shown and not stop.is_set():
                stream.send(StepReset(start))
                logger.info("Asking %s again: %s", adapter.name, error.code)
                await _pause(error, stop)
                continue
            failure = {"code": error.code, "message": error.message}
            stream.send(ErrorEvent(error.message, code=error.code))
            settled = settle_cut(fold.message, Reason.ERROR)
            message = replace(settled, error=failure)
            return stream.result(message, failure)
        stream.close()
        if was_stopped:
            return stream.result(settle_cut(fold.message, Reason.CANCELLED))
        fold.finish()
        settled = settle_roundtrip(fold.message)
        return stream.result(settled, settled.error)
    raise AssertionError("unreachable")


async def _pause(error: ModelError, stop: asyncio.Event) -> None:
    """Wait as long as the provider asks for, within reason, or until somebody stops the run."""
    asked = error.details.get("retry_after", 0.5)
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), min(max(float(asked), 0.0), _LONGEST_PAUSE))


async def _read(
    adapter: ChatModelAdapter, request: ModelRequest, stream: _Stream, stop: asyncio.Event
) -> bool:
    """Pass on what the adapter yields; True when somebody stopped it first."""
    stopped = asyncio.create_task(stop.wait())
    try:
        async with aclosing(adapter.stream(request)) as events:
            return await _pass_on(events, stream, stopped)
    except (ModelError, asyncio.CancelledError):
        raise
    except Exception as error:
        # An adapter's own fault. Its text may hold anything, a key included, so only its kind and
        # where it happened are logged.
        frames = traceback.extract_tb(error.__traceback__)
        where = " <- ".join(f"{frame.filename}:{frame.lineno}" for frame in frames[-3:])
        logger.error("The adapter %s failed with %s at %s", adapter.name, type(error), where)
        raise ModelError() from None
    finally:
        stopped.cancel()


async def _pass_on(
    events: AsyncIterator[StreamEvent], stream: _Stream, stopped: asyncio.Task[bool]
) -> bool:
    following = asyncio.create_task(_next(events))
    try:
        while True:
            await asyncio.wait({following, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if not following.done():
                return True
            event = following.result()
            if event is None:
                return False
            stream.take(event)
            await stream.emitter.give_way()
            following = asyncio.create_task(_next(events))
    finally:
        # The adapter must have let go before its generator is closed.
        following.cancel()
        await asyncio.wait({following})


async def _next(events: AsyncIterator[StreamEvent]) -> StreamEvent | None:
    return await anext(events, None)


class _Stream:
    """An adapter's events made fit for the message: cleaned, given ids, moved, bounded."""

    def __init__(self, fold: Accumulator, emitter: Emitter, start: int) -> None:
        self.fold = fold
        self.emitter = emitter
        self.usage: dict[str, Any] = {}
        self.state: list[Json] = []
        self.has_shown = False
        self._start = start
        self._joiners: dict[int, SurrogateJoiner] = {}
        self._sizes: dict[int, int] = {}
        self._calls: set[int] = set()
        self._parts = 0

    def send(self, event: StreamEvent) -> None:
        self.fold.apply(event)
        self.emitter.emit(event)

    def take(self, event: StreamEvent) -> None:
        match event:
            case PartStart(part=ToolCallPart() as part):
                self._calls.add(self._parts)
                part = replace(
                    part,
                    id=str(uuid7()),
                    tool_call_id=clean(part.tool_call_id) or f"call_{uuid7().hex}",
                    tool_name=clean(part.tool_name),
                    provider_metadata=part.provider_metadata,
                )
                self._open(PartStart(part))
            case PartStart(part=part):
                self._open(PartStart(part))
            case TextDelta(path=(index,), text_delta=text):
                self._text(index, text)
            case PartFinish(path=(index,)) | ToolCallArgsFinish(path=(index,)):
                self._text(index, self._joiner(index).flush(), joined=True)
                self.send(shift(event, self._start))
            case MessageFinish(finish_reason=reason, usage=usage):
                self.usage = clean(usage) or {}
                self.send(StepFinish(reason, usage=self.usage or None))
                self.send(event)
            case StepStart() | StepFinish() | StepReset():
                pass  # A roundtrip has one step, and it is ours.
            case UpdateState():
                operations = tuple(clean(operation) for operation in event.operations)
                self.state += operations
                self.has_shown = True
                self.send(UpdateState(operations))
            case _:
                self.send(shift(event, self._start))

    def result(self, message: Message, error: dict[str, Any] | None = None) -> RoundtripResult:
        """What came of it, with the settled message."""
        return RoundtripResult(message, self.usage, error, tuple(self.state))

    def close(self) -> None:
        """Text that still waits for its second half is not lost."""
        for index, joiner in self._joiners.items():
            self._text(index, joiner.flush(), joined=True)

    def _open(self, event: PartStart) -> None:
        self.has_shown = True
        self._parts += 1
        self.send(event)

    def _joiner(self, index: int) -> SurrogateJoiner:
        return self._joiners.setdefault(index, SurrogateJoiner())

    def _text(self, index: int, text: str, *, joined: bool = False) -> None:
        whole = text if joined else self._joiner(index).feed(text)
        whole = whole.replace("\x00", "")
        if not whole:
            return
        self.has_shown = True
        if index in self._calls:
            size = self._sizes[index] = self._sizes.get(index, 0) + len(whole)
            # Twice the limit: a little over is refused as an answer the model can correct.
            if size > 2 * app_settings.MAX_TOOL_ARGS_CHARS:
                raise ModelError(_ARGS_TOO_LONG, code="arguments_too_long")
        self.send(TextDelta((index + self._start,), whole))
