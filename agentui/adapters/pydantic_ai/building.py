"""From ``"provider:model"`` to a pydantic-ai model."""

from __future__ import annotations

import os
import sys
from typing import Any
from urllib.parse import urlsplit

from pydantic_ai.models import Model, infer_model

_OPENAI_HOSTS = ("api.openai.com", "eu.api.openai.com", "us.api.openai.com")


def build_model(name: str) -> Model[Any]:
    """The model of that name. Raises what pydantic-ai raises for unknown names and missing keys."""
    provider, _, model_name = name.partition(":")
    if provider == "openai" and _is_compatible_server(os.environ.get("OPENAI_BASE_URL", "")):
        # Servers that copy OpenAI copy Chat Completions; few know the Responses API.
        name = f"openai-chat:{model_name}"
    model = infer_model(name)
    if "pydantic_ai.models.openai" in sys.modules:
        from pydantic_ai.models.openai import OpenAIChatModel

        if isinstance(model, OpenAIChatModel) and model.provider is not None:
            from .openai_chat import tolerant

            return tolerant(type(model))(model.model_name, provider=model.provider)
    return model


def _is_compatible_server(base_url: str) -> bool:
    return bool(base_url) and (urlsplit(base_url).hostname or "") not in _OPENAI_HOSTS
