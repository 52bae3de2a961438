"""Two rules that these front ends need, applied to a run's items before they are encoded.

*Calls that a page answers are shown when they are really open.* The model's stream says that the
arguments of a call are whole before the server has looked at them, and a client acts on that word at
once. For calls that are not the server's own it is held back until the row says that the call waits
for the page; a call that is refused (arguments that do not fit, a tool that is not offered) gets its
result without it.

*A step ends after the results of its calls.* Here a step is one answer of the model, and tools run
between steps; there, the results belong to the step that asked for them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from ..agents import registry
from ..core.events import (
    ApprovalRequest,
    PartFinish,
    PartStart,
    Path,
    StepFinish,
    StepReset,
    StepStart,
    ToolCallArgsFinish,
    ToolCallResult,
)
from ..core.parts import ToolCallPart
from ..core.statuses import ToolKind
from ..exceptions import UnknownAgent
from .items import Ended, Item


def server_tools(agent: str) -> frozenset[str]:
    """The names of the calls that the server answers itself."""
    try:
        tools = registry.get(agent).usable_tools
    except UnknownAgent:
        return frozenset()
    return frozenset(tool.name for tool in tools if tool.kind is ToolKind.SERVER)


class Pacing:
    """Pure: items in, items out. ``parts`` is how many parts of the message the client has."""

    def __init__(self, server_tools: Container[str], parts: int = 0) -> None:
        self._server_tools = server_tools
        self._parts = parts
        self._calls: dict[Path, str] = {}
        self._held: dict[Path, str] = {}
        self._step_end: StepFinish | None = None

    def pass_on(self, item: Item) -> Iterator[Item]:
        """What may be told now that this item has come: nothing yet, it, or it and what was held."""
        match item:
            case StepFinish():
                self._step_end = item
                return
            case StepStart():
                yield from self._end_step()
            case PartStart(part=part):
                if isinstance(part, ToolCallPart) and part.tool_name not in self._server_tools:
                    self._calls[(self._parts,)] = part.id
                self._parts += 1
            case StepReset(start=start):
                self._reset(start)
            case ToolCallArgsFinish(path=path) if path in self._calls:
                self._held[path] = self._calls[path]
                return
            case PartFinish(path=path) if path in self._held:
                return
            case ToolCallResult(path=path) if path in self._held:
                del self._held[path]
                yield from (item, PartFinish(path))
                return
            case ApprovalRequest(path=path) if path in self._held:
                yield from self._release(path)
            case Ended(open_calls=calls):
                waiting = {call["id"] for call in calls}
                for path in [path for path, call in self._held.items() if call in waiting]:
                    yield from self._release(path)
                yield from self._end_step()
        yield item

    def _release(self, path: Path) -> Iterator[Item]:
        del self._held[path]
        yield ToolCallArgsFinish(path)
        yield PartFinish(path)

    def _end_step(self) -> Iterator[Item]:
        if self._step_end is not None:
            yield self._step_end
            self._step_end = None

    def _reset(self, start: int) -> None:
        self._parts = min(self._parts, start)
        self._step_end = None
        for calls in (self._calls, self._held):
            for path in [path for path in calls if path[0] >= start]:
                del calls[path]
