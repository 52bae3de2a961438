"""What a stand of several processes can get wrong, said before anybody meets it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connections
from django.test import override_settings

from agentui.checks import check_launcher, check_pool, check_processes, check_streams

MEMORY = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
REDIS = {"default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer"}}


def ids(messages: Any) -> list[str]:
    return [message.id for message in messages]


@pytest.mark.parametrize(
    ("layers", "count", "expected"),
    [(MEMORY, "4", ["agentui.W017"]), (MEMORY, "1", []), (REDIS, "4", []), (MEMORY, "x", [])],
)
def test_w017_several_processes_with_a_layer_inside_each(
    monkeypatch: pytest.MonkeyPatch, layers: Any, count: str, expected: list[str]
) -> None:
    monkeypatch.setenv("WEB_CONCURRENCY", count)
    with override_settings(CHANNEL_LAYERS=layers):
        assert ids(check_processes()) == expected


def test_w018_compression_in_front_of_streams() -> None:
    assert check_streams() == []
    with override_settings(MIDDLEWARE=["django.middleware.gzip.GZipMiddleware"]):
        assert ids(check_streams()) == ["agentui.W018"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["agentui.W019"]),
        ({"pool": True}, []),
        ({"pool": {"max_size": 16}}, []),
        ({"pool": {"max_size": 5}}, ["agentui.W020"]),
    ],
)
def test_w019_and_w020_the_pool(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], expected: list[str]
) -> None:
    database = {"ENGINE": "django.db.backends.postgresql", "OPTIONS": options}
    monkeypatch.setitem(connections.settings, "default", database)
    assert ids(check_pool()) == expected


@pytest.mark.parametrize("launcher", ["celery", "django_tasks", "in_process", "immediate"])
def test_every_engine_is_known_by_its_name(launcher: str) -> None:
    with override_settings(AGENTUI={"LAUNCHER": launcher}):
        assert check_launcher() == []
