"""Chat Completions as other servers than OpenAI write it.

pydantic-ai sorts the fragments of tool calls by their ``index``. Servers leave the index out, or
number every call 0; then two calls become one. The rule here: a new id opens a new call, a known id
continues its call, and a fragment that could belong to two open calls fails loudly.

Uses the hooks that ``OpenAIChatModel`` and ``OpenAIStreamedResponse`` name for subclasses.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from pydantic_ai.models.openai import OpenAIChatModel, OpenAIStreamedResponse

from agentui.exceptions import ModelError

if TYPE_CHECKING:
    from openai.types.chat.chat_completion_chunk import Choice, ChoiceDeltaToolCall
    from pydantic_ai.messages import ModelResponseStreamEvent


@cache
def tolerant(model_class: type[OpenAIChatModel]) -> type[OpenAIChatModel]:
    """The same model class, reading tool calls by the rule above."""

    class TolerantChatModel(model_class):  # type: ignore[misc, valid-type]
        @property
        def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
            return _tolerant_stream(super()._streamed_response_cls)

    TolerantChatModel.__name__ = TolerantChatModel.__qualname__ = f"Tolerant{model_class.__name__}"
    return TolerantChatModel


@cache
def _tolerant_stream(stream_class: type[OpenAIStreamedResponse]) -> type[OpenAIStreamedResponse]:
    class TolerantStream(stream_class):  # type: ignore[misc, valid-type]
        @cached_property
        def _slots(self) -> ToolCallSlots:
            return ToolCallSlots()

        def _map_tool_call_delta(self, choice: Choice) -> Iterable[ModelResponseStreamEvent]:
            for fragment in choice.delta.tool_calls or []:
                fragment.index = self._slots.slot_of(fragment)
            events: Iterable[ModelResponseStreamEvent] = super()._map_tool_call_delta(choice)
            return events

    return TolerantStream


class ToolCallSlots:
    """Which call of an answer each fragment belongs to; calls are numbered as they open."""

    def __init__(self) -> None:
        self._ids: list[str | None] = []
        self._args: list[list[str]] = []
        self._by_index: dict[int, int] = {}

    def slot_of(self, fragment: ChoiceDeltaToolCall) -> int:
        """The number of the fragment's call. Raises :class:`ModelError` when it is not clear."""
        # The SDK does not validate chunks: any field may be missing or null.
        index: Any = getattr(fragment, "index", None)
        call_id = getattr(fragment, "id", None) or None
        function = getattr(fragment, "function", None)
        name = getattr(function, "name", None) or None
        if index is None:
            slot = self._by_id_or_order(call_id, name)
        else:
            slot = self._by_index.get(index, -1)
            if slot < 0 or self._is_other_call(slot, call_id, name):
                slot = self._known(call_id) if slot >= 0 else -1
                slot = slot if slot >= 0 else self._open(call_id)
                self._by_index[index] = slot
        if self._ids[slot] is None:
            self._ids[slot] = call_id
        self._args[slot].append(getattr(function, "arguments", None) or "")
        return slot

    def _is_other_call(self, slot: int, call_id: str | None, name: str | None) -> bool:
        known = self._ids[slot]
        if call_id is None or known is None or call_id == known:
            return False
        # A few servers make up a new id for each fragment; only a named one begins a call.
        return name is not None or self._known(call_id) >= 0

    def _by_id_or_order(self, call_id: str | None, name: str | None) -> int:
        if call_id is not None:
            slot = self._known(call_id)
            return slot if slot >= 0 else self._open(call_id)
        if name is not None:
            return self._open(None)
        open_slots = [slot for slot in range(len(self._ids)) if not self._is_whole(slot)]
        if len(open_slots) != 1:
            raise ModelError(
                "The model's tool calls arrived in a form that cannot be told apart.",
                code="ambiguous_tool_call",
            )
        return open_slots[0]

    def _known(self, call_id: str | None) -> int:
        return self._ids.index(call_id) if call_id is not None and call_id in self._ids else -1

    def _open(self, call_id: str | None) -> int:
        self._ids.append(call_id)
        self._args.append([])
        return len(self._ids) - 1

    def _is_whole(self, slot: int) -> bool:
        try:
            json.loads("".join(self._args[slot]))
        except (ValueError, RecursionError):
            return False
        return True
