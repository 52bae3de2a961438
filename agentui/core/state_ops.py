"""Operations on a thread's state, as assistant-stream defines them.

``{"type": "set", "path": [...], "value": json}`` and ``{"type": "append-text", "path": [...],
"value": str}``; an empty path is the state itself. Rules:

- ``set`` through null or a missing key makes an object, never a list.
- A list takes an index up to its length; its length appends.
- ``append-text`` needs a string that is there.
- A path through a number, a string or a boolean does not exist.
- ``__proto__``, ``constructor`` and ``prototype`` are refused: browsers apply the same operations.

Strict: the first operation that breaks a rule raises, and nothing is changed. Lenient: such an
operation is skipped, and an index beyond the list appends. The state given is never written to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .values import Json

_UNSAFE = frozenset({"__proto__", "constructor", "prototype"})
_MAX_DEPTH = 100


class StateOperationError(ValueError):
    """The operation does not fit the state; the state is as it was."""


def apply_operations(state: Json, operations: Iterable[Json], *, strict: bool = True) -> Json:
    """The state after the operations."""
    for operation in operations:
        try:
            state = _apply(state, operation, strict=strict)
        except StateOperationError:
            if strict:
                raise
    return state


def _apply(state: Json, operation: Json, *, strict: bool) -> Json:
    match operation:
        case {"type": "set", "path": list() | tuple() as path, "value": value}:
            return _update(state, _checked(path), 0, lambda _: value, strict=strict)
        case {"type": "append-text", "path": list() | tuple() as path, "value": str(text)}:
            segments = _checked(path)

            def append(target: Json) -> Json:
                if not isinstance(target, str):
                    raise StateOperationError(f"Expected string at path {_shown(segments)}")
                return target + text

            return _update(state, segments, 0, append, strict=strict)
    raise StateOperationError(f"Unknown operation: {str(operation)[:200]}")


def _checked(path: Sequence[Any]) -> list[str]:
    if len(path) > _MAX_DEPTH:
        raise StateOperationError(f"Path of {len(path)} segments; at most {_MAX_DEPTH} are allowed")
    segments = [str(segment) for segment in path]
    for segment in segments:
        if segment in _UNSAFE:
            raise StateOperationError(f"Unsafe gorp path segment: {segment}")
    return segments


def _update(
    state: Json, path: list[str], at: int, change: Callable[[Json], Json], *, strict: bool
) -> Json:
    """A copy of ``state`` in which the value at ``path[at:]`` is changed; the rest is shared."""
    if at == len(path):
        return change(state)
    segment = path[at]
    match state:
        case None | dict():
            fields = dict(state or {})
            fields[segment] = _update(fields.get(segment), path, at + 1, change, strict=strict)
            return fields
        case list():
            index = _index(segment, len(state), path, strict=strict)
            items = [*state, None] if index == len(state) else list(state)
            items[index] = _update(items[index], path, at + 1, change, strict=strict)
            return items
        case _:
            raise StateOperationError(f"Invalid path: {_shown(path)}")


def _index(segment: str, length: int, path: list[str], *, strict: bool) -> int:
    if not (segment.isascii() and segment.isdigit() and len(segment) < 10):
        raise StateOperationError(f"Expected array index at {_shown(path)}")
    index = int(segment)
    if index > length:
        if strict:
            raise StateOperationError("Insert array index out of bounds")
        return length
    return index


def _shown(path: Sequence[str]) -> str:
    return f"[{', '.join(path)}]"
