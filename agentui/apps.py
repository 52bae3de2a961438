from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AgentUIConfig(AppConfig):
    name = "agentui"
    label = "agentui"
    verbose_name = _("Agents")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import checks  # noqa: F401  (registers itself)
        from .agents import autodiscover

        autodiscover()
