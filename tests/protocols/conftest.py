from __future__ import annotations

from collections.abc import Iterator

import pytest
from asgiref.sync import SyncToAsync
from channels.layers import channel_layers
from django.db import connections

from tests.story import immediate, running, script

__all__ = ["immediate", "running", "script"]


@pytest.fixture(autouse=True)
def _fresh_layer() -> Iterator[None]:
    """Each test has a channel layer of its own: a layer lives in one event loop."""
    channel_layers.backends = {}
    yield
    channel_layers.backends = {}


@pytest.fixture(autouse=True)
def _no_connection_of_the_client_stays_open() -> Iterator[None]:
    """Django's test client asks for its session in a thread of asgiref's, which outlives the test."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()
