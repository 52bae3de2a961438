from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Literal, get_args

from agentui.core.values import Json

from .context import RunContext
from .definition import tool
from .places import ToolDefinitionError, calling_place
from .registration import registry
from .tools import Tool

Instructions = str | Callable[[RunContext], str | Awaitable[str]]
OnActive = Literal["queue", "steer", "reject"]

_COUNTS = ("max_roundtrips", "tool_concurrency", "history_limit")


class Agent:
    """An assistant of the site. Making one registers it under its name.

    name: what threads remember; at most 100 characters.
    model: ``"provider:model"``, ``"scripted:name"``, or a ``ChatModelAdapter``.
    instructions: the system prompt, or a function of the :class:`RunContext` that returns it.
    tools: made by ``@tool``, ``human_tool`` or ``frontend_tool``; a plain function becomes one.
    max_roundtrips: how often one run may ask the model.
    tool_concurrency: how many tools of one roundtrip run at the same time.
    settings: for the model: ``temperature``, ``max_tokens`` and the like.
    title, description: shown to people; the title is made from the name when it is not given.
    accepts_frontend_tools: may a page offer tools of its own to this agent?
    history_limit: how many of the last messages the model is sent.
    on_active: what a new message does while a run is active: ``"queue"`` waits, ``"steer"`` takes
        over, ``"reject"`` is refused.
    suggestions: texts to begin with, or a ``SuggestionAdapter`` that also proposes what to say next.
    titles: a ``TitleAdapter``, asked for a title while nobody has given the thread one.
    """

    def __init__(
        self,
        name: str,
        *,
        model: Any,
        instructions: Instructions = "",
        tools: Iterable[Tool | Callable[..., Any]] = (),
        max_roundtrips: int = 8,
        tool_concurrency: int = 4,
        settings: Mapping[str, Json] | None = None,
        description: str = "",
        title: str | None = None,
        accepts_frontend_tools: bool = True,
        history_limit: int = 200,
        on_active: OnActive = "queue",
        suggestions: Any = None,
        titles: Any = None,
    ) -> None:
        self.name = name
        self.model = model
        self.instructions = instructions
        self.tools = tuple(t if isinstance(t, Tool) else tool(t) for t in tools)
        self.max_roundtrips = max_roundtrips
        self.tool_concurrency = tool_concurrency
        self.settings: dict[str, Json] = dict(settings or {})
        self.description = description
        self.title = title or name.replace("_", " ").replace("-", " ").capitalize()
        self.accepts_frontend_tools = accepts_frontend_tools
        self.history_limit = history_limit
        self.on_active: OnActive = on_active
        self.suggestions = suggestions
        self.titles = titles
        self.place = calling_place()
        self._check()
        self._tools: dict[str, Tool] = {}
        duplicates = []
        for item in self.tools:
            if item.name in self._tools and self._tools[item.name] is not item:
                duplicates.append(item.name)
            self._tools[item.name] = item
        #: Names that two different tools share. Neither is used, and a system check says so.
        self.duplicate_tools = tuple(sorted(set(duplicates)))
        for name_ in self.duplicate_tools:
            del self._tools[name_]
        registry.register(self)

    def __repr__(self) -> str:
        return f"<Agent {self.name}>"

    def tool(self, name: str) -> Tool | None:
        """The tool of this name, or ``None``."""
        return self._tools.get(name)

    @property
    def usable_tools(self) -> tuple[Tool, ...]:
        """The tools whose name is theirs alone: those that the model is told of."""
        return tuple(self._tools.values())

    def _check(self) -> None:
        problem = ""
        if not isinstance(self.name, str) or not self.name.strip() or len(self.name) > 100:
            problem = "its name has to be a string of 1 to 100 characters."
        elif not self.model:
            problem = 'it has no model. Give "provider:model" or a ChatModelAdapter.'
        elif self.on_active not in get_args(OnActive):
            problem = f"on_active={self.on_active!r}; give one of {get_args(OnActive)}."
        for count in _COUNTS:
            value = getattr(self, count)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                problem = f"{count}={value!r}; give a whole number of at least 1."
        if problem:
            raise ToolDefinitionError(f"agent {self.name!r}, {self.place}: {problem}")
