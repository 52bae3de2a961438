"""Messages that were sent while a run is active: the rules, without rows.

- An idle thread runs what is sent at once. A busy one keeps it, in the order sent.
- Two lanes: steered messages go before queued ones. Steering asks for the active run to be
  cancelled when that is possible, and is next in line otherwise. Where nothing runs there is nothing
  to go ahead of.
- A message that waits may be moved within its lane, steered, or taken back.
- When the run ends, the next message runs: steered first.
- A user who stops a run stops the queue too: it rests until they send or steer, say that it is to go
  on, or nothing is left in it.

The product keeps the queue as rows (:mod:`agentui.actions.queue`, :mod:`agentui.runtime.store.dispatch`)
and never calls this. It is the reference that those are held to: ``tests/runtime/test_queue_model.py``
does the same things to both, at random, and ``tests/core/test_cases.py`` holds it to assistant-ui's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

Lane = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Queue:
    """The messages of one thread that wait for its run, in the order sent; some go first."""

    waiting: Lane = ()
    ahead: frozenset[str] = frozenset()
    is_busy: bool = False
    is_paused: bool = False

    @property
    def steered(self) -> Lane:
        return tuple(item for item in self.waiting if item in self.ahead)

    @property
    def queued(self) -> Lane:
        return tuple(item for item in self.waiting if item not in self.ahead)


@dataclass(frozen=True, slots=True)
class Change:
    """The queue after a move, the message to run now, and whether to cancel the active run."""

    queue: Queue
    run: str | None = None
    cancel: bool = False


def enqueue(queue: Queue, message: str) -> Change:
    """A message is sent. It runs now, or when everything before it is done."""
    return _drain(replace(queue, waiting=(*queue.waiting, message), is_paused=False))


def steer(queue: Queue, message: str, *, can_cancel: bool) -> Change:
    """A message is sent, or waits, that is to go first, ahead of the run that is active."""
    if message not in queue.waiting:
        if not queue.is_busy:
            return enqueue(queue, message)
        queue = replace(queue, waiting=(*queue.waiting, message))
    change = _drain(replace(queue, ahead=queue.ahead | {message}, is_paused=False))
    return replace(change, cancel=can_cancel and queue.is_busy)


def started(queue: Queue) -> Change:
    """A run began that does not come from the queue."""
    return Change(replace(queue, is_busy=True))


def ended(queue: Queue) -> Change:
    """The active run is over."""
    return _drain(replace(queue, is_busy=False))


def stopped(queue: Queue) -> Change:
    """The user asked the active run to stop."""
    return Change(replace(queue, is_paused=bool(queue.waiting)))


def resume(queue: Queue) -> Change:
    """The user lets the queue go on."""
    return _drain(replace(queue, is_paused=False))


def move(queue: Queue, message: str, before: str | None = None) -> Change:
    """A message that waits goes before another one, or last, in its lane.

    Raises ``KeyError`` if one of them does not wait.
    """
    _check_waits(queue, message, before)
    if message == before:
        return Change(queue)
    line = [item for item in queue.steered + queue.queued if item != message]
    line.insert(len(line) if before is None else line.index(before), message)
    return Change(replace(queue, waiting=tuple(line)))


def remove(queue: Queue, message: str) -> Change:
    """A message that waits is taken back. Raises ``KeyError`` if it does not wait."""
    _check_waits(queue, message)
    return Change(_without(queue, message))


def clear(queue: Queue) -> Change:
    """Every message that waits is taken back."""
    return Change(Queue(is_busy=queue.is_busy))


def _check_waits(queue: Queue, *messages: str | None) -> None:
    for message in messages:
        if message is not None and message not in queue.waiting:
            raise KeyError(message)


def _without(queue: Queue, message: str) -> Queue:
    waiting = tuple(item for item in queue.waiting if item != message)
    return replace(
        queue,
        waiting=waiting,
        ahead=queue.ahead - {message},
        is_paused=queue.is_paused and bool(waiting),
    )


def _drain(queue: Queue) -> Change:
    if queue.is_busy or queue.is_paused or not queue.waiting:
        return Change(queue)
    first = (queue.steered + queue.queued)[0]
    return Change(replace(_without(queue, first), is_busy=True), run=first)
