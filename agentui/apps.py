from __future__ import annotations

from contextlib import suppress

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
        self._prepare_launcher()

    def _prepare_launcher(self) -> None:
        """Declare the jobs of the site's task engine, in its workers too."""
        from .runtime.launchers import get_launcher

        with suppress(Exception):
            # What is wrong with the setting is told by the system checks.
            get_launcher().prepare()
