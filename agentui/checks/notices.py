from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from ..conf import app_settings
from ..notices.base import Notifier, get_notifier


@register("agentui")
def check_notifiers(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Will people be told? A wrong entry would show only when the first request waits."""
    if not isinstance(getattr(settings, "AGENTUI", {}), dict):
        return []
    try:
        entries = app_settings.NOTIFIERS
    except TypeError:
        return []  # check_settings says so
    messages: list[CheckMessage] = []
    made: list[Notifier] = []
    for number, entry in enumerate(entries):
        try:
            made.append(get_notifier(number, entry))
        except Exception as error:
            messages.append(
                Error(
                    str(error),
                    hint='Write "agentui.notices.EmailNotifier", or {"BACKEND": ..., "OPTIONS": {...}}.',
                    id="agentui.E023",
                )
            )
    return [*messages, *_same_names(made), *_links(made)]


def _same_names(made: list[Notifier]) -> Iterator[CheckMessage]:
    for name, count in Counter(notifier.name for notifier in made).items():
        if count > 1:
            yield Error(
                f"{count} entries of AGENTUI['NOTIFIERS'] are named {name!r}, and of those only one "
                "would be told of each request.",
                hint='Give each a name of its own: {"BACKEND": ..., "NAME": "night shift"}.',
                id="agentui.E024",
            )


def _links(made: list[Notifier]) -> Iterator[CheckMessage]:
    if made and not app_settings.SITE_URL:
        yield Warning(
            "AGENTUI['SITE_URL'] is not set, so the links in notices have no site in front.",
            hint='Set AGENTUI["SITE_URL"] = "https://shop.example".',
            id="agentui.W025",
        )
