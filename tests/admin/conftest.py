from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from agentui.agents import registry
from project.shop.agents import support
from tests.admin.rows import desk
from tests.agents import tester


@pytest.fixture(autouse=True)
def _desk() -> Iterator[None]:
    """The desk's agent, under its name, whatever else the site has."""
    # What the inbox costs depends on the policies of the site's agents, and other test modules have
    # agents of their own: only those that the site's apps bring along stay.
    site = (desk, tester, support)
    others = [agent for agent in registry.everything() if agent not in site]
    with registry.temporary(desk):
        for agent in others:
            registry.unregister(agent)
        yield


@pytest.fixture
def person(db: None, django_user_model: Any) -> Callable[..., Any]:
    """Make a staff member: ``person("joan", "change_effect")`` with these permissions."""

    def make(name: str, *codenames: str, **fields: Any) -> Any:
        user = django_user_model.objects.create_user(
            name, password="password", **{"is_staff": True, **fields}
        )
        user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
        return user

    return make


@pytest.fixture
def decider(person: Callable[..., Any]) -> Any:
    """Staff with the permission that the desk's policy asks for, and no other."""
    return person("joan", "change_effect")


@pytest.fixture
def signed_in() -> Callable[[Any], Client]:
    """A browser of this person, with CSRF checks as in a real one off."""

    def make(user: Any) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return make
