"""What clients call a run of ours: each request that makes it go on has a run id of its own."""

from __future__ import annotations

from typing import Any

from ...models import Run

_KEY = "ag_ui_run_ids"
_LAST = 20


def run_ids(config: dict[str, Any]) -> list[str]:
    """The ids under which clients have asked for the run with this configuration."""
    ids = config.get(_KEY)
    return ids if isinstance(ids, list) else []


def config_with(props: dict[str, Any], run_id: str) -> dict[str, Any]:
    """The configuration of a run that a client begins under this id, with what it sends along."""
    return {**props, _KEY: [run_id]}


def note_run_id(run: Run, run_id: str) -> None:
    """A client lets this run go on, under this id."""
    known = run_ids(run.config)
    if run_id in known:
        return
    run.config = {**run.config, _KEY: [*known, run_id][-_LAST:]}
    Run.objects.filter(pk=run.pk).update(config=run.config)
