"""Threads in the cloud client's words. Sync."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from ... import actions
from ...agents import registry
from ...conf import app_settings
from ...core.clean import clean
from ...exceptions import InvalidInput, NotFound, TooLarge
from ...models import Thread
from ...permissions import threads_for
from ...runtime.store import changing
from .. import aui
from ..identity import checked_id, own_id, thread_of
from ..items import Row

_LARGEST_PAGE = 200


def list_threads(user: Any, agent: str, query: Mapping[str, str]) -> list[Row]:
    """A page of threads, the last used first; ``after`` is the id of the last one before it."""
    threads = threads_for(user).filter(agent=agent).recent_first()
    is_archived = query.get("is_archived") == "true"
    threads = threads.archived() if is_archived else threads.regular()
    if query.get("after"):
        last = get_thread(user, agent, query["after"])
        at = Q(last_activity_at__lt=last.last_activity_at)
        threads = threads.filter(at | Q(last_activity_at=last.last_activity_at, pk__lt=last.pk))
    return [thread_json(thread) for thread in threads[: page_size(query, 20)]]


def get_thread(user: Any, agent: str, thread_id: str) -> Thread:
    """This user's thread; raises :class:`NotFound`."""
    thread = threads_for(user).filter(agent=agent, pk__in=own_id(thread_id)).first()
    if thread is None:
        raise NotFound
    return thread


def create_thread(user: Any, agent: str, body: Mapping[str, Any]) -> Thread:
    """A new thread. With ``external_id`` it is the same one each time this user names it."""
    external = body.get("external_id")
    if external is None:
        thread = actions.create_thread(user, agent=agent)
    else:
        thread = _external(user, agent, external)
    change_thread(user, agent, str(thread.pk), {**body, "is_archived": None})
    thread.refresh_from_db()
    return thread


def change_thread(user: Any, agent: str, thread_id: str, body: Mapping[str, Any]) -> None:
    """What the owner may change: the title, whether it is put away, and metadata of the page's own."""
    thread = get_thread(user, agent, thread_id)
    title, is_archived, metadata = (body.get(key) for key in ("title", "is_archived", "metadata"))
    if isinstance(title, str) and title.strip() and title != thread.title:
        actions.rename_thread(user, thread.pk, title)
    if isinstance(is_archived, bool):
        actions.set_archived(user, thread.pk, archived=is_archived)
    if metadata is not None:
        if not isinstance(metadata, dict):
            raise InvalidInput("metadata must be an object.")
        with changing(thread.pk) as thread:
            thread.metadata = {**thread.metadata, "page": _checked_metadata(metadata)}
            thread.save(update_fields=["metadata"])


def _checked_metadata(metadata: Row) -> Row:
    """Raises :class:`TooLarge`: it travels with every row of the thread, as its state does."""
    kept: Row = clean(metadata)
    size, most = len(json.dumps(kept)), app_settings.MAX_STATE_BYTES
    if size > most:
        raise TooLarge(f"metadata may have {most:,} bytes; this has {size:,}.")
    return kept


def thread_json(thread: Thread) -> Row:
    """The client checks every one of these fields, and the form of each time."""
    return {
        "id": str(thread.pk),
        "title": thread.title or None,
        "last_message_at": aui.timestamp(thread.last_activity_at),
        "metadata": thread.metadata.get("page", {}),
        "external_id": thread.metadata.get("client_id"),
        "project_id": thread.agent,
        "workspace_id": str(thread.owner_id),
        "created_at": aui.timestamp(thread.created_at),
        "updated_at": aui.timestamp(thread.updated_at),
        "is_archived": thread.status == Thread.Status.ARCHIVED,
    }


def title_of(user: Any, agent: str, body: Mapping[str, Any]) -> tuple[str, bool]:
    """The thread's title, and whether a better one may come: the agent's titles are asked for one."""
    thread = get_thread(user, agent, str(body.get("thread_id")))
    is_asked = registry.get(agent).titles is not None
    is_unset = thread.title_source == Thread.TitleSource.UNSET
    return thread.title, is_unset and is_asked and thread.messages.exists()


def page_size(query: Mapping[str, str], default: int) -> int:
    try:
        return min(max(int(query.get("limit") or default), 1), _LARGEST_PAGE)
    except ValueError:
        raise InvalidInput("limit must be a number.") from None


def _external(user: Any, agent: str, external: Any) -> Thread:
    name = checked_id(external)
    thread = thread_of(user, name, agent=agent, create=True)
    assert thread is not None
    return thread
