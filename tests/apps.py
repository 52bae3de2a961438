from __future__ import annotations

from django.apps import AppConfig


class TestSiteConfig(AppConfig):
    """The site that the tests install agentui into: its agents, tools and models."""

    name = "tests"
    label = "testsite"
    verbose_name = "test site"
    default_auto_field = "django.db.models.BigAutoField"
