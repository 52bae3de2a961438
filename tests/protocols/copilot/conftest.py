from __future__ import annotations

from typing import Any

import pytest
from django.test import AsyncClient

from tests.protocols.ag_ui.client import Client
from tests.protocols.ag_ui.conftest import http

__all__ = ["http"]

BASE = "/agentui/protocols/copilotkit"


@pytest.fixture(autouse=True)
def _urls(settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.protocols.urls"


@pytest.fixture
def copilot(http: AsyncClient) -> Client:
    """A page of CopilotKit, which is a client of the old generation."""
    client = Client(http, is_modern=False)
    client.url = f"{BASE}/agent/tester"
    return client
