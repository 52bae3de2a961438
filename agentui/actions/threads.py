from __future__ import annotations

from typing import Any

from ..agents import registry
from ..core.clean import clean
from ..core.statuses import CANCELLED, RunStatus
from ..exceptions import InvalidInput
from ..models import Approval, Run, Thread
from ..runtime import publish
from ..runtime.store import change_state, changing, end_run
from ..runtime.store.asides import TITLE_LENGTH, title_if_unset
from ..runtime.store.shared_state import check_state_size
from .lookups import get_thread, signed_in


def create_thread(user: Any, *, agent: str, title: str = "", state: Any = None) -> Thread:
    """A new, empty thread with this agent. Raises :class:`UnknownAgent`."""
    registry.get(agent)
    title = clean(title).strip()[:TITLE_LENGTH]
    state = clean(state)
    check_state_size(state)
    return Thread.objects.create(
        owner=signed_in(user),
        agent=agent,
        title=title,
        title_source=Thread.TitleSource.USER if title else Thread.TitleSource.UNSET,
        state=state,
    )


def rename_thread(user: Any, thread_id: Any, title: str) -> Thread:
    """Give the thread a title of the owner's; no model's title replaces it."""
    thread = get_thread(user, thread_id)
    title = " ".join(clean(title).split())[:TITLE_LENGTH]
    if not title:
        raise InvalidInput("A title needs at least one letter.")
    with changing(thread.pk) as thread:
        thread.title = title
        thread.title_source = Thread.TitleSource.USER
        thread.save(update_fields=["title", "title_source"])
    return thread


def set_title_if_unset(thread: Thread, title: str, source: Thread.TitleSource) -> bool:
    """Title a thread that nobody has titled: one conditional UPDATE, so a rename always wins."""
    return title_if_unset(thread.pk, title, source)


def set_archived(user: Any, thread_id: Any, *, archived: bool) -> Thread:
    """Put the thread away, or bring it back."""
    thread = get_thread(user, thread_id)
    with changing(thread.pk) as thread:
        thread.status = Thread.Status.ARCHIVED if archived else Thread.Status.REGULAR
        thread.save(update_fields=["status"])
    return thread


def set_state(user: Any, thread_id: Any, operations: list[Any]) -> Thread:
    """Change the thread's state by operations; all of them are applied, or none."""
    thread = get_thread(user, thread_id)
    with changing(thread.pk) as thread:
        change_state(thread, operations)
    return thread


def delete_thread(user: Any, thread_id: Any) -> None:
    """Delete the thread with all it holds. A run in it is stopped; nothing of it comes back."""
    thread = get_thread(user, thread_id)
    with changing(thread.pk) as thread:
        for run in Run.objects.filter(thread=thread).exclude(
            status__in=(RunStatus.COMPLETE, RunStatus.INCOMPLETE)
        ):
            end_run(thread, run, CANCELLED)
        publish.thread_deleted(thread.pk, thread.owner_id)
        # Events and notices are written without the thread's lock: none may come after the look at
        # what is to be deleted.
        for rows in (Run.objects, Approval.objects):
            list(rows.select_for_update().filter(thread=thread).order_by("pk").values_list("pk"))
        Thread.objects.filter(pk=thread.pk).delete()
