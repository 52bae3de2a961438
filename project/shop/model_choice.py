"""Which model answers in the demo: the offline one, unless the environment names another."""

from __future__ import annotations

from collections.abc import Mapping

OFFLINE = "scripted:shop-demo"
_OFFLINE_BESIDE = "scripted:shop-beside"
_OPENAI_MODEL = "gpt-5.2"


def choose_model(environ: Mapping[str, str]) -> str:
    """The agent's ``model``.

    AGENTUI_DEMO_MODEL is ``"provider:model"``, or the name alone of an OpenAI-style model. With
    OPENAI_BASE_URL the Chat Completions API is asked, which every server of that style speaks; with
    OPENAI_API_KEY alone, OpenAI itself.
    """
    named = environ.get("AGENTUI_DEMO_MODEL", "").strip()
    if ":" in named:
        return named
    if environ.get("OPENAI_BASE_URL"):
        return f"openai-chat:{named or _OPENAI_MODEL}"
    if named or environ.get("OPENAI_API_KEY"):
        return f"openai:{named or _OPENAI_MODEL}"
    return OFFLINE


def choose_side_model(environ: Mapping[str, str]) -> str:
    """The model that finds titles and suggestions; a real one does both with its other work."""
    chosen = choose_model(environ)
    return _OFFLINE_BESIDE if chosen == OFFLINE else chosen
