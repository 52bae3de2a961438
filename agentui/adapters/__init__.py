"""Talking to a model. Adapters know no ORM, no Channels and no tool that runs.

Importing this package imports no provider's library; that happens when a model is first asked.
"""

from __future__ import annotations

from functools import lru_cache

from agentui.exceptions import ModelError

from .aside import (
    ModelSuggestions,
    ModelTitles,
    StaticSuggestions,
    Suggestion,
    SuggestionAdapter,
    TitleAdapter,
)
from .base import ChatModelAdapter, ModelRequest, ToolDefinition
from .script import Call, Event, Fail, Finish, Gate, Say, ScriptStep, Think, Wait
from .scripted import (
    ScriptedAdapter,
    UnexpectedRoundtrip,
    get_scripted,
    last_user_text,
    register_scripted,
    unregister_scripted,
)


def get_adapter(model: str | ChatModelAdapter) -> ChatModelAdapter:
    """The adapter for ``model``: itself, ``"scripted:<name>"``, or any ``"provider:model"``.

    Raises :class:`ModelError` for a string that names no model, or whose library is not installed.
    """
    if isinstance(model, ChatModelAdapter):
        return model
    provider, _, name = model.partition(":")
    if provider == "scripted":
        return get_scripted(name)
    if not (provider and name):
        raise ModelError(
            f'"{model}" names no model; write "provider:model", for example "openai:gpt-5.2".',
            code="unknown_model",
        )
    return _pydantic_ai_adapter(model)


@lru_cache(maxsize=64)
def _pydantic_ai_adapter(model: str) -> ChatModelAdapter:
    # One adapter per name: it holds the provider's connection pool.
    from .pydantic_ai import PydanticAIAdapter

    return PydanticAIAdapter(model)


__all__ = [
    "Call",
    "ChatModelAdapter",
    "Event",
    "Fail",
    "Finish",
    "Gate",
    "ModelRequest",
    "ModelSuggestions",
    "ModelTitles",
    "Say",
    "ScriptStep",
    "ScriptedAdapter",
    "StaticSuggestions",
    "Suggestion",
    "SuggestionAdapter",
    "Think",
    "TitleAdapter",
    "ToolDefinition",
    "UnexpectedRoundtrip",
    "Wait",
    "get_adapter",
    "get_scripted",
    "last_user_text",
    "register_scripted",
    "unregister_scripted",
]  # fmt: skip
