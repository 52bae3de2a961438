"""What a protocol's encoder is given: the units of a run, in one true order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.events import Path, StreamEvent
from ..core.statuses import Status

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Started:
    """Always the first item: the rows as they stood when following began.

    ``calls`` are all calls of the run's message, ``approvals`` all of theirs; ``thread["state"]`` is
    the thread's state. The items that follow rebuild the message from its first part on.
    """

    thread: Row
    run: Row
    message: Row
    calls: tuple[Row, ...]
    approvals: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class CallStarted:
    """The server has begun to run the call at ``path``. Left out when it was over at once."""

    path: Path
    call: Row


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the call at ``path`` has come: what its tool gave to ``ctx.progress()``."""

    path: Path
    call: Row
    value: Any


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The thread's state is now this.

    ``operations`` make it of what it was; without any it is told whole. What a model's answer says of
    the state comes at once, and is the thread's once the answer is stored; until then it may be taken
    back by another ``StateChanged``.
    """

    state: Any
    operations: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing has happened for a while. Send something that is no event, so that no proxy closes
    the stream; never store it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The run is over, or waits for somebody (``status.type`` is ``requires_action``).

    ``calls`` are all calls of the message as they stand, ``open_calls`` those a page or a person has
    to answer (no approval is pending for them), ``approvals`` the pending ones.
    """

    status: Status
    run: Row
    message: Row
    calls: tuple[Row, ...]
    open_calls: tuple[Row, ...]
    approvals: tuple[Row, ...]
    error: Row | None = None


Item = Started | StreamEvent | CallStarted | Progress | StateChanged | Heartbeat | Ended


@dataclass(frozen=True, slots=True)
class Seen:
    """What a client has of a run's message; none of it is sent again.

    Read with :func:`agentui.protocols.following.seen_now` before the action that makes the run go
    on: its first ``parts`` parts, its first ``steps`` steps, and its calls as they stood.
    """

    parts: int = 0
    steps: int = 0
    calls: tuple[Row, ...] = ()
    annotations: int = 0
    data: int = 0
