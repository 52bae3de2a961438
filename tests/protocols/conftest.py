from __future__ import annotations

from collections.abc import Iterator

import pytest
from channels.layers import channel_layers

from tests.story import immediate, running, script

__all__ = ["immediate", "running", "script"]


@pytest.fixture(autouse=True)
def _fresh_layer() -> Iterator[None]:
    """Each test has a channel layer of its own: a layer lives in one event loop."""
    channel_layers.backends = {}
    yield
    channel_layers.backends = {}
