from __future__ import annotations

from pydantic import ValidationError


def first_problem(error: ValidationError, *path: str) -> str:
    """What is wrong first, with where: ``"parts.0.text: Input should be a valid string"``.

    ``path`` leads to the value that was validated. What was given is not repeated.
    """
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(step) for step in (*path, *first["loc"]))
    return f"{where}: {first['msg']}" if where else str(first["msg"])
