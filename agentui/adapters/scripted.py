"""A model that says what it was told to say: offline, deterministic, streaming like a real one.

A script is a list of roundtrips; a roundtrip is a list of steps::

    ScriptedAdapter([
        [Think("An order."), Say("Let me look."), Call("find_order", {"number": 7})],
        [Say("It is on its way.")],
    ])

For a model that reacts to what is typed, give a function of the request instead::

    ScriptedAdapter(respond=lambda request: [Say(f"You said: {last_user_text(request)}")])
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from typing import TypeAlias

from agentui.core.events import (
    FinishReason,
    MessageFinish,
    PartFinish,
    PartStart,
    StreamEvent,
    TextDelta,
    ToolCallArgsFinish,
)
from agentui.core.parts import ReasoningPart, TextPart, ToolCallPart
from agentui.exceptions import ModelError

from .base import ChatModelAdapter, ModelRequest
from .script import Call, Event, Fail, Finish, Gate, Say, ScriptStep, Think, Wait, pieces_of

Roundtrip: TypeAlias = Iterable[ScriptStep]
Respond: TypeAlias = Callable[[ModelRequest], Roundtrip | Awaitable[Roundtrip]]


#: A demo server may run for days.
_KEPT = 1000


class UnexpectedRoundtrip(AssertionError):
    """The script is used up, and the model was asked once more."""

    def __init__(self, request: ModelRequest, scripted: int) -> None:
        self.request = request
        super().__init__(
            f"The script has {scripted} roundtrip(s), and the model was asked once more "
            f"(roundtrip {request.roundtrip} of run {request.run_id or '-'}). It was asked:\n"
            f"{describe(request)}"
        )


class ScriptedAdapter(ChatModelAdapter):
    """Plays ``script``, one roundtrip per request, or what ``respond(request)`` returns.

    ``delay`` is the pause before each piece, in seconds. ``requests`` holds the last 1,000 requests,
    in order.
    """

    def __init__(
        self,
        script: Sequence[Roundtrip] = (),
        *,
        respond: Respond | None = None,
        name: str = "scripted",
        delay: float = 0.0,
    ) -> None:
        if script and respond is not None:
            raise ValueError("Give a script or a respond function, not both.")
        self.name = name
        self.delay = delay
        self.requests: list[ModelRequest] = []
        self.unexpected: list[UnexpectedRoundtrip] = []
        self._script = [tuple(roundtrip) for roundtrip in script]
        self._respond = respond
        self._played = 0

    @property
    def remaining(self) -> int:
        """How many roundtrips of the script were not asked for yet."""
        return len(self._script) - self._played

    def assert_finished(self) -> None:
        """Fail unless the script was played to its end and not one request further."""
        if self.unexpected:
            raise self.unexpected[0]
        if self.remaining:
            raise AssertionError(
                f"{self.remaining} roundtrip(s) of the script were never asked for."
            )

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamEvent, None]:
        self.requests.append(request)
        del self.requests[:-_KEPT]
        steps = await self._steps(request)
        position = 0
        usage = {"input_tokens": _words(request), "output_tokens": 0}
        has_calls = False
        for step in steps:
            match step:
                case Wait(seconds):
                    await asyncio.sleep(seconds)
                case Gate():
                    await step.pass_through()
                case Fail():
                    raise step.error or ModelError(
                        step.message, code=step.code, retryable=step.retryable
                    )
                case Finish():
                    yield MessageFinish(step.reason, usage=step.usage or usage)
                    return
                case Event(event):
                    yield event
                    position += isinstance(event, PartStart)
                case Say() | Think() | Call():
                    has_calls = has_calls or isinstance(step, Call)
                    for event in _part_events(step, position, request):
                        if isinstance(event, TextDelta):
                            await asyncio.sleep(self.delay)
                            usage["output_tokens"] += 1
                        yield event
                    position += 1
        reason: FinishReason = "tool_calls" if has_calls else "stop"
        yield MessageFinish(reason, usage=usage)

    async def _steps(self, request: ModelRequest) -> Roundtrip:
        if self._respond is not None:
            steps = self._respond(request)
            return await steps if inspect.isawaitable(steps) else steps
        if self._played >= len(self._script):
            # Kept as well as raised: a run loop turns exceptions into an error of the run.
            self.unexpected.append(UnexpectedRoundtrip(request, len(self._script)))
            raise self.unexpected[-1]
        self._played += 1
        return self._script[self._played - 1]


def _part_events(
    step: Say | Think | Call, position: int, request: ModelRequest
) -> Iterable[StreamEvent]:
    path = (position,)
    match step:
        case Say():
            yield PartStart(TextPart(""))
        case Think():
            yield PartStart(ReasoningPart(""))
        case Call():
            call_id = step.id or f"call_{request.roundtrip}_{position + 1}"
            yield PartStart(ToolCallPart(id="", tool_call_id=call_id, tool_name=step.tool_name))
    for piece in pieces_of(step):
        yield TextDelta(path, piece)
    if isinstance(step, Call) and step.is_whole:
        yield ToolCallArgsFinish(path)
    yield PartFinish(path, provider_metadata=step.provider_metadata)


def last_user_text(request: ModelRequest) -> str:
    """What the person said last; empty when nobody said anything."""
    for message in reversed(request.messages):
        if message.role == "user":
            return "".join(part.text for part in message.parts if isinstance(part, TextPart))
    return ""


def describe(request: ModelRequest, *, last: int = 6) -> str:
    """The end of a request in a few readable lines, for the text of a failing test."""
    shown = request.messages[-last:]
    lines = (
        [f"  ... {len(request.messages) - last} earlier"] if len(request.messages) > last else []
    )
    for message in shown:
        lines += [f"  {message.role}: {_describe_part(part)}" for part in message.parts]
    return "\n".join(lines) or "  (no messages)"


def _describe_part(part: object) -> str:
    for name in ("text", "content", "args_text", "data"):
        value = getattr(part, name, None)
        if value is not None:
            tool = getattr(part, "name", "")
            text = repr(value)
            return f"{tool} {text if len(text) <= 200 else text[:200] + '...'}".strip()
    return repr(part)


def _words(request: ModelRequest) -> int:
    """A stand-in for the count of input tokens: it grows with the request, as the real one does."""
    texts = [request.instructions] + [
        str(getattr(part, "text", "")) for message in request.messages for part in message.parts
    ]
    return sum(len(text.split()) for text in texts)


_registered: dict[str, ScriptedAdapter] = {}


def register_scripted(name: str, adapter: ScriptedAdapter) -> ScriptedAdapter:
    """Make ``adapter`` the model ``"scripted:<name>"``; the same name again replaces it."""
    adapter.name = f"scripted:{name}"
    _registered[name] = adapter
    return adapter


def unregister_scripted(name: str) -> None:
    """Forget the model ``"scripted:<name>"``."""
    _registered.pop(name, None)


def get_scripted(name: str) -> ScriptedAdapter:
    """The adapter registered as ``name``. Raises :class:`ModelError` when there is none."""
    try:
        return _registered[name]
    except KeyError:
        known = ", ".join(sorted(_registered)) or "none"
        raise ModelError(
            f'There is no scripted model "{name}" (known: {known}). '
            "Register it with agentui.adapters.register_scripted().",
            code="unknown_model",
        ) from None
