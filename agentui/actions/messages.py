"""Sending, editing, regenerating: whatever makes the thread go on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from ..agents import registry
from ..core import texts
from ..core.statuses import CANCELLED, ApprovalStatus, Role, RunStatus
from ..exceptions import (
    IllegalState,
    InvalidInput,
    NotFound,
    ThreadArchived,
    ThreadBusy,
)
from ..models import Message, Run, Thread
from ..runtime.store import (
    RunRequest,
    add_message,
    begin_reply,
    change_state,
    changing,
    dispatch_next,
    end_run,
    overtake,
)
from ..runtime.store.changes import after_commit
from ..signals import message_sent
from .attachments import attach
from .inputs import checked_parts, title_from
from .lookups import get_message, get_thread
from .queue import resume, stop
from .threads import create_thread

_HEAD: Any = object()


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that was taken. ``run`` is None while the message is queued."""

    thread: Thread
    message: Message
    run: Run | None


def send_message(
    user: Any,
    *,
    parts: Any,
    thread_id: Any = None,
    agent: str | None = None,
    parent: Any = _HEAD,
    request: RunRequest | None = None,
    on_active: str | None = None,
    command: str | None = None,
    state: list[Any] | None = None,
) -> Sent:
    """Send a user's message and begin the reply, or queue it, in one transaction.

    Without ``thread_id`` a new thread with ``agent`` is begun. ``parent`` is the message to answer
    to; left out it is the head, None is the root. ``on_active`` says what happens while a run is
    active: ``queue`` it, ``steer`` (stop the run, then go on with it) or ``reject``. ``command`` is
    the client's own id of this sending; the message keeps it, so that a page knows its own again.
    ``state`` are operations on the thread's state that the reply's tools see done.
    """
    content = checked_parts(parts)
    request = request or RunRequest()
    with transaction.atomic():
        if thread_id is None:
            if not agent:
                raise InvalidInput("Say which agent the new thread is for.")
            thread = create_thread(user, agent=agent)
        else:
            thread = get_thread(user, thread_id)
        with changing(thread.pk) as thread:
            _check_writable(thread)
            content = attach(user, thread, content)
            if state:
                change_state(thread, state)
            if not thread.title:
                thread.title = title_from(content)
                thread.save(update_fields=["title"])
            parent_id = thread.head_id if parent is _HEAD else _parent_in(thread, parent)
            metadata = {"command": command} if command else {}
            return _send(thread, user, content, parent_id, request, on_active, metadata)


def _send(
    thread: Thread,
    user: Any,
    content: list[dict[str, Any]],
    parent_id: Any,
    request: RunRequest,
    on_active: str | None,
    metadata: dict[str, Any],
) -> Sent:
    active = thread.active_run()
    steer = False
    if active is not None:
        policy = on_active or registry.get(thread.agent).on_active
        if policy == "reject":
            raise ThreadBusy
        steer = policy == "steer"
    else:
        overtake(thread)
    resume(thread)
    after = partial(after_commit, message_sent, Message, user=user)
    if active is None and not Message.objects.queued().filter(thread=thread).exists():
        message = add_message(
            thread, role=Role.USER, parts=content, parent=parent_id, metadata=metadata
        )
        run = begin_reply(thread, message, request)
        after(message=message)
        return Sent(thread, message, run)
    message = _queue(thread, content, request, metadata, steer=steer)
    if active is not None and steer:
        stop(thread, active)
    dispatch_next(thread)
    after(message=message)
    message.refresh_from_db()
    thread.refresh_from_db()
    return Sent(
        thread, message, thread.active_run() if message.status != RunStatus.QUEUED else None
    )


def edit_message(
    user: Any, message_id: Any, *, parts: Any, request: RunRequest | None = None
) -> Sent:
    """Rewrite a user's message: a sibling of it, with a reply of its own. The old branch stays.

    What still waits in the branch that is left is withdrawn in the same transaction.
    """
    content = checked_parts(parts)
    message = get_message(user, message_id)
    if message.role != Role.USER:
        raise IllegalState("Only your own messages can be edited.")
    with changing(message.thread_id) as thread:
        _check_writable(thread)
        # It may have been taken back meanwhile.
        message = get_message(user, message.pk)
        content = attach(user, thread, content)
        if message.status == RunStatus.QUEUED:
            message.parts, message.version = content, thread.version
            message.save(update_fields=["parts", "version"])
            return Sent(thread, message, None)
        _leave_branch(thread)
        edited = add_message(thread, role=Role.USER, parts=content, parent=message.parent_id)
        run = begin_reply(thread, edited, request or RunRequest())
        after_commit(message_sent, Message, message=edited, user=user)
    return Sent(thread, edited, run)


def regenerate(user: Any, message_id: Any, *, request: RunRequest | None = None) -> Sent:
    """Answer again: a sibling of this assistant message. The old answer stays."""
    message = get_message(user, message_id)
    if message.role != Role.ASSISTANT:
        raise IllegalState("Only an answer can be generated again.")
    with changing(message.thread_id) as thread:
        _check_writable(thread)
        _leave_branch(thread)
        run = begin_reply(thread, message.parent, request or RunRequest())
    return Sent(thread, Message.objects.get(pk=run.message_id), run)


def switch_branch(user: Any, message_id: Any) -> Thread:
    """Show the branch this message is on, down to its newest leaf."""
    message = get_message(user, message_id)
    with changing(message.thread_id) as thread:
        message = get_message(user, message.pk)
        if message.status == RunStatus.QUEUED and message.role != Role.ASSISTANT:
            raise IllegalState("This message waits to be sent, so it is on no branch yet.")
        if thread.active_run() is not None:
            raise ThreadBusy("The agent is writing in the branch shown. Wait, or stop it first.")
        leaf = message
        while (
            child := leaf.children.exclude(status=RunStatus.QUEUED).order_by("-seq").first()
        ) is not None:
            leaf = child
        thread.move_head(leaf.pk)
        Message.objects.filter(pk=leaf.pk).update(version=thread.version)
    return thread


def _queue(
    thread: Thread,
    content: list[dict[str, Any]],
    request: RunRequest,
    metadata: dict[str, Any],
    *,
    steer: bool,
) -> Message:
    return add_message(
        thread,
        role=Role.USER,
        parts=content,
        parent=None,
        status=RunStatus.QUEUED,
        lane=Message.Lane.STEER if steer else Message.Lane.QUEUE,
        metadata={**metadata, "request": request.to_json()},
    )


def _leave_branch(thread: Thread) -> None:
    """The branch shown is being replaced: nothing in it may run or be decided any more."""
    if thread.active_run() is not None:
        raise ThreadBusy
    resume(thread)
    for run in Run.objects.waiting().filter(thread=thread):
        end_run(
            thread,
            run,
            CANCELLED,
            text=texts.SUPERSEDED,
            approval_status=ApprovalStatus.SUPERSEDED,
        )


def _check_writable(thread: Thread) -> None:
    registry.get(thread.agent)
    if thread.status == Thread.Status.ARCHIVED:
        raise ThreadArchived


def _parent_in(thread: Thread, parent: Any) -> Any:
    if parent is None:
        return None
    try:
        found = (
            Message.objects.filter(thread=thread, pk=parent)
            .exclude(status=RunStatus.QUEUED)
            .first()
        )
    except (ValueError, TypeError, ValidationError):
        found = None
    if found is None:
        raise NotFound("The message to answer to is not in this thread.")
    return found.pk
