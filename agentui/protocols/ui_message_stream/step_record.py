"""What was sent of the step that is open, in case it begins again. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from .parts import Chunk

_TEXTS = {"text-delta": "delta", "reasoning-delta": "delta", "tool-input-delta": "inputTextDelta"}


class StepRecord:
    """Chunks by the part they belong to. Deltas that follow one another are kept as one."""

    def __init__(self) -> None:
        self._sent: list[tuple[int, Chunk, list[str]]] = []

    def add(self, index: int, chunk: Chunk) -> None:
        name = _TEXTS.get(chunk["type"])
        if name is None:
            self._sent.append((index, chunk, []))
            return
        if self._sent:
            last_index, last, pieces = self._sent[-1]
            if last_index == index and last["type"] == chunk["type"]:
                pieces.append(chunk[name])
                return
        self._sent.append((index, chunk, [chunk[name]]))

    def keep(self, parts: int) -> Iterator[Chunk]:
        """Forget the parts from this index on; what stays is given once more."""
        self._sent = [sent for sent in self._sent if sent[0] < parts]
        for _, chunk, pieces in self._sent:
            name = _TEXTS.get(chunk["type"])
            yield {**chunk, name: "".join(pieces)} if name else chunk
