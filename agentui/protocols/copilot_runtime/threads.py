"""The list of threads and what is in one, as CopilotKit's thread store reads them. Sync."""

from __future__ import annotations

import base64
import binascii
import json
import uuid
from datetime import datetime
from typing import Any

from django.db.models import Q

from ... import actions
from ...core.moments import read_moment
from ...exceptions import InvalidInput, NotFound
from ...models import Thread
from ...permissions import threads_for
from ..ag_ui.reading import branch_rows
from ..identity import known_thread
from .info import resolve

_PAGE, _LONGEST_PAGE = 50, 200


def list_threads(user: Any, query: Any) -> dict[str, Any]:
    """One page of the user's threads, the latest first; ``nextCursor`` leads to the next."""
    threads = threads_for(user)
    if agent := query.get("agentId"):
        threads = threads.filter(agent=resolve(agent))
    if query.get("includeArchived") != "true":
        threads = threads.regular()
    if cursor := query.get("cursor"):
        at, pk = _read_cursor(cursor)
        threads = threads.filter(Q(last_activity_at__lt=at) | Q(last_activity_at=at, pk__lt=pk))
    limit = _limit(query.get("limit"))
    found = list(threads.recent_first()[: limit + 1])
    page = found[:limit]
    return {
        "threads": [thread_json(thread) for thread in page],
        "nextCursor": _cursor(page[-1]) if len(found) > limit else None,
    }


def thread_json(thread: Thread) -> dict[str, Any]:
    """A thread, under the name that the client gave it if one did."""
    return {
        "id": thread.metadata.get("client_id") or str(thread.pk),
        "organizationId": "",
        "agentId": thread.agent,
        "createdById": str(thread.owner_id),
        "name": thread.title or None,
        "archived": thread.status == Thread.Status.ARCHIVED,
        "createdAt": thread.created_at.isoformat(),
        "updatedAt": thread.updated_at.isoformat(),
        "lastRunAt": thread.last_activity_at.isoformat(),
    }


def change_thread(user: Any, client_id: str, data: dict[str, Any]) -> dict[str, Any]:
    """Rename a thread, put it away or bring it back: ``{"name"?, "archived"?}``."""
    thread = find(user, client_id)
    name, archived = data.get("name"), data.get("archived")
    if name is not None:
        if not isinstance(name, str):
            raise InvalidInput("name must be a string.")
        thread = actions.rename_thread(user, thread.pk, name)
    if archived is not None:
        if not isinstance(archived, bool):
            raise InvalidInput("archived must be true or false.")
        thread = actions.set_archived(user, thread.pk, archived=archived)
    return thread_json(thread)


def delete_thread(user: Any, client_id: str) -> None:
    actions.delete_thread(user, find(user, client_id).pk)


def thread_messages(user: Any, client_id: str) -> dict[str, Any]:
    """The messages of the branch shown, in AG-UI's form."""
    from ..ag_ui.messages import snapshot_messages

    rows = branch_rows(find(user, client_id).pk, user)
    messages = snapshot_messages(rows, answer_ids={})
    return {"messages": [message.model_dump(by_alias=True) for message in messages]}


def thread_state(user: Any, client_id: str) -> dict[str, Any]:
    return {"state": find(user, client_id).state}


def find(user: Any, client_id: str) -> Thread:
    """The user's thread that a client calls so. Raises :class:`NotFound`."""
    thread = known_thread(user, client_id)
    if thread is None:
        raise NotFound
    return thread


def _limit(text: str | None) -> int:
    if text is None:
        return _PAGE
    limit = int(text) if text.isdecimal() and len(text) < 10 else 0
    if not 1 <= limit <= _LONGEST_PAGE:
        raise InvalidInput(f"limit must be a number from 1 to {_LONGEST_PAGE}.")
    return limit


def _cursor(thread: Thread) -> str:
    place = json.dumps([thread.last_activity_at.isoformat(), str(thread.pk)])
    return base64.urlsafe_b64encode(place.encode()).decode()


def _read_cursor(text: str) -> tuple[datetime, uuid.UUID]:
    try:
        at, pk = json.loads(base64.urlsafe_b64decode(text))
        return read_moment(at), uuid.UUID(str(pk))
    except (binascii.Error, ValueError, TypeError, RecursionError):
        raise InvalidInput("This cursor is not one of ours.") from None
