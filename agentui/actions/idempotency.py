"""The same command twice is one command."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, transaction

from ..exceptions import AgentUIError, CommandReused
from ..models import ClientCommand


def once(
    user: Any, key: uuid.UUID | None, command: dict[str, Any], carry_out: Callable[[], Any]
) -> Any:
    """What ``carry_out()`` answers, as JSON; for a ``key`` that was used before, what it answered.

    The answer is stored in the same transaction as the effect, so there is no moment in which one is
    there without the other. A command that is refused stores nothing and may be sent again. The same
    key with another command raises :class:`CommandReused`.
    """
    if key is None:
        return carry_out()
    digest = hashlib.sha256(
        json.dumps(command, sort_keys=True, default=str).encode("utf-8", "surrogatepass")
    ).hexdigest()
    if (known := _answered(user, key, digest)) is not None:
        return known["answer"]
    try:
        with transaction.atomic():
            # The row first: a second one with this key waits here for the first one's commit.
            row = ClientCommand.objects.create(user=user, key=key, digest=digest, answer={})
            answer = carry_out()
            row.answer = {"answer": answer}
            row.save(update_fields=["answer"])
            return answer
    except AgentUIError as refusal:
        if refusal.afterwards is not None:
            refusal.afterwards()
        raise
    except IntegrityError:
        if (known := _answered(user, key, digest)) is not None:
            return known["answer"]
        raise


def _answered(user: Any, key: uuid.UUID, digest: str) -> dict[str, Any] | None:
    row = ClientCommand.objects.filter(user=user, key=key).first()
    if row is None:
        return None
    if row.digest != digest:
        raise CommandReused
    answer: dict[str, Any] = row.answer
    return answer
