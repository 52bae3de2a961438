from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import AsyncClient

from .client import Client


@pytest.fixture(autouse=True)
def _urls(settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.protocols.urls"


@pytest.fixture(params=[True, False], ids=["1.0", "0.0.59"])
def is_modern(request: pytest.FixtureRequest) -> bool:
    """The generation of the client."""
    return bool(request.param)


@pytest.fixture
async def http(user: Any) -> AsyncClient:
    """A browser in which ``user`` is signed in."""
    client = AsyncClient()
    await client.aforce_login(user)
    return client


@pytest.fixture
def open_page(http: AsyncClient, is_modern: bool) -> Callable[..., Client]:
    """A page of ``user``; ``thread=`` opens one that is there."""

    def open(*, thread: str | None = None, **options: Any) -> Client:
        page = Client(http, **{"is_modern": is_modern, **options})
        if thread is not None:
            page.thread = thread
        return page

    return open


@pytest.fixture
def page(open_page: Callable[..., Client]) -> Client:
    return open_page()
