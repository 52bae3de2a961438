"""The demo site, as its own settings make it, in the test database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from project.shop.models import Customer

_OF_THE_SITE = (
    "ROOT_URLCONF",
    "MIDDLEWARE",
    "TEMPLATES",
    "SECURE_CSP",
    "LOGIN_URL",
    "LOGIN_REDIRECT_URL",
    "LOGOUT_REDIRECT_URL",
)


@pytest.fixture(scope="session")
def site_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The module ``project.settings``; what it writes goes to a folder of the tests."""
    var: Path = tmp_path_factory.mktemp("var")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AGENTUI_DEMO_VAR", str(var))
        from project import settings as module

        yield module


@pytest.fixture
def site(settings: Any, site_settings: Any) -> Any:
    """The settings of the demo site, with debugging on as `make demo` has it."""
    for name in _OF_THE_SITE:
        setattr(settings, name, getattr(site_settings, name))
    settings.DEBUG = True
    return settings


@pytest.fixture
def demo(site: Any, db: None) -> None:
    """The demo's users, products and orders."""
    call_command("demo_data", verbosity=0, no_color=True)


@pytest.fixture
def ada(demo: None) -> Customer:
    return Customer.objects.get(user__username="ada")
