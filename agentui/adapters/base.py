"""The one interface to a model.

An adapter turns a :class:`ModelRequest` into a stream of events and knows nothing else: no rows, no
channels, no tools that run. It keeps no state between two requests.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from agentui.core.events import StreamEvent
from agentui.core.history import RequestMessage
from agentui.core.values import Json


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool as the model is told of it. ``parameters`` is a JSON Schema of type object."""

    name: str
    description: str = ""
    parameters: dict[str, Json] = field(
        default_factory=lambda: {"type": "object", "properties": {}}
    )


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Everything one roundtrip sends.

    ``messages`` comes from ``core.history``: each tool call in it has exactly one answer.
    ``settings`` are the agent's own (``temperature``, ``max_tokens``, ...); ``roundtrip`` counts
    from 1 within the run; ``metadata`` is for the adapter's log and is not sent.
    """

    model: str
    messages: tuple[RequestMessage, ...] = ()
    instructions: str = ""
    tools: tuple[ToolDefinition, ...] = ()
    settings: dict[str, Json] = field(default_factory=dict)
    thread_id: str = ""
    run_id: str = ""
    roundtrip: int = 1
    metadata: dict[str, Json] = field(default_factory=dict)


class ChatModelAdapter(ABC):
    """A model that can be asked."""

    name: str
    """What the model is called in messages and logs, for example ``"openai:gpt-5.2"``.

    Reasoning is sent back only to the model of the same name that wrote it.
    """

    @abstractmethod
    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamEvent, None]:
        """The answer to ``request``, as it arrives. Called once per roundtrip, in the run's task.

        Yields ``PartStart``, ``TextDelta``, ``ToolCallArgsFinish`` and ``PartFinish`` for each part
        and ends with one ``MessageFinish``. Paths count from this answer's first part, ``(0,)``.
        Text and reasoning open empty. A tool call opens as a ``ToolCallPart`` with an empty ``id``
        (the run gives it one), a ``tool_call_id`` and a ``tool_name``, neither of them blank; its
        ``args_text`` comes as deltas, and ``ToolCallArgsFinish`` says that it is whole. Several
        parts may be open at once. Text may hold NUL and lone surrogates; the run cleans it.
        ``UpdateState`` changes the thread's state: pages that follow see it at once, and it is stored
        with the answer.

        Raises :class:`agentui.exceptions.ModelError` when the model cannot be asked, refuses, breaks
        off, or answers nothing at all. What was yielded before stays valid: the run keeps it and
        marks the message. An adapter may ask again by itself only while it has yielded nothing.

        Cancelling the task, or ``aclose()``, ends the request to the provider at once.
        """
