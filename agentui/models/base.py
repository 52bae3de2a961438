"""What the rows of a thread have in common."""

from __future__ import annotations

import os
import time
import uuid
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models


def uuid7() -> uuid.UUID:
    """A time-ordered UUID (RFC 9562, version 7), so that primary keys are inserted in order.

    The 12 bits after the milliseconds are their fraction (section 6.2, method 3): rows of one
    process, made one after the other, are in that order also within a millisecond.
    """
    milliseconds, rest = divmod(time.time_ns(), 1_000_000)
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80 | 0x7 << 76 | (rest * 4096 // 1_000_000) << 64
    value |= 0x2 << 62 | int.from_bytes(os.urandom(8), "big") >> 2
    return uuid.UUID(int=value)


class StrictJSONEncoder(DjangoJSONEncoder):
    """Refuses NaN and infinity, which PostgreSQL and browsers do not read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["allow_nan"] = False
        super().__init__(*args, **kwargs)


def json_field(**options: Any) -> models.JSONField[Any, Any]:
    """A JSON column that takes only JSON that every reader understands."""
    return models.JSONField(encoder=StrictJSONEncoder, **options)


class ThreadRow(models.Model):
    """A row of a thread. ``version`` is the thread's version at the row's last change.

    A reader that knows version *v* of a thread asks for the rows with a higher one, and has all
    that changed since; nothing is ever looked up by time.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    version = models.BigIntegerField(default=0, editable=False)

    class Meta:
        abstract = True
