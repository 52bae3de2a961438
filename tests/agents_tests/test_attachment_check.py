"""The place of uploads: said before the first one is written to the wrong folder."""

from __future__ import annotations

from typing import Any

import pytest

from agentui.checks import check_attachments

FILES = "django.core.files.storage.FileSystemStorage"


@pytest.mark.parametrize(
    ("changes", "ids"),
    [
        ({"MEDIA_ROOT": ""}, ["agentui.W021"]),
        ({"MEDIA_ROOT": "/srv/media"}, []),
        ({"MEDIA_ROOT": "", "AGENTUI": {"ALLOWED_ATTACHMENT_TYPES": ()}}, []),
        (
            {
                "MEDIA_ROOT": "",
                "STORAGES": {"agentui": {"BACKEND": FILES, "OPTIONS": {"location": "/srv/chat"}}},
            },
            [],
        ),
        (
            {
                "MEDIA_ROOT": "",
                "STORAGES": {
                    "agentui": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
                },
            },
            [],
        ),
    ],
)
def test_w021_a_place_for_uploads(settings: Any, changes: dict[str, Any], ids: list[str]) -> None:
    for name, value in changes.items():
        setattr(settings, name, value)
    assert [message.id for message in check_attachments()] == ids
