"""Telling open pages that something changed.

Everything sent here is a hint: small, plain JSON, after the commit. A page that misses it finds out
by the numbers: events of a run have a sequence number, rows of a thread a version.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from typing import Any

from asgiref.sync import async_to_sync
from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction

from . import background

logger = logging.getLogger("agentui")

Hint = dict[str, Any]

_QUIET_SECONDS = 10.0
_quiet_until = float("-inf")


def thread_group(thread_id: uuid.UUID | str) -> str:
    """The group of all that follow a thread. Legal for every layer: ASCII, under 100 characters."""
    return f"agentui.thread.{uuid.UUID(str(thread_id)).hex}"


def user_group(user_id: object) -> str:
    """The group of all sockets of a user; the key is hex, so that any primary key will do."""
    return f"agentui.user.{str(user_id).encode().hex()[:80]}"


def thread_changed(thread_id: uuid.UUID, owner_id: object, version: int) -> None:
    """After the commit: rows of this thread now stand at ``version``."""
    hint = {"type": "agentui.hint", "kind": "changes", "thread": str(thread_id), "version": version}
    transaction.on_commit(lambda: _send_both(thread_id, owner_id, hint))


def thread_deleted(thread_id: uuid.UUID, owner_id: object) -> None:
    """After the commit: this thread is gone."""
    hint = {"type": "agentui.hint", "kind": "deleted", "thread": str(thread_id)}
    transaction.on_commit(lambda: _send_both(thread_id, owner_id, hint))


def _send_both(thread_id: uuid.UUID, owner_id: object, hint: Hint) -> None:
    send(thread_group(thread_id), hint)
    send(user_group(owner_id), hint)


def send(group: str, hint: Hint) -> None:
    """Send a hint from sync code. A layer that is down is logged and otherwise survived."""
    layer = get_channel_layer(DEFAULT_CHANNEL_LAYER)
    if layer is None:
        return
    if background.call_soon(_spawn_send, group, hint):
        return
    if isinstance(layer, InMemoryChannelLayer):
        return  # Nobody outside a loop of this process could receive it.
    try:
        async_to_sync(asend)(group, hint)
    except RuntimeError:
        logger.warning("A hint was not sent: called from a thread with a running loop")


def _spawn_send(group: str, hint: Hint) -> None:
    background.spawn(asend(group, hint), name="agentui-hint")


async def asend(group: str, hint: Hint) -> None:
    """Send a hint from async code; never raises."""
    layer = get_channel_layer(DEFAULT_CHANNEL_LAYER)
    if layer is None:
        return
    try:
        await layer.group_send(group, hint)
    except asyncio.CancelledError:
        raise
    except Exception as error:
        # Whatever a layer's transport raises: the rows are written, the page reads them later.
        _say_now_and_then("The channel layer did not take a hint: %s", type(error).__name__)


def _say_now_and_then(text: str, *args: object) -> None:
    """A layer that is away fails for each word of each run."""
    global _quiet_until
    now = time.monotonic()
    if now >= _quiet_until:
        _quiet_until = now + _QUIET_SECONDS
        logger.warning(text, *args)
