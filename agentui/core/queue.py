"""Messages that were sent while a run is active.

- An idle thread runs what is sent at once. A busy one keeps it, in the order sent.
- Two lanes: steered messages go before queued ones. Steering asks for the active run to be
  cancelled when that is possible, and is next in line otherwise.
- When the run ends, the next message runs: steered first.
- A user who stops a run stops the queue too: it rests until they send again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

Lane = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Queue:
    """The messages of one thread that wait for its run."""

    queued: Lane = ()
    steered: Lane = ()
    is_busy: bool = False
    is_paused: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """The queue after a move, the message to run now, and whether to cancel the active run."""

    queue: Queue
    run: str | None = None
    cancel: bool = False


def enqueue(queue: Queue, message: str) -> Change:
    """A message is sent. It runs now, or when everything before it is done."""
    return _drain(replace(queue, queued=(*queue.queued, message), is_paused=False))


def steer(queue: Queue, message: str, *, can_cancel: bool) -> Change:
    """A message is sent that is to go first, ahead of the run that is active."""
    change = _drain(replace(queue, steered=(*queue.steered, message), is_paused=False))
    return replace(change, cancel=can_cancel and queue.is_busy)


def started(queue: Queue) -> Change:
    """A run began that does not come from the queue."""
    return Change(replace(queue, is_busy=True))


def ended(queue: Queue) -> Change:
    """The active run is over."""
    return _drain(replace(queue, is_busy=False))


def stopped(queue: Queue) -> Change:
    """The user asked the active run to stop."""
    return Change(replace(queue, is_paused=True))


def remove(queue: Queue, message: str) -> Change:
    """A message that waits is taken back. Raises ``KeyError`` if it does not wait."""
    if message not in queue.queued + queue.steered:
        raise KeyError(message)
    return Change(
        replace(
            queue,
            queued=tuple(item for item in queue.queued if item != message),
            steered=tuple(item for item in queue.steered if item != message),
        )
    )


def clear(queue: Queue) -> Change:
    """Every message that waits is taken back."""
    return Change(replace(queue, queued=(), steered=()))


def _drain(queue: Queue) -> Change:
    if queue.is_busy or queue.is_paused:
        return Change(queue)
    match queue:
        case Queue(steered=(first, *rest)):
            return Change(replace(queue, steered=tuple(rest), is_busy=True), run=first)
        case Queue(queued=(first, *rest)):
            return Change(replace(queue, queued=tuple(rest), is_busy=True), run=first)
        case _:
            return Change(queue)
