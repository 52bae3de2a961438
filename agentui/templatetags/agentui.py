"""``{% load agentui %}`` and ``{% agentui_chat agent="support" %}``."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

from django import template
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ImproperlyConfigured
from django.core.handlers.wsgi import WSGIRequest
from django.middleware.csrf import get_token
from django.urls import NoReverseMatch, get_script_prefix, reverse
from django.utils.translation import get_language

from agentui.actions.inbox import scope_of
from agentui.agents import NO_AGENT, registry
from agentui.browser_texts import browser_texts

register = template.Library()
logger = logging.getLogger("agentui")

#: Attributes of the element whose value is a list.
_LISTS = frozenset({"suggestions", "images"})


@register.inclusion_tag("agentui/chat_tag.html", takes_context=True)
def agentui_chat(context: template.Context, agent: str = "", **attributes: Any) -> dict[str, Any]:
    """The chat, with its scripts. Without a signed-in user it is a line that leads to signing in.

    ``agent`` may be left out where the site has one. Every other argument becomes an attribute of
    ``<agentui-chat>``: ``thread``, ``heading``, ``placeholder``, ``suggestions`` (a list),
    ``theme`` ("light" or "dark"), ``list="none"``, ``images`` (paths from which images in answers
    are loaded), ``route``, ``ws``, ``api``; a ``_`` in a name stands for a ``-``.
    ``approvals=True`` adds the panel of what others ask, for whom a policy lets decide something.
    """
    request = context.get("request")
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"sign_in": _sign_in_url(request)}
    chosen = _agent(agent)
    values: dict[str, Any] = {
        "ws": f"{get_script_prefix()}ws/agentui/",
        "api": f"{_home()}api/",
        "agent": chosen.name,
        "user": user.get_username(),
        "csrf": get_token(request) if request is not None else "",
        "suggestions": _suggestions(chosen.suggestions),
    }
    for name, value in attributes.items():
        values[name.replace("_", "-")] = value
    if values.get("approvals"):
        values["approvals"] = scope_of(user).decides
    return {"attributes": _attributes(values), "element": "agentui-chat", **_scripts(context)}


@register.inclusion_tag("agentui/chat_tag.html", takes_context=True)
def agentui_panel(context: template.Context, agent: str = "", **attributes: Any) -> dict[str, Any]:
    """The chat behind a button that floats over the page; nothing without a signed-in user.

    ``mode`` is "float" (a small window, default) or "side" (along the edge), ``label`` the words of
    the button; every other argument is one of :func:`agentui_chat`.
    """
    made = {**agentui_chat(context, agent, **attributes), "element": "agentui-panel"}
    return {} if "sign_in" in made else made


@register.inclusion_tag("agentui/chat_tag.html", takes_context=True)
def agentui_approvals(context: template.Context, **attributes: Any) -> dict[str, Any]:
    """What others ask and this user may decide, as a column of cards; nothing for whom no policy asks.

    Arguments become attributes of ``<agentui-approvals>``: ``theme``, ``api``.
    """
    request = context.get("request")
    user = getattr(request, "user", None)
    if request is None or user is None or not user.is_authenticated:
        return {}
    if not scope_of(user).decides:
        return {}
    values = {"api": f"{_home()}api/", "csrf": get_token(request), **attributes}
    return {
        "attributes": _attributes(values),
        "element": "agentui-approvals",
        **_scripts(context),
    }


@register.inclusion_tag("agentui/scripts.html", takes_context=True)
def agentui_scripts(context: template.Context) -> dict[str, Any]:
    """The scripts alone, for a page that writes the elements itself."""
    return _scripts(context)


def _scripts(context: template.Context) -> dict[str, Any]:
    request = context.get("request")
    if request is not None and settings.DEBUG and (advice := _no_socket(request)):
        logger.warning("The chat on %s cannot connect: %s", request.path, advice)
    return {
        "nonce": _nonce(context, request),
        "texts": browser_texts(get_language()),
        "inspector": settings.DEBUG,
    }


def _no_socket(request: Any) -> str:
    """What is missing for the page's socket. Of sites in the making: later, others may serve it."""
    if isinstance(request, WSGIRequest):
        return (
            'this server has no WebSocket, because it speaks WSGI. Put "daphne" first in '
            "INSTALLED_APPS and set ASGI_APPLICATION, or start an ASGI server."
        )
    if "agentui.routing" not in sys.modules:
        return "asgi.py has to make its application with agentui.routing.get_application()."
    return ""


def _agent(name: str) -> Any:
    if name:
        return registry.get(name)
    agents = registry.all()
    if not agents:
        raise ImproperlyConfigured(NO_AGENT)
    if len(agents) != 1:
        names = ", ".join(agent.name for agent in agents)
        raise ImproperlyConfigured(
            f"Say which agent the chat is for: {{% agentui_chat agent=... %}}. This site has: {names}."
        )
    return agents[0]


def _home() -> str:
    try:
        return reverse("agentui:chat")
    except NoReverseMatch:
        raise ImproperlyConfigured(
            'Add path("agentui/", include("agentui.urls")) to the urls of your site.'
        ) from None


def _sign_in_url(request: Any) -> str:
    path = request.get_full_path() if request is not None else "/"
    return str(redirect_to_login(path, settings.LOGIN_URL).url)


def _suggestions(value: Any) -> list[str]:
    """The agent's texts to begin with; what an adapter proposes later comes over the socket."""
    value = getattr(value, "starters", value)
    if isinstance(value, (list, tuple)):
        return [text for text in value if isinstance(text, str)]
    return []


def _attributes(values: dict[str, Any]) -> dict[str, str]:
    """As they stand in the page; what is empty or false is left out."""
    return {
        name: _text(name, value)
        for name, value in values.items()
        if value is not None and value is not False and value != "" and value != []
    }


def _text(name: str, value: Any) -> str:
    if name in _LISTS and not isinstance(value, str):
        return json.dumps(list(value))
    return str(value)


def _nonce(context: template.Context, request: Any) -> str:
    """Django 6's ``csp_nonce``, or django-csp's on the request."""
    return str(context.get("csp_nonce") or getattr(request, "csp_nonce", "") or "")
