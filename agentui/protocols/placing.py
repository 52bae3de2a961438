"""Where a new message goes, by what the client shows before it. Sync.

These clients never say "edit": they drop messages from their list and send a new one. So when the
branch shown has a user message behind the last message the client knows, the new one replaces that
user message, as a sibling with an answer of its own; otherwise it goes to the end. Answers and events
that a client has not seen yet are no reason to fork.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from ..core.statuses import Role
from ..models import Message, Thread
from .identity import message_by_client_id

_LONGEST_BRANCH = 10_000
#: Messages that a client shows and that are looked for: it knows one of the last of them, or none.
_LOOKED_FOR = 200


def place(thread: Thread, before: Sequence[tuple[str, str]] | None) -> dict[str, Any]:
    """Fields of :class:`~agentui.protocols.taking.NewMessage`: ``replaces``, ``after``, or neither.

    ``before`` are role and id of the messages that the client shows before the new one, oldest
    first; None when it did not say.
    """
    if before is None or thread.head_id is None:
        return {}
    branch = list(reversed(Message.objects.branch_ids(thread.head_id, _LONGEST_BRANCH)))
    last = next(
        filter(
            None, (message_by_client_id(thread, id) for _, id in before[: -_LOOKED_FOR - 1 : -1])
        ),
        None,
    )
    if last is None:
        return _by_number(branch, sum(role == Role.USER for role, _ in before))
    if last.pk not in branch:
        return {"after": str(last.pk)}
    following = _user_messages(branch[branch.index(last.pk) + 1 :])
    return {"replaces": str(following[0])} if following else {}


def _by_number(branch: list[uuid.UUID], known: int) -> dict[str, Any]:
    """The client has told no id of ours: how many user messages it shows tells where it stands.

    One that shows none has edited the first, or has come back without its history. So it gets a
    branch of its own, and what still waits in the old one is not withdrawn.
    """
    mine = _user_messages(branch)
    if len(mine) <= known:
        return {}
    return {"replaces": str(mine[known])} if known else {"after": None}


def _user_messages(ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    found = set(Message.objects.filter(pk__in=ids, role=Role.USER).values_list("pk", flat=True))
    return [pk for pk in ids if pk in found]


def answer_to_regenerate(thread: Thread, named: str | None, shown: Sequence[str]) -> str | None:
    """The answer that is to be given again: the one named, or the last one to what is shown.

    ``named`` may be the answer or the message it answers; ``shown`` are the ids the client shows,
    oldest first.
    """
    for client_id in (named, *shown[: -_LOOKED_FOR - 1 : -1]):
        message = message_by_client_id(thread, client_id)
        if message is None:
            continue
        if message.role == Role.ASSISTANT and client_id == named:
            return str(message.pk)
        if message.role == Role.USER:
            answer = message.children.filter(role=Role.ASSISTANT).order_by("-seq").first()
            return str(answer.pk) if answer else None
    head = thread.head
    return str(head.pk) if head is not None and head.role == Role.ASSISTANT else None
