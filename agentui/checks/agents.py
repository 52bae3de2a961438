from __future__ import annotations

import difflib
import importlib.util
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error, Warning, register
from django.db.models import Model

from ..adapters import ChatModelAdapter, get_scripted
from ..agents import Agent, Tool, registry
from ..agents.who import resolve
from ..conf import app_settings
from ..exceptions import ModelError

# Names that pydantic-ai takes before the colon. Only used to guess what was meant.
_PROVIDERS = (
    "alibaba",
    "anthropic",
    "azure",
    "bedrock",
    "cerebras",
    "cohere",
    "deepseek",
    "fireworks",
    "github",
    "google",
    "google-cloud",
    "groq",
    "huggingface",
    "litellm",
    "mistral",
    "moonshotai",
    "ollama",
    "openai",
    "openai-chat",
    "openai-responses",
    "openrouter",
    "scripted",
    "together",
    "vllm",
    "xai",
    "zai",
)


@register("agentui")
def check_agents(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Every agent of the registry, its model, its tools and their policies."""
    messages = list(_duplicate_agents())
    seen: set[int] = set()
    for agent in registry.everything():
        messages.extend(_duplicate_tools(agent))
        messages.extend(_model(agent))
        for tool in agent.tools:
            if id(tool) not in seen:
                seen.add(id(tool))
                messages.extend(_tool(tool))
    return messages


def _duplicate_agents() -> Iterator[CheckMessage]:
    for name, agents in sorted(registry.duplicates().items()):
        places = "; ".join(agent.place for agent in agents)
        yield Error(
            f"{len(agents)} agents are named {name!r}: {places}.",
            hint="Rename all but one. Until then none of them answers.",
            obj=agents[0],
            id="agentui.E001",
        )


@register("agentui")
def check_shared_agents(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """``MCP_AGENTS``: a name that no agent has shares nothing, without a word."""
    known = sorted({agent.name for agent in registry.everything()})
    try:
        shared = app_settings.MCP_AGENTS
    except TypeError:
        return []  # E010 says so.
    return [
        Warning(
            f'AGENTUI["MCP_AGENTS"] names {name!r}, and there is no agent of this name.',
            hint=_meant(name, known),
            id="agentui.W022",
        )
        for name in shared
        if name not in known
    ]


def _meant(name: Any, known: list[str]) -> str:
    meant = difflib.get_close_matches(str(name), known, n=1)
    if meant:
        return f"Did you mean {meant[0]!r}?"
    return f"The agents of this site: {', '.join(known) or 'none'}."


def _duplicate_tools(agent: Agent) -> Iterator[CheckMessage]:
    for name in agent.duplicate_tools:
        places = "; ".join(tool.place for tool in agent.tools if tool.name == name)
        yield Error(
            f"The agent {agent.name!r} has several tools named {name!r}: {places}.",
            hint='Rename one of them, for example with @tool(name="..."). Until then neither is used.',
            obj=agent,
            id="agentui.E002",
        )


def _model(agent: Agent) -> Iterator[CheckMessage]:
    problem = _model_problem(agent.model)
    if problem:
        message, hint = problem
        yield Warning(
            f"The agent {agent.name!r} ({agent.place}) {message}",
            hint=hint,
            obj=agent,
            id="agentui.W003",
        )


def _model_problem(model: Any) -> tuple[str, str] | None:
    if isinstance(model, ChatModelAdapter):
        return _adapter_problem(model)
    if isinstance(model, type) and issubclass(model, ChatModelAdapter):
        made = f"{model.__name__}()"
        return f"has the class {model.__name__} as its model.", f"Give an instance: {made}."
    if not isinstance(model, str):
        return (
            f"has a model of the type {type(model).__name__}.",
            'Give "provider:model" or a ChatModelAdapter.',
        )
    provider, _, name = model.partition(":")
    if not (provider and name):
        return f"has the model {model!r}, which names no model.", 'Write "provider:model".'
    if provider == "scripted":
        return _scripted_problem(name)
    meant = difflib.get_close_matches(provider, _PROVIDERS, n=1, cutoff=0.75)
    if meant and provider not in _PROVIDERS and meant[0] not in provider:
        return f"has the model {model!r}.", f'Did you mean "{meant[0]}:{name}"?'
    if importlib.util.find_spec("pydantic_ai") is None:
        return (
            f"has the model {model!r}, and the library that asks it is not installed.",
            'Run pip install "agentui[models]".',
        )
    return None


def _adapter_problem(adapter: ChatModelAdapter) -> tuple[str, str] | None:
    if isinstance(getattr(adapter, "name", None), str):
        return None
    kind = type(adapter).__name__
    return f"has a model, {kind}, that has no name.", f'Set one on {kind}: name = "house:model".'


def _scripted_problem(name: str) -> tuple[str, str] | None:
    try:
        get_scripted(name)
    except ModelError as error:
        return f'has the model "scripted:{name}".', error.message
    return None


def _tool(tool: Tool) -> Iterator[CheckMessage]:
    if tool.strays:
        names = ", ".join(tool.strays)
        yield Warning(
            f"The docstring of {tool.place} describes {names}, which it does not take.",
            hint=f"It takes {', '.join(tool.parameters['properties']) or 'no arguments'}.",
            obj=tool,
            id="agentui.W006",
        )
    policy = tool.approval
    if policy is None:
        return
    if isinstance(policy.who, str) and ":" in policy.who:
        try:
            resolve(policy.who)
        except LookupError as error:
            yield Error(
                f"The approval of {tool.place} is decided by {error}, so nobody may decide.",
                hint="Correct who=, or put the function back.",
                obj=tool,
                id="agentui.E004",
            )
    if policy.permission is not None:
        yield from _permission(tool, policy.permission)


def _permission(tool: Tool, permission: str) -> Iterator[CheckMessage]:
    app_label, _, codename = permission.partition(".")
    known = _permissions()
    if permission in known:
        return
    meant = difflib.get_close_matches(permission, known, n=1)
    yield Warning(
        f"The approval of {tool.place} asks for the permission {permission!r}, which no model of "
        "this site has.",
        hint=(
            f"Did you mean {meant[0]!r}?"
            if meant
            else f"Add ({codename!r}, ...) to Meta.permissions of a model of the app {app_label!r}, "
            "or silence this if the permission is made elsewhere."
        ),
        obj=tool,
        id="agentui.W005",
    )


def _permissions() -> set[str]:
    return {name for model in apps.get_models() for name in _permissions_of(model)}


def _permissions_of(model: type[Model]) -> Iterator[str]:
    options = model._meta
    for action in options.default_permissions:
        yield f"{options.app_label}.{action}_{options.model_name}"
    for codename, _ in options.permissions:
        yield f"{options.app_label}.{codename}"
