"""Ids that clients make, and the rows they stand for. Sync.

Front ends name a thread before the server knows it, and a user's message before it is sent. Such a
name is never a key of ours: it is looked up among this user's rows, so that naming somebody else's
row leads to an empty thread of one's own, and nowhere else.
"""

from __future__ import annotations

import uuid
from typing import Any

from ..agents import registry
from ..core.clean import clean
from ..core.statuses import Role
from ..exceptions import InvalidInput
from ..models import Message, Thread
from ..permissions import threads_for

_NAMESPACE = uuid.UUID("0f5c1ed2-6a0b-5a39-9d5f-5b0f5a1f7c11")
_LONGEST = 200


def thread_of(user: Any, client_id: Any, *, agent: str, create: bool = False) -> Thread | None:
    """The user's thread that a client calls ``client_id``.

    The id of a thread of theirs is that thread. Any other text stands for one thread of this user,
    whose primary key is made from the user and the text: two requests at once make one thread. It
    is begun, with ``agent``, only with ``create``. Raises :class:`InvalidInput` for a thread that
    belongs to another agent, and :class:`UnknownAgent`.
    """
    registry.get(agent)
    name = checked_id(client_id)
    thread = known_thread(user, name)
    if thread is None and create:
        thread, _ = Thread.objects.get_or_create(
            pk=_key(user, name),
            defaults={"owner": user, "agent": agent, "metadata": {"client_id": name}},
        )
    if thread is not None and thread.agent != agent:
        raise InvalidInput("This thread is with another agent.")
    return thread


def known_thread(user: Any, client_id: Any) -> Thread | None:
    """The user's thread that a client calls so, whichever agent it is with; None if there is none."""
    name = checked_id(client_id)
    return threads_for(user).filter(pk__in=[*own_id(name), _key(user, name)]).first()


def checked_id(client_id: Any) -> str:
    """An id as a client may make one. Raises :class:`InvalidInput`."""
    name = clean(client_id) if isinstance(client_id, str) else ""
    if not name or len(name) > _LONGEST:
        raise InvalidInput(f"An id must be a string of 1 to {_LONGEST} characters.")
    return str(name)


def note_client_id(message: Message, client_id: str | None) -> None:
    """Keep what the client calls this message, so that it is known when the client names it."""
    if client_id is None or message.metadata.get("client_id") == client_id:
        return
    message.metadata = {**message.metadata, "client_id": client_id}
    Message.objects.filter(pk=message.pk).update(metadata=message.metadata)


def message_by_client_id(thread: Thread, client_id: Any) -> Message | None:
    """The message of this thread that a client calls so: by its row's id or by the client's own."""
    if not isinstance(client_id, str) or not client_id or len(client_id) > _LONGEST:
        return None
    mine = Message.objects.filter(thread=thread)
    for pk in own_id(client_id):
        if (found := mine.filter(pk=pk).first()) is not None:
            return found
    return (
        mine.filter(role=Role.USER, metadata__client_id=clean(client_id)).order_by("-seq").first()
    )


def own_id(name: Any) -> list[uuid.UUID]:
    """``name`` as a primary key, if it can be one of ours."""
    try:
        return [uuid.UUID(name)]
    except (ValueError, TypeError, AttributeError):
        return []


def _key(user: Any, name: str) -> uuid.UUID:
    return uuid.uuid5(_NAMESPACE, f"{user.pk}\n{name}")
