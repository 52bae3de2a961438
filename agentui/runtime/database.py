"""The one way from async code to the database.

A crossing runs one short sync function, usually one transaction, in one of a few threads of our
own. So the number of connections is bounded by a setting and not by the number of runs and sockets,
no other consumer's work waits in front of ours, and no transaction is ever open across a model or
tool call.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import random
import threading
import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import DatabaseError, InterfaceError, OperationalError, connections

from ..conf import app_settings
from .database_threads import threads

P = ParamSpec("P")
T = TypeVar("T")

#: What the database raises when it is away, or when it cannot do what was asked.
DATABASE_ERRORS = (DatabaseError, InterfaceError)


class CommitUnknown(OperationalError):
    """The connection was lost during the commit: what was to be stored may have been."""


#: Set by the immediate launcher: crossings stay in the caller's thread and transaction.
is_immediate: contextvars.ContextVar[bool] = contextvars.ContextVar(
    "agentui_immediate", default=False
)

#: A seam for tests: makes of each crossing's call the one that is carried out.
around_crossings: Callable[[Callable[[], Any]], Callable[[], Any]] | None = None

_RETRIES = 6
_IDLE_CHECK = 30.0


__all__ = ["DATABASE_ERRORS", "CommitUnknown", "in_database", "insist", "retrying", "threads"]

_local = threading.local()


async def in_database(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What ``function(*args, **kwargs)`` returns, run in a database thread.

    Once begun, the function runs to its end: when the caller is cancelled meanwhile, the
    cancellation is raised after the transaction has ended one way or the other.
    """
    call: Callable[[], T] = functools.partial(function, *args, **kwargs)
    if around_crossings is not None:
        call = around_crossings(call)
    if is_immediate.get():
        return await sync_to_async(call, thread_sensitive=True)()
    work = threads.submit(functools.partial(_run, call))
    future = asyncio.wrap_future(work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        if work.cancel():
            raise  # Nobody waits for it, and it had not begun.
        await asyncio.wait([future])
        if not future.cancelled():
            future.exception()
        raise


async def insist(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """:func:`in_database`, and again while the database is away, for half of a lease.

    For what a worker has to store: a database that restarts costs no answer.
    """
    patience = time.monotonic() + app_settings.LEASE_SECONDS / 2
    while True:
        try:
            return await in_database(function, *args, **kwargs)
        except CommitUnknown:
            raise
        except DATABASE_ERRORS as error:
            if not _is_lost(error) or time.monotonic() > patience:
                raise
            await asyncio.sleep(0.5)


def _run(call: Callable[[], T]) -> T:
    now = time.monotonic()
    if now - getattr(_local, "used_at", now) > _IDLE_CHECK:
        drop_broken_connections()
    _local.used_at = now
    try:
        return retrying(call)
    except DATABASE_ERRORS:
        drop_broken_connections()
        raise


def retrying(call: Callable[[], T]) -> T:
    """What ``call()`` returns; begun again when the database rolled it back, and only then.

    SQLite says "locked" and PostgreSQL "deadlock" or "could not serialize" only when nothing was
    committed. A connection that is gone is opened again, unless it was lost during a commit
    (:func:`about_to_commit`), when nobody knows. Other errors are raised as they are.
    """
    for attempt in range(_RETRIES):
        _local.is_committing = False
        try:
            return call()
        except DATABASE_ERRORS as error:
            is_lost = _is_lost(error)
            if attempt == _RETRIES - 1 or not (is_lost or _was_rolled_back(error)):
                raise
            if is_lost:
                if _local.is_committing:
                    raise CommitUnknown(str(error)) from error
                drop_broken_connections()
            time.sleep(0.02 * 2**attempt * (0.5 + random.random()))  # noqa: S311
    raise AssertionError("unreachable")


def about_to_commit() -> None:
    """Called after the last statement of a change. A connection that goes from here on may have
    gone after the commit, so the change must not be begun again."""
    _local.is_committing = True


def _was_rolled_back(error: Exception) -> bool:
    text = str(error).lower()
    return isinstance(error, OperationalError) and any(
        sign in text for sign in ("is locked", "deadlock detected", "could not serialize")
    )


def _is_lost(error: Exception) -> bool:
    """The connection is gone, or could not be made: the server restarts, a network is down."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    text = str(error).lower()
    return any(
        sign in text
        for sign in ("connection", "terminating", "server closed", "couldn't get a connection")
    )


def drop_broken_connections() -> None:
    for connection in connections.all(initialized_only=True):
        connection.health_check_enabled = True  # type: ignore[attr-defined]
        connection.health_check_done = False  # type: ignore[attr-defined]
        connection.close_if_unusable_or_obsolete()


def close_connections_after(call: Callable[[], T]) -> Callable[[], T]:
    """``call``, leaving no connection behind in its thread: for threads that run a site's tools."""

    @functools.wraps(call)
    def wrapped(*args: Any) -> T:
        try:
            return call(*args)
        finally:
            connections.close_all()

    return wrapped
