"""The difference of two JSON values as a JSON Patch (RFC 6902)."""

from __future__ import annotations

from typing import Any

Patch = list[dict[str, Any]]


def json_patch(before: Any, after: Any, path: str = "") -> Patch:
    """The operations that make ``after`` of ``before``. Objects are compared, lists are replaced."""
    if before == after and type(before) is type(after):
        return []
    if not isinstance(before, dict) or not isinstance(after, dict):
        return [{"op": "replace", "path": path, "value": after}]
    operations: Patch = [
        {"op": "remove", "path": f"{path}/{_escaped(key)}"} for key in before if key not in after
    ]
    for key, value in after.items():
        where = f"{path}/{_escaped(key)}"
        if key in before:
            operations += json_patch(before[key], value, where)
        else:
            operations.append({"op": "add", "path": where, "value": value})
    return operations


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
