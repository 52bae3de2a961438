"""The messages of a thread are a tree; what is shown is the path from its root to the head.

- A message is added under a parent that is there, once, and is never moved or taken out: what was said
  stays where it was said.
- Siblings stand in the order they were added. Editing and regenerating add a sibling.
- A message added under the head becomes the head; a sibling of it does not.
- Switching to a message shows the branch through it, down to the leaf that was written last.
- Moving the head never deletes anything.

The product keeps the tree as rows (:mod:`agentui.models.messages`, :mod:`agentui.actions.messages`) and
never calls this: a thread may be too long to be read whole. It is the reference that those are held to:
``tests/runtime/test_tree_model.py`` does the same things to both, at random, and
``tests/core/test_cases.py`` holds it to assistant-ui's.
"""

from __future__ import annotations

from collections.abc import Iterable


class TreeError(ValueError):
    """The message cannot stand there; the tree is as it was."""


class MessageTree:
    """Which message follows which, by id. ``head`` is the message shown last."""

    def __init__(
        self, messages: Iterable[tuple[str, str | None]] = (), head: str | None = None
    ) -> None:
        """``messages`` are (id, parent) in the order they were written, parents first."""
        self.head: str | None = None
        self._parents: dict[str, str | None] = {}
        self._children: dict[str | None, list[str]] = {None: []}
        newest = None
        for newest, parent in messages:
            self._insert(newest, parent)
        self.set_head(newest if head is None else head)

    def __contains__(self, message: str) -> bool:
        return message in self._parents

    def add(self, message: str, parent: str | None) -> None:
        """Put ``message`` under ``parent``; ``None`` makes it a root."""
        self._insert(message, parent)
        if parent == self.head:
            self.set_head(message)

    def _insert(self, message: str, parent: str | None) -> None:
        if message in self._parents:
            raise TreeError(f"The message {message} is already there.")
        if parent is not None:
            self._known(parent)
        self._parents[message] = parent
        self._children[parent].append(message)
        self._children[message] = []

    def parent(self, message: str) -> str | None:
        return self._parents[self._known(message)]

    def siblings(self, message: str) -> tuple[str, ...]:
        """The message and its alternatives, in order."""
        return tuple(self._children[self.parent(message)])

    def path(self, head: str | None = None) -> tuple[str, ...]:
        """The messages from the root to ``head``, by default to what is shown."""
        path = []
        at = self.head if head is None else self._known(head)
        while at is not None:
            path.append(at)
            at = self._parents[at]
        return tuple(reversed(path))

    def switch(self, message: str) -> None:
        """Show the branch through ``message``."""
        leaf = self._known(message)
        while children := self._children[leaf]:
            leaf = children[-1]
        self.set_head(leaf)

    def set_head(self, message: str | None) -> None:
        """Show the path to ``message``; what stands below it stays, and is not shown."""
        self.head = None if message is None else self._known(message)

    def _known(self, message: str) -> str:
        if message not in self._parents:
            raise TreeError(f"There is no message {message} in this thread.")
        return message
