"""Who is behind a socket, and what is still theirs: asked of the rows each time. Sync."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import (
    BACKEND_SESSION_KEY,
    HASH_SESSION_KEY,
    SESSION_KEY,
    get_user_model,
)
from django.utils.crypto import constant_time_compare

from ..exceptions import NotFound, NotSignedIn
from ..models import Thread
from ..permissions import threads_for
from ..runtime.rows import Row, thread_row


@dataclass(slots=True)
class Connection:
    """What a socket knows: who opened it, and the tools its page has registered."""

    user: Any = None
    session_key: str | None = None
    tools: list[Any] = field(default_factory=list)


def current_user(connection: Connection, thread_id: uuid.UUID | None = None) -> Any:
    """The socket's user as the rows say now. A session that ended ends the socket too.

    With ``thread_id`` the thread must be the user's. Raises :class:`NotSignedIn` or
    :class:`NotFound`.
    """
    engine = import_module(settings.SESSION_ENGINE)
    session = engine.SessionStore(connection.session_key)
    users = get_user_model()
    try:
        user_id = users._meta.pk.to_python(session[SESSION_KEY])
        backend = session[BACKEND_SESSION_KEY]
    except KeyError:
        raise NotSignedIn from None
    user = users._default_manager.filter(pk=user_id).first()
    if user is None or not user.is_active or backend not in settings.AUTHENTICATION_BACKENDS:
        raise NotSignedIn
    if not constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()):
        raise NotSignedIn
    if thread_id is not None and not threads_for(user).filter(pk=thread_id).exists():
        raise NotFound
    return user


def threads_left(connection: Connection, thread_ids: list[uuid.UUID]) -> set[uuid.UUID]:
    """Which of these threads are still the socket's user's. Raises :class:`NotSignedIn`."""
    user = current_user(connection)
    if not thread_ids:
        return set()
    return set(threads_for(user).filter(pk__in=thread_ids).values_list("pk", flat=True))


def thread_frame(user_id: Any, thread_id: str) -> Row | None:
    """A thread of this user for the page's list; None when it is not theirs any more."""
    thread = Thread.objects.with_activity().filter(pk=thread_id, owner_id=user_id).first()
    return {"type": "thread", "thread": thread_row(thread)} if thread else None
