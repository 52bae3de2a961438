"""A change of a thread: one transaction, one version, one hint."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.dispatch import Signal

from ...core.statuses import RunStatus
from ...exceptions import Fenced, NotFound
from ...models import Run, Thread
from .. import publish
from ..database import about_to_commit

logger = logging.getLogger("agentui")


@contextmanager
def changing(thread_id: uuid.UUID) -> Iterator[Thread]:
    """A transaction in which the thread is locked and stands at its next version.

    Rows changed inside are given ``thread.version``. After the commit every open page is told.
    Raises :class:`NotFound` when the thread is gone.
    """
    with transaction.atomic():
        try:
            thread = Thread.objects.lock_for_change(thread_id)
        except Thread.DoesNotExist:
            raise NotFound from None
        yield thread
        publish.thread_changed(thread_id, thread.owner_id, thread.version)
        about_to_commit()


def hold(run_id: uuid.UUID, attempt: int) -> Run:
    """The run, if the worker with this attempt still holds it; otherwise raises :class:`Fenced`.

    Called with the thread locked, so nobody can take the run over until the transaction ends.
    """
    run = Run.objects.filter(pk=run_id).first()
    if run is None or run.attempt != attempt or run.status != RunStatus.RUNNING:
        raise Fenced
    return run


def after_commit(signal: Signal, sender: type[Model], **row: Any) -> None:
    """Send a signal to the site once the change is committed; a receiver's error is only logged."""

    def send() -> None:
        for receiver, answer in signal.send_robust(sender, **row):
            if isinstance(answer, Exception):
                logger.error("A receiver of a signal failed: %r", receiver, exc_info=answer)

    transaction.on_commit(send)
